//! NEON's masks are vectors: all ones in a lane for true.

use core::arch::aarch64::*;

use super::{H, Neon, W};
use crate::backend::lanes::engine::{Masks, Memory};

/// Lane i has bit i.
#[inline_in_release]
fn bit_of_lane<const FP16: bool>(e: Neon<FP16>) -> H {
    const LANES: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    Memory::<u16>::read(e, &LANES)
}

#[inline_in_release]
impl<const FP16: bool> Masks for Neon<FP16> {
    fn mask_to_bits(self, m: H) -> u32 {
        simd!(vaddvq_u16(simd!(vandq_u16(m, bit_of_lane(self))))).into()
    }
    fn mask_from_bits(self, bits: u32) -> H {
        simd!(vtstq_u16(simd!(vdupq_n_u16(bits as u16)), bit_of_lane(self)))
    }
    fn all(self, m: H) -> bool {
        simd!(vminvq_u16(m)) != 0
    }
    fn mask_and(self, a: H, b: H) -> H {
        simd!(vandq_u16(a, b))
    }
    fn mask_and_not(self, a: H, b: H) -> H {
        simd!(vbicq_u16(a, b))
    }
    fn widen_mask(self, m: H) -> [W; 2] {
        [simd!(vreinterpretq_u32_u16(simd!(vzip1q_u16(m, m)))), simd!(vreinterpretq_u32_u16(simd!(vzip2q_u16(m, m))))]
    }
    fn narrow_mask(self, [low, high]: [W; 2]) -> H {
        simd!(vuzp1q_u16(simd!(vreinterpretq_u16_u32(low)), simd!(vreinterpretq_u16_u32(high))))
    }
}
