//! NEON's binary32 lanes and binary64 lanes.
//!
//! Nothing on AArch64 lets LLVM see a maximum: of a choice by comparison with a constant it makes
//! `fmaxnm`, which answers a signalling NaN with a NaN where the choice has the constant. So
//! comparisons that choose are written in `asm!`, and scalar code asks the bits for a NaN.
// Invariant: a value of `Neon` exists only where the CPU has NEON; `asm!` touches registers alone.

use core::arch::aarch64::*;
use core::arch::asm;

use super::{Neon, W, f, w};
use crate::backend::lanes::engine::{Doubles, End, Floats, groups};
use crate::backend::lanes::{directed, in_binary64};
use crate::modifiers::Round;

#[inline_in_release]
fn splat(x: f32) -> float32x4_t {
    simd!(vdupq_n_f32(x))
}

/// Comparisons, all ones for true.
///
/// In a choice by the intrinsics LLVM could see a maximum: see `cmp` of f32 in kernel/element.rs.
macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $instruction:literal;)*) => {$(
        $(#[$doc])*
        #[inline_in_release]
        fn $name(a: W, b: W) -> W {
            let d;
            // SAFETY: NEON has the instruction, which reads and writes registers alone.
            unsafe {
                asm!(
                    concat!($instruction, " {d:v}.4s, {a:v}.4s, {b:v}.4s"),
                    d = lateout(vreg) d, a = in(vreg) a, b = in(vreg) b,
                    options(pure, nomem, nostack),
                );
            }
            d
        }
    )*};
}

comparisons! {
    /// `a > b`
    gt "fcmgt";
    /// `a >= b`
    ge "fcmge";
}

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline_in_release]
fn fma_to_odd(p: float32x4_t, c: float32x4_t) -> W {
    let s = simd!(vaddq_f32(p, c));
    let z = simd!(vsubq_f32(s, p));
    let lost_p = simd!(vsubq_f32(p, simd!(vsubq_f32(s, z))));
    let error = simd!(vaddq_f32(lost_p, simd!(vsubq_f32(c, z))));
    // As `in_binary64::sum_to_odd`; an infinite sum has NaN for an error.
    let inexact = simd!(vcgtq_f32(simd!(vabsq_f32(error)), splat(0.0)));
    let differ = simd!(vreinterpretq_s32_u32(simd!(veorq_u32(w(error), w(s)))));
    let beyond = simd!(vreinterpretq_u32_s32(simd!(vshrq_n_s32::<31>(differ))));
    let truncated = simd!(vaddq_u32(w(s), simd!(vandq_u32(beyond, inexact))));
    simd!(vorrq_u32(truncated, simd!(vshrq_n_u32::<31>(inexact))))
}

#[inline_in_release]
fn to_array(x: W) -> [u32; 4] {
    // SAFETY: both types are 16 bytes, and of any bits.
    unsafe { core::mem::transmute::<W, [u32; 4]>(x) }
}

#[inline_in_release]
fn from_array(x: [u32; 4]) -> W {
    // SAFETY: both types are 16 bytes, and of any bits.
    unsafe { core::mem::transmute::<[u32; 4], W>(x) }
}

/// A function of lanes that compilers vectorise.
#[inline_in_release]
fn each<const N: usize>(x: [W; N], f: impl Fn([u32; N]) -> u32) -> W {
    let x = x.map(to_array);
    from_array(core::array::from_fn(|i| f(core::array::from_fn(|k| x[k][i]))))
}

/// `1 / √x` by way of binary64, as `half_rsqrt` at AVX2.
#[inline_in_release]
fn rsqrt(x: float32x2_t) -> float32x2_t {
    let root = simd!(vsqrtq_f64(simd!(vcvt_f64_f32(x))));
    simd!(vcvt_f32_f64(simd!(vdivq_f64(simd!(vdupq_n_f64(1.0)), root))))
}

#[inline_in_release]
impl<const FP16: bool> Floats for Neon<FP16> {
    type V = W;
    type M = W;
    groups!(Directed directed Absent;);
    const FUSED: bool = true;

