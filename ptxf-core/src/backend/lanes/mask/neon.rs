//! NEON's masks are vectors: all ones in a lane for true.
// Invariant: arrays have as many bytes as the vectors that are loaded from them.

use core::arch::aarch64::*;

use super::super::neon::{Neon, at_least, f, greater};
use super::super::{Lanes, simd};
use super::Masks;

type H = uint16x8_t;
type W = uint32x4_t;

/// Lane i has bit i.
#[inline(always)]
fn bit_of_lane<const FP16: bool>(e: Neon<FP16>) -> H {
    const LANES: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the array is a vector long.
    unsafe { Lanes::<u16>::load(e, LANES.as_ptr()) }
}

impl<const FP16: bool> Masks for Neon<FP16> {
    #[inline(always)]
    fn bits(self, m: H) -> u32 {
        simd!(vaddvq_u16(simd!(vandq_u16(m, bit_of_lane(self))))).into()
    }
    #[inline(always)]
    fn of_bits(self, bits: u32) -> H {
        simd!(vtstq_u16(simd!(vdupq_n_u16(bits as u16)), bit_of_lane(self)))
    }
    #[inline(always)]
    fn all(self, m: H) -> bool {
        simd!(vminvq_u16(m)) != 0
    }
    #[inline(always)]
    fn both(self, a: H, b: H) -> H {
        simd!(vandq_u16(a, b))
    }
    #[inline(always)]
    fn except(self, a: H, b: H) -> H {
        simd!(vbicq_u16(a, b))
    }
    #[inline(always)]
    fn halves(self, m: H) -> [W; 2] {
        [simd!(vreinterpretq_u32_u16(simd!(vzip1q_u16(m, m)))), simd!(vreinterpretq_u32_u16(simd!(vzip2q_u16(m, m))))]
    }
    #[inline(always)]
    fn joined(self, [low, high]: [W; 2]) -> H {
        simd!(vuzp1q_u16(simd!(vreinterpretq_u16_u32(low)), simd!(vreinterpretq_u16_u32(high))))
    }
    #[inline(always)]
    fn less(self, a: W, b: W) -> W {
        greater(b, a)
    }
    #[inline(always)]
    fn at_most(self, a: W, b: W) -> W {
        at_least(b, a)
    }
    #[inline(always)]
    fn same(self, a: W, b: W) -> W {
        simd!(vceqq_f32(f(a), f(b)))
    }
}
