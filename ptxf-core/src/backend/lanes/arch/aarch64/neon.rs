//! NEON, with its own arithmetic on f16 or without.
//!
//! The floating-point control register is as Rust's programs find it: to nearest, nothing flushed,
//! NaN payloads kept.
// Invariant: a value of `Neon` exists only where the CPU has NEON, and f16 arithmetic if it says so; `asm!` touches registers alone.

use core::arch::aarch64::*;
use core::arch::asm;

use crate::backend::lanes::engine::{Engine, Lists, Memory, Vectors, groups, vectors_are_registers, views};
use crate::backend::lanes::subnormal;
use crate::modifiers::Round;

mod floats;
mod fp16;
mod ints;
mod masks;

/// A CPU that has NEON, and if `FP16` arithmetic on f16 (FEAT_FP16).
#[derive(Clone, Copy)]
pub(crate) struct Neon<const FP16: bool>(());

#[inline_in_release]
impl<const FP16: bool> Neon<FP16> {
    /// # Safety
    /// The CPU has NEON, and if `FP16` arithmetic on f16.
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

type H = uint16x8_t;
type W = uint32x4_t;

#[inline_in_release]
fn f(x: W) -> float32x4_t {
    simd!(vreinterpretq_f32_u32(x))
}

#[inline_in_release]
fn w(x: float32x4_t) -> W {
    simd!(vreinterpretq_u32_f32(x))
}

/// Both halves of the lanes, exactly. Of a NaN the quiet bit is set.
#[inline_in_release]
fn widen_f16(x: H) -> [W; 2] {
    let (low, high): (W, W);
    // SAFETY: NEON has the instruction, which reads and writes registers alone.
    unsafe { asm!("fcvtl {d:v}.4s, {x:v}.4h", d = lateout(vreg) low, x = in(vreg) x, options(pure, nomem, nostack)) };
    // SAFETY: as before.
    unsafe { asm!("fcvtl2 {d:v}.4s, {x:v}.8h", d = lateout(vreg) high, x = in(vreg) x, options(pure, nomem, nostack)) };
    [low, high]
}

/// Rounded to nearest even.
#[inline_in_release]
fn narrow_f16([low, high]: [W; 2]) -> H {
    let mut d: H;
    // SAFETY: NEON has the instruction, which reads and writes registers alone.
    unsafe { asm!("fcvtn {d:v}.4h, {x:v}.4s", d = lateout(vreg) d, x = in(vreg) low, options(pure, nomem, nostack)) };
    // SAFETY: as before.
    unsafe { asm!("fcvtn2 {d:v}.8h, {x:v}.4s", d = inout(vreg) d, x = in(vreg) high, options(pure, nomem, nostack)) };
    d
}

/// The lower halves.
#[inline_in_release]
fn lower_halves([low, high]: [W; 2]) -> H {
    simd!(vcombine_u16(simd!(vmovn_u32(low)), simd!(vmovn_u32(high))))
}

/// Returns masks of the lanes that rounding to nearest moved up, moved down, and of those below
/// zero.
#[inline_in_release]
fn errors(rounded: W, x: W) -> [W; 3] {
    [
        simd!(vcgtq_f32(f(rounded), f(x))),
        simd!(vcltq_f32(f(rounded), f(x))),
        simd!(vreinterpretq_u32_s32(simd!(vshrq_n_s32::<31>(simd!(vreinterpretq_s32_u32(x)))))),
    ]
}

/// Rounds in a direction, by correcting the nearest value. Toward zero the bits count down, and an
/// infinity becomes the largest finite value.
#[inline_in_release]
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

/// Adds what carries into the upper half when that is to be rounded up.
#[inline_in_release]
fn round_bf16(x: W) -> W {
    let last = simd!(vandq_u32(simd!(vshrq_n_u32::<16>(x)), simd!(vdupq_n_u32(1))));
    simd!(vaddq_u32(simd!(vaddq_u32(x, simd!(vdupq_n_u32(0x7FFF)))), last))
}

#[inline_in_release]
impl<const FP16: bool> Engine for Neon<FP16> {
    views!();
    groups!(Lookup lookup Absent; Pieces pieces Absent;);

