//! AVX2's masks are vectors: all ones in a lane for true.
// Invariant: arrays have as many bytes as the vectors that are loaded from them.

use core::arch::x86_64::*;

use super::super::avx2::Avx2;
use super::super::{Lanes, simd};
use super::Masks;

type V = __m256i;

#[inline(always)]
fn f(x: V) -> __m256 {
    simd!(_mm256_castsi256_ps(x))
}

#[inline(always)]
fn v(x: __m256) -> V {
    simd!(_mm256_castps_si256(x))
}

impl Masks for Avx2 {
    #[inline(always)]
    fn bits(self, m: V) -> u32 {
        // Packing works within halves of the register: bits 0 to 7 and 16 to 23.
        let bytes = simd!(_mm256_packs_epi16(m, simd!(_mm256_setzero_si256())));
        let bits = simd!(_mm256_movemask_epi8(bytes)) as u32;
        (bits | bits >> 8) & 0xFFFF
    }
    #[inline(always)]
    fn of_bits(self, bits: u32) -> V {
        // Lane i has bit i.
        const LANES: [u16; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 1 << 14, 1 << 15];
        // SAFETY: the array is a vector long.
        let lanes = unsafe { Lanes::<u16>::load(self, LANES.as_ptr()) };
        simd!(_mm256_cmpeq_epi16(simd!(_mm256_and_si256(simd!(_mm256_set1_epi16(bits as i16)), lanes)), lanes))
    }
    #[inline(always)]
    fn all(self, m: V) -> bool {
        simd!(_mm256_movemask_epi8(m)) == -1
    }
    #[inline(always)]
    fn both(self, a: V, b: V) -> V {
        simd!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn except(self, a: V, b: V) -> V {
        simd!(_mm256_andnot_si256(b, a))
    }
    #[inline(always)]
    fn halves(self, m: V) -> [V; 2] {
        let (low, high) = (simd!(_mm256_castsi256_si128(m)), simd!(_mm256_extracti128_si256::<1>(m)));
        [simd!(_mm256_cvtepi16_epi32(low)), simd!(_mm256_cvtepi16_epi32(high))]
    }
    #[inline(always)]
    fn joined(self, [low, high]: [V; 2]) -> V {
        simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(simd!(_mm256_packs_epi32(low, high))))
    }
    #[inline(always)]
    fn less(self, a: V, b: V) -> V {
        v(simd!(_mm256_cmp_ps::<_CMP_LT_OQ>(f(a), f(b))))
    }
    #[inline(always)]
    fn at_most(self, a: V, b: V) -> V {
        v(simd!(_mm256_cmp_ps::<_CMP_LE_OQ>(f(a), f(b))))
    }
    #[inline(always)]
    fn same(self, a: V, b: V) -> V {
        v(simd!(_mm256_cmp_ps::<_CMP_EQ_OQ>(f(a), f(b))))
    }
}
