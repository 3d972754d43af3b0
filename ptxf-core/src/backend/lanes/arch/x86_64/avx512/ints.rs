//! AVX-512's integer lanes, and how they come from memory and go there.
// Invariant: a value of `Avx512` exists only where the CPU has F, BW, DQ and VL; memory under a zero bit of a mask is not touched.

use core::arch::x86_64::*;

use super::{Avx512, V, strided};
use crate::backend::lanes::engine::{Ints, Memory, Words};

macro_rules! lanes {
    (
        $bits:ident $signed:ident $mask:ident $n:literal $splat:ident $signs:ident $max:ident $min:ident $gt:ident
        $eq:ident $blend:ident $load:ident $store:ident $strided:path;
    ) => {
        #[inline_in_release]
        impl<const FP16: bool> Ints<$bits> for Avx512<FP16> {
            type V = V;
            type M = $mask;

            fn splat(self, x: $bits) -> V {
                simd!($splat(x as $signed))
            }
            instructions! {
                V => V, same => same:
                and(a b) _mm512_and_si512; or(a b) _mm512_or_si512; xor(a b) _mm512_xor_si512;
                max(a b) $max; min(a b) $min;
            }
            fn broadcast_sign(self, a: V) -> V {
                simd!($signs::<{ $bits::BITS - 1 }>(a))
            }
            instructions! {
                V => $mask, same => same:
                gt(a b) $gt; eq(a b) $eq;
            }
            fn mask_or(self, a: $mask, b: $mask) -> $mask {
                a | b
            }
            fn any(self, a: $mask) -> bool {
                a != 0
            }
            fn select(self, m: $mask, yes: V, no: V) -> V {
                simd!($blend(m, no, yes))
            }
        }

        #[inline_in_release]
        impl<const FP16: bool> Memory<$bits> for Avx512<FP16> {
            const N: usize = $n;

            unsafe fn load(self, p: *const $bits) -> V {
                // SAFETY: the caller's for the memory; a value of `Avx512` exists.
                unsafe { _mm512_loadu_si512(p.cast()) }
            }
            unsafe fn store(self, p: *mut $bits, x: V) {
                // SAFETY: the caller's for the memory; a value of `Avx512` exists.
                unsafe { _mm512_storeu_si512(p.cast(), x) }
            }
            unsafe fn load_n(self, p: *const $bits, n: usize) -> V {
                // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512`
                // exists.
                unsafe { $load((1 << n) - 1, p.cast()) }
            }
            unsafe fn store_n(self, p: *mut $bits, n: usize, x: V) {
                // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512`
                // exists.
                unsafe { $store(p.cast(), (1 << n) - 1, x) }
            }
            unsafe fn load_masked(self, p: *const $bits, bits: u32) -> V {
                // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512`
                // exists.
                unsafe { $load(bits as $mask, p.cast()) }
            }
            unsafe fn store_masked(self, p: *mut $bits, bits: u32, x: V) {
                // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512`
                // exists.
                unsafe { $store(p.cast(), bits as $mask, x) }
            }
            unsafe fn load_strided(self, p: *const $bits, step: i32) -> V {
                // SAFETY: the caller's.
                unsafe { $strided(p, step) }
            }
        }
    };
}

lanes!(u16 i16 __mmask32 32 _mm512_set1_epi16 _mm512_srai_epi16 _mm512_max_epi16 _mm512_min_epi16
    _mm512_cmpgt_epi16_mask _mm512_cmpeq_epi16_mask _mm512_mask_blend_epi16 _mm512_maskz_loadu_epi16
    _mm512_mask_storeu_epi16 strided::halves;);
lanes!(u32 i32 __mmask16 16 _mm512_set1_epi32 _mm512_srai_epi32 _mm512_max_epi32 _mm512_min_epi32
    _mm512_cmpgt_epi32_mask _mm512_cmpeq_epi32_mask _mm512_mask_blend_epi32 _mm512_maskz_loadu_epi32
    _mm512_mask_storeu_epi32 strided::words;);

#[inline_in_release]
impl<const FP16: bool> Words for Avx512<FP16> {
    fn add(self, a: V, b: V) -> V {
        simd!(_mm512_add_epi32(a, b))
    }
    fn shl(self, a: V, k: u32) -> V {
        simd!(_mm512_sll_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
    fn shr(self, a: V, k: u32) -> V {
        simd!(_mm512_srl_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
}
