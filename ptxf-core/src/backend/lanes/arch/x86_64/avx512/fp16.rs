//! AVX-512's arithmetic on f16 (FP16): rounded once to nearest even, subnormals kept, a NaN for a NaN.
//!
//! It is written in `asm!`, since the intrinsics are newer than the workspace's oldest compiler.
// Invariant: a value of `Fp16` exists only where the CPU has AVX-512 FP16; `asm!` touches registers alone.

use core::arch::asm;

use super::{Avx512, V};
use crate::backend::lanes::engine::ArithmeticF16;

/// A CPU that has AVX-512 FP16.
#[derive(Clone, Copy)]
pub(crate) struct Fp16(());

impl Fp16 {
    /// If the engine says that it has the arithmetic.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
                // SAFETY: the function enables the instruction, which reads and writes registers alone.
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

impl ArithmeticF16<V> for Fp16 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, a: V, b: V) -> V {
        simd!(vaddph(a, b))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, a: V, b: V) -> V {
        simd!(vsubph(a, b))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, a: V, b: V) -> V {
        simd!(vmulph(a, b))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fma(self, a: V, b: V, c: V) -> V {
        simd!(vfmadd231ph(a, b, c))
    }
}
