//! AVX-512's masks are numbers already.

use core::arch::x86_64::*;

use super::Avx512;
use crate::backend::lanes::engine::Masks;

#[inline_in_release]
impl<const FP16: bool> Masks for Avx512<FP16> {
    fn mask_to_bits(self, m: __mmask32) -> u32 {
        m
    }
    fn mask_from_bits(self, bits: u32) -> __mmask32 {
        bits
    }
    fn all(self, m: __mmask32) -> bool {
        m == !0
    }
    fn mask_and(self, a: __mmask32, b: __mmask32) -> __mmask32 {
        a & b
    }
    fn mask_and_not(self, a: __mmask32, b: __mmask32) -> __mmask32 {
        a & !b
    }
    fn widen_mask(self, m: __mmask32) -> [__mmask16; 2] {
        [m as __mmask16, (m >> 16) as __mmask16]
    }
    fn narrow_mask(self, [low, high]: [__mmask16; 2]) -> __mmask32 {
        __mmask32::from(low) | __mmask32::from(high) << 16
    }
}
