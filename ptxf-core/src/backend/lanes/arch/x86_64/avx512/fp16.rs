//! AVX-512's arithmetic on f16 (FP16): rounded once to nearest even, subnormals kept, a NaN for a
//! NaN.
//!
//! It is written in `asm!`, since the intrinsics are newer than the workspace's oldest compiler.
// Invariant: a value of `Fp16` exists only where the CPU has AVX-512 FP16; `asm!` touches registers alone.

use core::arch::asm;
use core::arch::x86_64::{__mmask32, _mm512_and_si512, _mm512_or_si512, _mm512_set1_epi16, _mm512_setzero_si512};

use super::{Avx512, V};
use crate::backend::lanes::engine::{ArithmeticF16, Quick};

/// A CPU that has AVX-512 FP16.
#[derive(Clone, Copy)]
pub(crate) struct Fp16(());

#[inline_in_release]
impl Fp16 {
    /// If the engine says that it has the arithmetic.
    pub(super) fn of<const FP16: bool>(_: Avx512<FP16>) -> Option<Self> {
        FP16.then_some(Self(()))
    }
}

/// Functions that enable the instructions.
macro_rules! enabled {
    ($($function:item)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512fp16")]
        $function
    )*};
}

macro_rules! two_operands {
    ($($name:ident $instruction:literal;)*) => {$(
        enabled! {
            fn $name(a: V, b: V) -> V {
                let d;
                // SAFETY: the function enables the instruction, which reads and writes registers
                // alone.
                unsafe {
                    asm!(
                        concat!($instruction, " {d}, {a}, {b}"),
                        d = lateout(zmm_reg) d, a = in(zmm_reg) a, b = in(zmm_reg) b,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                d
            }
        }
    )*};
}

two_operands! {
    vaddph "vaddph";
    vsubph "vsubph";
    vmulph "vmulph";
    vmaxph "vmaxph";
    vminph "vminph";
}

macro_rules! masks {
    ($($name:ident($($x:ident),+) $instruction:literal;)*) => {$(
        enabled! {
            fn $name($($x: V),+) -> __mmask32 {
                let m;
                // SAFETY: the function enables the instruction, which reads and writes registers
                // alone.
                unsafe {
                    asm!(
                        $instruction,
                        m = lateout(kreg) m, $($x = in(zmm_reg) $x,)+
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                m
            }
        }
    )*};
}

// Predicate 0 of the comparison is EQ_OQ, 3 UNORD_Q, 8 EQ_UQ, 29 GE_OQ, 30 GT_OQ. Of the classes
// 0x81 are the NaNs, 0x20 the subnormal numbers.
masks! {
    vcmpph_eq(a, b) "vcmpph {m}, {a}, {b}, 0";
    vcmpph_unord(a, b) "vcmpph {m}, {a}, {b}, 3";
    vcmpph_eq_or_unord(a, b) "vcmpph {m}, {a}, {b}, 8";
    vcmpph_ge(a, b) "vcmpph {m}, {a}, {b}, 29";
    vcmpph_gt(a, b) "vcmpph {m}, {a}, {b}, 30";
    vfpclassph_subnormal(x) "vfpclassph {m}, {x}, 0x20";
    vfpclassph_nan_or_subnormal(x) "vfpclassph {m}, {x}, 0xA1";
}

enabled! {
    fn vfmadd231ph(a: V, b: V, c: V) -> V {
        let mut d = c;
        // SAFETY: the function enables the instruction, which reads and writes registers alone.
        unsafe {
            asm!(
                "vfmadd231ph {d}, {a}, {b}",
                d = inout(zmm_reg) d, a = in(zmm_reg) a, b = in(zmm_reg) b,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        d
    }
}

enabled! {
    /// The lanes of the mask whose bits differ.
    fn vpcmpw_ne_masked(m: __mmask32, a: V, b: V) -> __mmask32 {
        let d;
        // SAFETY: the function enables the instruction, which reads and writes registers alone.
        unsafe {
            asm!(
                "vpcmpneqw {d}{{{m}}}, {a}, {b}",
                d = lateout(kreg) d, m = in(kreg) m, a = in(zmm_reg) a, b = in(zmm_reg) b,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        d
    }
}

enabled! {
    /// `a × b` in the lanes of the mask, `a` in the others.
    fn vmulph_masked(m: __mmask32, a: V, b: V) -> V {
        let mut d = a;
        // SAFETY: the function enables the instruction, which reads and writes registers alone.
        unsafe {
            asm!(
                "vmulph {d}{{{m}}}, {d}, {b}",
                m = in(kreg) m, d = inout(zmm_reg) d, b = in(zmm_reg) b,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        d
    }
}

#[inline_in_release]
impl ArithmeticF16<V, __mmask32> for Fp16 {
    instructions! {
        V => V, same => same:
        add(a b) vaddph; sub(a b) vsubph; mul(a b) vmulph; fma(a b c) vfmadd231ph;
    }
    // Of zeros and with a NaN the instructions return the second operand: of two zeros both of them
    // have the sign that counts.
    fn max(self, a: V, b: V) -> V {
        let (d, other) = (simd!(vmaxph(a, b)), simd!(vmaxph(b, a)));
        simd!(_mm512_and_si512(d, other))
    }
    fn min(self, a: V, b: V) -> V {
        let (d, other) = (simd!(vminph(a, b)), simd!(vminph(b, a)));
        simd!(_mm512_or_si512(d, other))
    }
    // The instruction returns its second operand where one is a NaN, and of two zeros, whatever
    // their signs are. Equal operands of the same bits are rare and not unlike: zeros are many
    // after `.relu`.
    fn quick_max(self, a: V, b: V) -> Option<Quick<V, __mmask32>> {
        let (d, rare) = (simd!(vmaxph(a, b)), simd!(vcmpph_eq_or_unord(a, b)));
        Some(Quick { d, rare, unlike: simd!(vpcmpw_ne_masked(rare, a, b)) })
    }
    fn quick_min(self, a: V, b: V) -> Option<Quick<V, __mmask32>> {
        let (d, rare) = (simd!(vminph(a, b)), simd!(vcmpph_eq_or_unord(a, b)));
        Some(Quick { d, rare, unlike: simd!(vpcmpw_ne_masked(rare, a, b)) })
    }
    instructions! {
        V => __mmask32, same => same:
        gt(a b) vcmpph_gt; ge(a b) vcmpph_ge; eq(a b) vcmpph_eq; unordered(a b) vcmpph_unord;
    }
    // A product with +0 keeps the sign. By integers a lane is flushed in three instructions: a
    // test, a conjunction and a choice.
    fn flushed(self, x: V) -> Option<V> {
        let (subnormal, zero) = (simd!(vfpclassph_subnormal(x)), simd!(_mm512_setzero_si512()));
        Some(simd!(vmulph_masked(subnormal, x, zero)))
    }
    // The maximum of a NaN and +0, and of −0 and +0, is the instruction's second operand.
    fn saturated(self, x: V) -> V {
        let (zero, one) = (simd!(_mm512_setzero_si512()), simd!(_mm512_set1_epi16(0x3C00)));
        let positive = simd!(vmaxph(x, zero));
        simd!(vminph(positive, one))
    }
    // Three quarters of the smallest normal number are subnormal. So are three quarters of every
    // subnormal number: those of the smallest one round up to itself.
    fn rare(self, x: V, with_least: bool) -> Option<__mmask32> {
        let three_quarters = simd!(_mm512_set1_epi16(0x3A00));
        let x = if with_least { simd!(vmulph(x, three_quarters)) } else { x };
        Some(simd!(vfpclassph_nan_or_subnormal(x)))
    }
}
