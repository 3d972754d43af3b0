//! NEON, with its own arithmetic on f16 or without.
//!
//! The floating-point control register is as Rust's programs find it: to nearest, nothing flushed, NaN payloads kept.
// Invariant: a value of `Neon` exists only where the CPU has NEON, and f16 arithmetic if it says so; `asm!` touches registers alone.

use core::arch::aarch64::*;
use core::arch::asm;

use super::native::Arithmetic;
use super::neon_fp16::{add_f16, fma_f16, mul_f16, sub_f16};
use super::{End, Engine, Lanes, double, simd};
use crate::modifiers::Round;

/// A CPU that has NEON, and if `FP16` arithmetic on f16 (FEAT_FP16).
#[derive(Clone, Copy)]
pub(crate) struct Neon<const FP16: bool>(());

impl<const FP16: bool> Neon<FP16> {
    /// # Safety
    /// The CPU has NEON, and if `FP16` arithmetic on f16.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

type H = uint16x8_t;
type W = uint32x4_t;

macro_rules! lanes {
    (
        $bits:ident $v:ident $n:literal $load:ident $store:ident $splat:ident $and:ident $or:ident $xor:ident
        $signed:ident $unsigned:ident $shift:ident $max:ident $min:ident $above:ident $equal:ident $any:ident $select:ident
    ) => {
        impl<const FP16: bool> Lanes<$bits> for Neon<FP16> {
            type V = $v;
            /// All ones for true.
            type M = $v;
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(self, p: *const $bits) -> $v {
                // SAFETY: the caller's for the memory; a value of `Neon` exists.
                unsafe { $load(p) }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $bits, x: $v) {
                // SAFETY: the caller's for the memory; a value of `Neon` exists.
                unsafe { $store(p, x) }
            }
            #[inline(always)]
            unsafe fn load_part(self, p: *const $bits, n: usize) -> $v {
                let mut x = [0; $n];
                // SAFETY: the caller's for the source; `n` is below the array's length.
                unsafe { p.copy_to_nonoverlapping(x.as_mut_ptr(), n) }
                // SAFETY: the array is a vector long.
                unsafe { self.load(x.as_ptr()) }
            }
            #[inline(always)]
            unsafe fn store_part(self, p: *mut $bits, n: usize, x: $v) {
                let mut all = [0; $n];
                // SAFETY: the array is a vector long.
                unsafe { self.store(all.as_mut_ptr(), x) }
                // SAFETY: the caller's for the destination; `n` is below the array's length.
                unsafe { all.as_ptr().copy_to_nonoverlapping(p, n) }
            }
            #[inline(always)]
            fn splat(self, x: $bits) -> $v {
                simd!($splat(x))
            }
            #[inline(always)]
            fn and(self, a: $v, b: $v) -> $v {
                simd!($and(a, b))
            }
            #[inline(always)]
            fn or(self, a: $v, b: $v) -> $v {
                simd!($or(a, b))
            }
            #[inline(always)]
            fn xor(self, a: $v, b: $v) -> $v {
                simd!($xor(a, b))
            }
            #[inline(always)]
            fn signs(self, a: $v) -> $v {
                simd!($unsigned(simd!($shift::<{ $bits::BITS as i32 - 1 }>(simd!($signed(a))))))
            }
            #[inline(always)]
            fn larger(self, a: $v, b: $v) -> $v {
                simd!($unsigned(simd!($max(simd!($signed(a)), simd!($signed(b))))))
            }
            #[inline(always)]
            fn smaller(self, a: $v, b: $v) -> $v {
                simd!($unsigned(simd!($min(simd!($signed(a)), simd!($signed(b))))))
            }
            #[inline(always)]
            fn above(self, a: $v, b: $v) -> $v {
                simd!($above(simd!($signed(a)), simd!($signed(b))))
            }
            #[inline(always)]
            fn equal(self, a: $v, b: $v) -> $v {
                simd!($equal(a, b))
            }
            #[inline(always)]
            fn either(self, a: $v, b: $v) -> $v {
                simd!($or(a, b))
            }
            #[inline(always)]
            fn any(self, a: $v) -> bool {
                simd!($any(a)) != 0
            }
            #[inline(always)]
            fn select(self, m: $v, yes: $v, no: $v) -> $v {
                simd!($select(m, yes, no))
            }
        }
    };
}

lanes!(u16 uint16x8_t 8 vld1q_u16 vst1q_u16 vdupq_n_u16 vandq_u16 vorrq_u16 veorq_u16
    vreinterpretq_s16_u16 vreinterpretq_u16_s16 vshrq_n_s16 vmaxq_s16 vminq_s16 vcgtq_s16 vceqq_u16 vmaxvq_u16 vbslq_u16);
lanes!(u32 uint32x4_t 4 vld1q_u32 vst1q_u32 vdupq_n_u32 vandq_u32 vorrq_u32 veorq_u32
    vreinterpretq_s32_u32 vreinterpretq_u32_s32 vshrq_n_s32 vmaxq_s32 vminq_s32 vcgtq_s32 vceqq_u32 vmaxvq_u32 vbslq_u32);

#[inline(always)]
pub(super) fn f(x: W) -> float32x4_t {
    simd!(vreinterpretq_f32_u32(x))
}

#[inline(always)]
fn w(x: float32x4_t) -> W {
    simd!(vreinterpretq_u32_f32(x))
}

#[inline(always)]
fn splat(x: f32) -> float32x4_t {
    simd!(vdupq_n_f32(x))
}

/// Comparisons, all ones for true.
///
/// In a choice by the intrinsics LLVM could see a maximum: see `cmp` of f32 in kernel/element.rs.
macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $instruction:literal;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name(a: W, b: W) -> W {
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
    greater "fcmgt";
    /// `a >= b`
    at_least "fcmge";
}

/// Both halves of the lanes, exactly. Of a NaN the quiet bit is set.
#[inline(always)]
fn widen_f16(x: H) -> [W; 2] {
    let (low, high): (W, W);
    // SAFETY: NEON has the instruction, which reads and writes registers alone.
    unsafe { asm!("fcvtl {d:v}.4s, {x:v}.4h", d = lateout(vreg) low, x = in(vreg) x, options(pure, nomem, nostack)) };
    // SAFETY: as before.
    unsafe { asm!("fcvtl2 {d:v}.4s, {x:v}.8h", d = lateout(vreg) high, x = in(vreg) x, options(pure, nomem, nostack)) };
    [low, high]
}

/// Rounded to nearest even.
#[inline(always)]
fn narrow_f16([low, high]: [W; 2]) -> H {
    let mut d: H;
    // SAFETY: NEON has the instruction, which reads and writes registers alone.
    unsafe { asm!("fcvtn {d:v}.4h, {x:v}.4s", d = lateout(vreg) d, x = in(vreg) low, options(pure, nomem, nostack)) };
    // SAFETY: as before.
    unsafe { asm!("fcvtn2 {d:v}.8h, {x:v}.4s", d = inout(vreg) d, x = in(vreg) high, options(pure, nomem, nostack)) };
    d
}

/// The lower halves.
#[inline(always)]
fn lower_halves([low, high]: [W; 2]) -> H {
    simd!(vcombine_u16(simd!(vmovn_u32(low)), simd!(vmovn_u32(high))))
}

/// Where rounding to nearest went up, down, and below zero: all ones.
#[inline(always)]
fn errors(rounded: W, x: W) -> [W; 3] {
    [
        simd!(vcgtq_f32(f(rounded), f(x))),
        simd!(vcltq_f32(f(rounded), f(x))),
        simd!(vreinterpretq_u32_s32(simd!(vshrq_n_s32::<31>(simd!(vreinterpretq_s32_u32(x)))))),
    ]
}

/// Of the two neighbours of an inexact value, the nearest may be the wrong one. Towards zero the bits count down, and an
/// infinity becomes the largest finite value.
#[inline(always)]
fn round_directed(rnd: Round, x: [W; 2]) -> H {
    let d = narrow_f16(x);
    let back = widen_f16(d);
    let (low, high) = (errors(back[0], x[0]), errors(back[1], x[1]));
    let above = lower_halves([low[0], high[0]]);
    let below = lower_halves([low[1], high[1]]);
    let negative = lower_halves([low[2], high[2]]);
    // All ones is -1: what is subtracted goes outward.
    match rnd {
        Round::Rn => d,
        Round::Rz => simd!(vaddq_u16(d, simd!(vbslq_u16(negative, below, above)))),
        Round::Rm => {
            let d = simd!(vaddq_u16(d, simd!(vbicq_u16(above, negative))));
            simd!(vsubq_u16(d, simd!(vandq_u16(above, negative))))
        }
        Round::Rp => {
            let d = simd!(vaddq_u16(d, simd!(vandq_u16(below, negative))));
            simd!(vsubq_u16(d, simd!(vbicq_u16(below, negative))))
        }
    }
}

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline(always)]
fn fma_to_odd(p: float32x4_t, c: float32x4_t) -> W {
    let s = simd!(vaddq_f32(p, c));
    let z = simd!(vsubq_f32(s, p));
    let lost_p = simd!(vsubq_f32(p, simd!(vsubq_f32(s, z))));
    let error = simd!(vaddq_f32(lost_p, simd!(vsubq_f32(c, z))));
    // As `double::sum_to_odd`; an infinite sum has NaN for an error.
    let inexact = simd!(vcgtq_f32(simd!(vabsq_f32(error)), splat(0.0)));
    let differ = simd!(vreinterpretq_s32_u32(simd!(veorq_u32(w(error), w(s)))));
    let beyond = simd!(vreinterpretq_u32_s32(simd!(vshrq_n_s32::<31>(differ))));
    let truncated = simd!(vaddq_u32(w(s), simd!(vandq_u32(beyond, inexact))));
    simd!(vorrq_u32(truncated, simd!(vshrq_n_u32::<31>(inexact))))
}

