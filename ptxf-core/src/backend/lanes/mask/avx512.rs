//! AVX-512's masks are numbers already, and guard its memory operations.
// Invariant: memory under a zero bit of a mask is not touched; the lanes of the others are valid.

use core::arch::x86_64::*;

use super::super::avx512::Avx512;
use super::super::simd;
use super::Masks;

type V = __m512i;

#[inline(always)]
fn f(x: V) -> __m512 {
    simd!(_mm512_castsi512_ps(x))
}

impl Masks for Avx512 {
    #[inline(always)]
    fn bits(self, m: __mmask32) -> u32 {
        m
    }
    #[inline(always)]
    fn of_bits(self, bits: u32) -> __mmask32 {
        bits
    }
    #[inline(always)]
    fn all(self, m: __mmask32) -> bool {
        m == !0
    }
    #[inline(always)]
    fn both(self, a: __mmask32, b: __mmask32) -> __mmask32 {
        a & b
    }
    #[inline(always)]
    fn except(self, a: __mmask32, b: __mmask32) -> __mmask32 {
        a & !b
    }
    #[inline(always)]
    fn halves(self, m: __mmask32) -> [__mmask16; 2] {
        [m as __mmask16, (m >> 16) as __mmask16]
    }
    #[inline(always)]
    fn joined(self, [low, high]: [__mmask16; 2]) -> __mmask32 {
        __mmask32::from(low) | __mmask32::from(high) << 16
    }
    #[inline(always)]
    fn less(self, a: V, b: V) -> __mmask16 {
        simd!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(f(a), f(b)))
    }
    #[inline(always)]
    fn at_most(self, a: V, b: V) -> __mmask16 {
        simd!(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(f(a), f(b)))
    }
    #[inline(always)]
    fn same(self, a: V, b: V) -> __mmask16 {
        simd!(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>(f(a), f(b)))
    }

    #[inline(always)]
    unsafe fn load_some_h(self, p: *const u16, bits: u32) -> V {
        // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512` exists.
        unsafe { _mm512_maskz_loadu_epi16(bits, p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_some_h(self, p: *mut u16, bits: u32, x: V) {
        // SAFETY: as above.
        unsafe { _mm512_mask_storeu_epi16(p.cast(), bits, x) }
    }
    #[inline(always)]
    unsafe fn load_some_w(self, p: *const u32, bits: u32) -> V {
        // SAFETY: as above.
        unsafe { _mm512_maskz_loadu_epi32(bits as __mmask16, p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_some_w(self, p: *mut u32, bits: u32, x: V) {
        // SAFETY: as above.
        unsafe { _mm512_mask_storeu_epi32(p.cast(), bits as __mmask16, x) }
    }
}
