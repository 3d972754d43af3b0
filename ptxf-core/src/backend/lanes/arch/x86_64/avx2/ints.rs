//! AVX2's integer lanes, and how they come from memory and go there.
// Invariant: a value of `Avx2` exists only where the CPU has AVX2, FMA and F16C; pointers are valid for the lanes that a call names.

use core::arch::x86_64::*;

use super::{Avx2, V, strided};
use crate::backend::lanes::engine::{Ints, Memory, Words};
use crate::backend::lanes::lane_memory;

macro_rules! lanes {
    ($bits:ident $signed:ident $n:literal $splat:ident $signs:ident $max:ident $min:ident $gt:ident $eq:ident
        $load_masked:path, $store_masked:path, $strided:path) => {
        #[inline_in_release]
        impl Ints<$bits> for Avx2 {
            type V = V;
            /// All ones for true.
            type M = V;

            fn splat(self, x: $bits) -> V {
                simd!($splat(x as $signed))
            }
            instructions! {
                V => V, same => same:
                and(a b) _mm256_and_si256; or(a b) _mm256_or_si256; xor(a b) _mm256_xor_si256;
                max(a b) $max; min(a b) $min; gt(a b) $gt; eq(a b) $eq; mask_or(a b) _mm256_or_si256;
            }
            fn broadcast_sign(self, a: V) -> V {
                simd!($signs::<{ $bits::BITS as i32 - 1 }>(a))
            }
            fn any(self, a: V) -> bool {
                simd!(_mm256_testz_si256(a, a)) == 0
            }
            fn select(self, m: V, yes: V, no: V) -> V {
                simd!(_mm256_blendv_epi8(no, yes, m))
            }
        }

        #[inline_in_release]
        impl Memory<$bits> for Avx2 {
            const N: usize = $n;

            unsafe fn load(self, p: *const $bits) -> V {
                // SAFETY: the caller's for the memory; a value of `Avx2` exists.
                unsafe { _mm256_loadu_si256(p.cast()) }
            }
            unsafe fn store(self, p: *mut $bits, x: V) {
                // SAFETY: the caller's for the memory; a value of `Avx2` exists.
                unsafe { _mm256_storeu_si256(p.cast(), x) }
            }
            unsafe fn load_n(self, p: *const $bits, n: usize) -> V {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_n(self, p, n) }
            }
            unsafe fn store_n(self, p: *mut $bits, n: usize, x: V) {
                // SAFETY: the caller's.
                unsafe { lane_memory::store_n(self, p, n, x) }
            }
            unsafe fn load_masked(self, p: *const $bits, bits: u32) -> V {
                // SAFETY: the caller's.
                unsafe { $load_masked(self, p, bits) }
            }
            unsafe fn store_masked(self, p: *mut $bits, bits: u32, x: V) {
                // SAFETY: the caller's.
                unsafe { $store_masked(self, p, bits, x) }
            }
            unsafe fn load_strided(self, p: *const $bits, step: i32) -> V {
                // SAFETY: the caller's.
                unsafe { $strided(p, step) }
            }
        }
    };
}

lanes!(u16 i16 16 _mm256_set1_epi16 _mm256_srai_epi16
    _mm256_max_epi16 _mm256_min_epi16 _mm256_cmpgt_epi16 _mm256_cmpeq_epi16
    lane_memory::load_masked, lane_memory::store_masked, strided::halves);
lanes!(u32 i32 8 _mm256_set1_epi32 _mm256_srai_epi32
    _mm256_max_epi32 _mm256_min_epi32 _mm256_cmpgt_epi32 _mm256_cmpeq_epi32
    words::load_masked, words::store_masked, strided::words);

/// Lanes of 32 bits under a mask, for which there are instructions.
mod words {
    use super::*;

    /// The sign of each lane says whether it is accessed.
    #[inline_in_release]
    fn mask(bits: u32) -> V {
        // Lane i has bit i at the place of the sign.
        const PLACES: [u32; 8] = [31, 30, 29, 28, 27, 26, 25, 24];
        // SAFETY: the list is a vector long; a value of `Avx2` exists.
        let places = unsafe { _mm256_loadu_si256(PLACES.as_ptr().cast()) };
        simd!(_mm256_sllv_epi32(simd!(_mm256_set1_epi32(bits as i32)), places))
    }

    /// # Safety
    /// `p` is valid for reading the lanes of `bits`.
    #[inline_in_release]
    pub(super) unsafe fn load_masked(_: Avx2, p: *const u32, bits: u32) -> V {
        // SAFETY: other lanes are not touched; a value of `Avx2` exists.
        unsafe { _mm256_maskload_epi32(p.cast(), mask(bits)) }
    }

    /// # Safety
    /// `p` is valid for writing the lanes of `bits`.
    #[inline_in_release]
    pub(super) unsafe fn store_masked(_: Avx2, p: *mut u32, bits: u32, x: V) {
        // SAFETY: other lanes are not touched; a value of `Avx2` exists.
        unsafe { _mm256_maskstore_epi32(p.cast(), mask(bits), x) }
    }
}

#[inline_in_release]
impl Words for Avx2 {
    fn add(self, a: V, b: V) -> V {
        simd!(_mm256_add_epi32(a, b))
    }
    fn shl(self, a: V, k: u32) -> V {
        simd!(_mm256_sll_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
    fn shr(self, a: V, k: u32) -> V {
        simd!(_mm256_srl_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
}