#[inline(always)]
fn lanes_of(x: W) -> [u32; 4] {
    // SAFETY: both types are 16 bytes, and of any bits.
    unsafe { core::mem::transmute::<W, [u32; 4]>(x) }
}

#[inline(always)]
fn of_lanes(x: [u32; 4]) -> W {
    // SAFETY: both types are 16 bytes, and of any bits.
    unsafe { core::mem::transmute::<[u32; 4], W>(x) }
}

/// A function of lanes that compilers vectorise.
#[inline(always)]
fn each<const N: usize>(x: [W; N], f: impl Fn([u32; N]) -> u32) -> W {
    let x = x.map(lanes_of);
    of_lanes(core::array::from_fn(|i| f(core::array::from_fn(|k| x[k][i]))))
}

/// Adds what carries into the upper half when that is to be rounded up.
#[inline(always)]
fn round_bf16(x: W) -> W {
    let last = simd!(vandq_u32(simd!(vshrq_n_u32::<16>(x)), simd!(vdupq_n_u32(1))));
    simd!(vaddq_u32(simd!(vaddq_u32(x, simd!(vdupq_n_u32(0x7FFF)))), last))
}

/// `1 / √x` by way of binary64, as at AVX-512.
#[inline(always)]
fn rsqrt_half(x: float32x2_t) -> float32x2_t {
    let root = simd!(vsqrtq_f64(simd!(vcvt_f64_f32(x))));
    simd!(vcvt_f32_f64(simd!(vdivq_f64(simd!(vdupq_n_f64(1.0)), root))))
}