    fn widen_f32(self, x: W) -> [float64x2_t; 2] {
        [simd!(vcvt_f64_f32(simd!(vget_low_f32(f(x))))), simd!(vcvt_high_f64_f32(f(x)))]
    }
    fn narrow_f64(self, [low, high]: [float64x2_t; 2]) -> [W; 2] {
        let d = simd!(vcvt_high_f32_f64(simd!(vcvt_f32_f64(low)), high));
        let (low, high) = (simd!(vreinterpretq_u32_f64(low)), simd!(vreinterpretq_u32_f64(high)));
        [w(d), simd!(vuzp1q_u32(low, high))]
    }
    fn entry(self, entries: &[f32; 8], index: W) -> W {
        // SAFETY: the list is two vectors long.
        let entries = unsafe { vld1q_u8_x2(entries.as_ptr().cast()) };
        // The numbers of an entry's four bytes.
        let first = simd!(vmulq_u32(simd!(vandq_u32(index, simd!(vdupq_n_u32(7)))), simd!(vdupq_n_u32(0x0404_0404))));
        let bytes = simd!(vaddq_u32(first, simd!(vdupq_n_u32(0x0302_0100))));
        simd!(vreinterpretq_u32_u8(simd!(vqtbl2q_u8(entries, simd!(vreinterpretq_u8_u32(bytes))))))
    }
}

#[inline_in_release]
impl<const FP16: bool> Vectors for Neon<FP16> {
    type F16 = fp16::Fp16;
    groups!(Stream stream Absent;);
    const LISTS: Lists = Lists::None;
    const FINDS_NANS: bool = false;
    const FINDS_SUBNORMALS: bool = false;
    vectors_are_registers!();

    fn subnormal(self, x: W, y: W) -> W {
        subnormal::below(self, 1 << 23, x, y)
    }
    unsafe fn load_f16(self, p: *const u16) -> [W; 2] {
        // SAFETY: the caller's.
        widen_f16(unsafe { Memory::<u16>::load(self, p) })
    }
    unsafe fn store_f16(self, p: *mut u16, x: [W; 2]) {
        // SAFETY: the caller's.
        unsafe { Memory::<u16>::store(self, p, narrow_f16(x)) }
    }
    fn widen_f16(self, x: H) -> [W; 2] {
        widen_f16(x)
    }
    // The even lanes and the odd ones.
    fn widen_bf16(self, x: H) -> [W; 2] {
        let x = simd!(vreinterpretq_u32_u16(x));
        [simd!(vshlq_n_u32::<16>(x)), simd!(vandq_u32(x, simd!(vdupq_n_u32(0xFFFF_0000))))]
    }
    fn narrow_f16(self, x: [W; 2]) -> H {
        narrow_f16(x)
    }
    fn upper_halves(self, [even, odd]: [W; 2]) -> H {
        simd!(vreinterpretq_u16_u32(simd!(vsriq_n_u32::<16>(odd, even))))
    }
    fn narrow_bf16(self, [even, odd]: [W; 2]) -> H {
        self.upper_halves([round_bf16(even), round_bf16(odd)])
    }
    fn round_f16(self, rnd: Round, x: [W; 2]) -> H {
        round_directed(rnd, x)
    }
    fn widen_u16(self, x: H) -> [W; 2] {
        [simd!(vmovl_u16(simd!(vget_low_u16(x)))), simd!(vmovl_high_u16(x))]
    }
    fn narrow_u32(self, x: [W; 2]) -> H {
        lower_halves(x)
    }
    unsafe fn load_u8(self, p: *const u8) -> [W; 4] {
        // SAFETY: the caller's for the memory; a value of `Neon` exists.
        let x = unsafe { vld1q_u8(p) };
        let [a, b] = self.widen_u16(simd!(vmovl_u8(simd!(vget_low_u8(x)))));
        let [c, d] = self.widen_u16(simd!(vmovl_high_u8(x)));
        [a, b, c, d]
    }
    fn narrow_u8(self, [a, b, c, d]: [W; 4]) -> H {
        let (low, high) = (lower_halves([a, b]), lower_halves([c, d]));
        let bytes = simd!(vcombine_u8(simd!(vmovn_u16(low)), simd!(vmovn_u16(high))));
        simd!(vreinterpretq_u16_u8(bytes))
    }
    unsafe fn store_u8(self, p: *mut u8, x: H) {
        // SAFETY: the caller's for the memory; a value of `Neon` exists.
        unsafe { vst1q_u8(p, simd!(vreinterpretq_u8_u16(x))) }
    }
    fn f16(self) -> Option<fp16::Fp16> {
        fp16::Fp16::of(self)
    }
}
