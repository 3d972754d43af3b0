//! AVX2's masks are vectors: all ones in a lane for true.

use core::arch::x86_64::*;

use super::{Avx2, V, high, low};
use crate::backend::lanes::engine::{Masks, Memory};

#[inline_in_release]
impl Masks for Avx2 {
    fn mask_to_bits(self, m: V) -> u32 {
        // Packing works within halves of the register: bits 0 to 7 and 16 to 23.
        let bytes = simd!(_mm256_packs_epi16(m, simd!(_mm256_setzero_si256())));
        let bits = simd!(_mm256_movemask_epi8(bytes)) as u32;
        (bits | bits >> 8) & 0xFFFF
    }
    fn mask_from_bits(self, bits: u32) -> V {
        // Lane i has bit i.
        const LANES: [u16; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 1 << 14, 1 << 15];
        let lanes = Memory::<u16>::read(self, &LANES);
        simd!(_mm256_cmpeq_epi16(simd!(_mm256_and_si256(simd!(_mm256_set1_epi16(bits as i16)), lanes)), lanes))
    }
    fn all(self, m: V) -> bool {
        simd!(_mm256_movemask_epi8(m)) == -1
    }
    fn mask_and(self, a: V, b: V) -> V {
        simd!(_mm256_and_si256(a, b))
    }
    fn mask_and_not(self, a: V, b: V) -> V {
        simd!(_mm256_andnot_si256(b, a))
    }
    fn widen_mask(self, m: V) -> [V; 2] {
        [simd!(_mm256_cvtepi16_epi32(low(m))), simd!(_mm256_cvtepi16_epi32(high(m)))]
    }
    fn narrow_mask(self, [low, high]: [V; 2]) -> V {
        simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(simd!(_mm256_packs_epi32(low, high))))
    }
}