impl<const FP16: bool> Engine for Neon<FP16> {
    const NATIVE_F16: bool = FP16;

    #[inline(always)]
    fn native_f16(self, what: Arithmetic, [a, b, c]: [H; 3]) -> Option<H> {
        if !FP16 {
            return None;
        }
        Some(match what {
            Arithmetic::Add => simd!(add_f16(a, b)),
            Arithmetic::Sub => simd!(sub_f16(a, b)),
            Arithmetic::Mul => simd!(mul_f16(a, b)),
            Arithmetic::Fma => simd!(fma_f16(a, b, c)),
        })
    }

    #[inline(always)]
    fn add(self, a: W, b: W) -> W {
        w(simd!(vaddq_f32(f(a), f(b))))
    }
    #[inline(always)]
    fn sub(self, a: W, b: W) -> W {
        w(simd!(vsubq_f32(f(a), f(b))))
    }
    #[inline(always)]
    fn mul(self, a: W, b: W) -> W {
        w(simd!(vmulq_f32(f(a), f(b))))
    }
    #[inline(always)]
    fn div(self, a: W, b: W) -> W {
        w(simd!(vdivq_f32(f(a), f(b))))
    }
    #[inline(always)]
    fn mul_add(self, a: W, b: W, c: W) -> W {
        w(simd!(vfmaq_f32(f(c), f(a), f(b))))
    }
    #[inline(always)]
    fn max(self, a: W, b: W) -> W {
        simd!(vbslq_u32(greater(a, b), a, b))
    }
    #[inline(always)]
    fn min(self, a: W, b: W) -> W {
        simd!(vbslq_u32(greater(b, a), a, b))
    }
    #[inline(always)]
    fn fma_f16(self, a: W, b: W, c: W) -> W {
        fma_to_odd(simd!(vmulq_f32(f(a), f(b))), f(c))
    }
    #[inline(always)]
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
            each([a, b, c], |[a, b, c]| double::fma_bf16(a, b, c))
        }
    }
    #[inline(always)]
    fn add_f32(self, rnd: Round, a: W, b: W) -> W {
        if rnd == Round::Rn { self.add(a, b) } else { each([a, b], |[a, b]| double::add_f32(rnd, a, b)) }
    }
    #[inline(always)]
    fn mul_f32(self, rnd: Round, a: W, b: W) -> W {
        if rnd == Round::Rn { self.mul(a, b) } else { each([a, b], |[a, b]| double::mul_f32(rnd, a, b)) }
    }
    #[inline(always)]
    fn fma_f32(self, rnd: Round, a: W, b: W, c: W) -> W {
        if rnd == Round::Rn {
            self.mul_add(a, b, c)
        } else {
            each([a, b, c], |[a, b, c]| double::fma_f32(rnd, a, b, c))
        }
    }
    #[inline(always)]
    fn div_f32(self, _: Round, a: W, b: W) -> W {
        self.div(a, b)
    }
    #[inline(always)]
    fn sqrt_f32(self, _: Round, a: W) -> W {
        w(simd!(vsqrtq_f32(f(a))))
    }
    #[inline(always)]
    fn rsqrt_f32(self, a: W) -> W {
        let (low, high) = (rsqrt_half(simd!(vget_low_f32(f(a)))), rsqrt_half(simd!(vget_high_f32(f(a)))));
        w(simd!(vcombine_f32(low, high)))
    }
    #[inline(always)]
    fn finish(self, end: End, nan: u32, x: W) -> W {
        // No NaN is greater, and of two zeros the positive one is taken.
        let positive = simd!(vandq_u32(greater(x, simd!(vdupq_n_u32(0))), x));
        let d = match end {
            End::Sat => return w(simd!(vminq_f32(f(positive), splat(1.0)))),
            End::Relu => positive,
            End::Plain => x,
        };
        simd!(vbslq_u32(simd!(vceqq_f32(f(x), f(x))), d, simd!(vdupq_n_u32(nan))))
    }

    #[inline(always)]
    fn expand(self, x: H) -> [W; 2] {
        [simd!(vmovl_u16(simd!(vget_low_u16(x)))), simd!(vmovl_high_u16(x))]
    }
    #[inline(always)]
    fn compress(self, x: [W; 2]) -> H {
        lower_halves(x)
    }
    #[inline(always)]
    fn sum(self, a: W, b: W) -> W {
        simd!(vaddq_u32(a, b))
    }
    #[inline(always)]
    fn up(self, a: W, k: u32) -> W {
        simd!(vshlq_u32(a, simd!(vdupq_n_s32(k as i32))))
    }
    #[inline(always)]
    fn down(self, a: W, k: u32) -> W {
        simd!(vshlq_u32(a, simd!(vdupq_n_s32(-(k as i32)))))
    }
    #[inline(always)]
    fn round_f16(self, rnd: Round, x: [W; 2]) -> H {
        round_directed(rnd, x)
    }
    #[inline(always)]
    fn widen_f16(self, x: H) -> [W; 2] {
        widen_f16(x)
    }
    #[inline(always)]
    fn narrow_f16(self, x: [W; 2]) -> H {
        narrow_f16(x)
    }
    // The even lanes and the odd ones.
    #[inline(always)]
    fn widen_bf16(self, x: H) -> [W; 2] {
        let x = simd!(vreinterpretq_u32_u16(x));
        [simd!(vshlq_n_u32::<16>(x)), simd!(vandq_u32(x, simd!(vdupq_n_u32(0xFFFF_0000))))]
    }
    #[inline(always)]
    fn narrow_bf16(self, x: [W; 2]) -> H {
        let (even, odd) = (round_bf16(x[0]), round_bf16(x[1]));
        simd!(vreinterpretq_u16_u32(simd!(vsriq_n_u32::<16>(odd, even))))
    }
    type Doubles = Self;
    #[inline(always)]
    fn doubles(self) -> Self {
        self
    }
    #[inline(always)]
    fn widen_f32(self, x: W) -> [float64x2_t; 2] {
        [simd!(vcvt_f64_f32(simd!(vget_low_f32(f(x))))), simd!(vcvt_high_f64_f32(f(x)))]
    }
    #[inline(always)]
    fn narrow_f64(self, [low, high]: [float64x2_t; 2]) -> [W; 2] {
        let d = simd!(vcvt_high_f32_f64(simd!(vcvt_f32_f64(low)), high));
        let (low, high) = (simd!(vreinterpretq_u32_f64(low)), simd!(vreinterpretq_u32_f64(high)));
        [w(d), simd!(vuzp1q_u32(low, high))]
    }
}