    fn splat(self, x: f32) -> W {
        w(splat(x))
    }
    instructions! {
        W => W, f => w:
        add(a b) vaddq_f32; sub(a b) vsubq_f32; mul(a b) vmulq_f32; div(a b) vdivq_f32; sqrt(a) vsqrtq_f32;
    }
    fn mul_add(self, a: W, b: W, c: W) -> W {
        w(simd!(vfmaq_f32(f(c), f(a), f(b))))
    }
    fn max(self, a: W, b: W) -> W {
        simd!(vbslq_u32(gt(a, b), a, b))
    }
    fn min(self, a: W, b: W) -> W {
        simd!(vbslq_u32(gt(b, a), a, b))
    }
    fn fma_f16(self, a: W, b: W, c: W) -> W {
        fma_to_odd(simd!(vmulq_f32(f(a), f(b))), f(c))
    }
    fn fma_bf16(self, a: W, b: W, c: W) -> W {
        let p = simd!(vmulq_f32(f(a), f(b)));
        // As at AVX2: the product is exact unless it is near either end, where data's never is.
        let magnitude = simd!(vabsq_f32(p));
        let small = simd!(vcltq_f32(magnitude, splat(f32::MIN_POSITIVE)));
        let inside = simd!(vcltq_f32(magnitude, splat(1.7e38)));
        let factor_zero = simd!(vorrq_u32(simd!(vceqzq_f32(f(a))), simd!(vceqzq_f32(f(b)))));
        let outside = simd!(vbicq_u32(simd!(vornq_u32(small, inside)), factor_zero));
        if simd!(vmaxvq_u32(outside)) == 0 {
            fma_to_odd(p, f(c))
        } else {
            each([a, b, c], |[a, b, c]| in_binary64::fma_bf16(a, b, c))
        }
    }
    fn add_rnd(self, rnd: Round, a: W, b: W) -> W {
        if rnd == Round::Rn { Floats::add(self, a, b) } else { each([a, b], |[a, b]| in_binary64::add_f32(rnd, a, b)) }
    }
    fn mul_rnd(self, rnd: Round, a: W, b: W) -> W {
        if rnd == Round::Rn { Floats::mul(self, a, b) } else { directed::mul(self, rnd, a, b) }
    }
    fn fma_rnd(self, rnd: Round, a: W, b: W, c: W) -> W {
        if rnd == Round::Rn {
            Floats::mul_add(self, a, b, c)
        } else {
            each([a, b, c], |[a, b, c]| in_binary64::fma_f32(rnd, a, b, c))
        }
    }
    fn integral(self, rnd: Round, a: W) -> W {
        w(match rnd {
            Round::Rn => simd!(vrndnq_f32(f(a))),
            Round::Rz => simd!(vrndq_f32(f(a))),
            Round::Rm => simd!(vrndmq_f32(f(a))),
            Round::Rp => simd!(vrndpq_f32(f(a))),
        })
    }
    fn to_i32(self, rnd: Round, a: W) -> W {
        let integers = match rnd {
            Round::Rn => simd!(vcvtnq_s32_f32(f(a))),
            Round::Rz => simd!(vcvtq_s32_f32(f(a))),
            Round::Rm => simd!(vcvtmq_s32_f32(f(a))),
            Round::Rp => simd!(vcvtpq_s32_f32(f(a))),
        };
        simd!(vreinterpretq_u32_s32(integers))
    }
    fn of_i32(self, a: W) -> W {
        w(simd!(vcvtq_f32_s32(simd!(vreinterpretq_s32_u32(a)))))
    }
    fn rsqrt(self, a: W) -> W {
        let (low, high) = (rsqrt(simd!(vget_low_f32(f(a)))), rsqrt(simd!(vget_high_f32(f(a)))));
        w(simd!(vcombine_f32(low, high)))
    }
    fn finish(self, end: End, nan: u32, x: W) -> W {
        // No NaN is greater, and of two zeros the positive one is taken.
        let positive = simd!(vandq_u32(gt(x, simd!(vdupq_n_u32(0))), x));
        let d = match end {
            End::Sat => return w(simd!(vminq_f32(f(positive), splat(1.0)))),
            End::Relu => positive,
            End::Plain => x,
        };
        simd!(vbslq_u32(simd!(vceqq_f32(f(x), f(x))), d, simd!(vdupq_n_u32(nan))))
    }
    fn lt(self, a: W, b: W) -> W {
        gt(b, a)
    }
    fn le(self, a: W, b: W) -> W {
        ge(b, a)
    }
    fn eq(self, a: W, b: W) -> W {
        simd!(vceqq_f32(f(a), f(b)))
    }
    fn unordered(self, a: W, b: W) -> W {
        let (a, b) = (simd!(vceqq_f32(f(a), f(a))), simd!(vceqq_f32(f(b), f(b))));
        let both = simd!(vandq_u32(a, b));
        simd!(vmvnq_u32(both))
    }
}

/// `a × b + c`
///
/// # Safety
/// The CPU has NEON.
#[inline_in_release]
unsafe fn fused(a: float64x2_t, b: float64x2_t, c: float64x2_t) -> float64x2_t {
    simd!(vfmaq_f64(c, a, b))
}

/// # Safety
/// The CPU has NEON.
#[inline_in_release]
unsafe fn shift_right(x: uint64x2_t, k: int64x2_t) -> uint64x2_t {
    simd!(vshlq_u64(x, simd!(vnegq_s64(k))))
}

doubles! {
    Neon<FP16> where FP16: bool, float64x2_t: vreinterpretq_f64_u64 vreinterpretq_u64_f64 vdupq_n_f64; fused;
    add vaddq_f64 sub vsubq_f64 mul vmulq_f64 div vdivq_f64;
    and vandq_u64 or vorrq_u64 xor veorq_u64 add_bits vaddq_u64;
    shl vshlq_u64 shr shift_right, vdupq_n_s64 i64;
}
