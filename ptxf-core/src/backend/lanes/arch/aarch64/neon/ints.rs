//! NEON's integer lanes, and how they come from memory and go there.
// Invariant: a value of `Neon` exists only where the CPU has NEON; pointers are valid for the lanes that a call names.

use core::arch::aarch64::*;

use super::Neon;
use crate::backend::lanes::engine::{Ints, Memory, Words};
use crate::backend::lanes::lane_memory;

macro_rules! lanes {
    (
        $bits:ident $v:ident $n:literal $load:ident $store:ident $splat:ident $and:ident $or:ident $xor:ident
        $signed:ident $unsigned:ident $shift:ident $max:ident $min:ident $gt:ident $eq:ident $any:ident $select:ident
    ) => {
        #[inline_in_release]
        impl<const FP16: bool> Ints<$bits> for Neon<FP16> {
            type V = $v;
            /// All ones for true.
            type M = $v;

            fn splat(self, x: $bits) -> $v {
                simd!($splat(x))
            }
            instructions! {
                $v => $v, same => same:
                and(a b) $and; or(a b) $or; xor(a b) $xor; eq(a b) $eq; mask_or(a b) $or;
            }
            fn broadcast_sign(self, a: $v) -> $v {
                simd!($unsigned(simd!($shift::<{ $bits::BITS as i32 - 1 }>(simd!($signed(a))))))
            }
            fn max(self, a: $v, b: $v) -> $v {
                simd!($unsigned(simd!($max(simd!($signed(a)), simd!($signed(b))))))
            }
            fn min(self, a: $v, b: $v) -> $v {
                simd!($unsigned(simd!($min(simd!($signed(a)), simd!($signed(b))))))
            }
            fn gt(self, a: $v, b: $v) -> $v {
                simd!($gt(simd!($signed(a)), simd!($signed(b))))
            }
            fn any(self, a: $v) -> bool {
                simd!($any(a)) != 0
            }
            fn select(self, m: $v, yes: $v, no: $v) -> $v {
                simd!($select(m, yes, no))
            }
        }

        #[inline_in_release]
        impl<const FP16: bool> Memory<$bits> for Neon<FP16> {
            const N: usize = $n;

            unsafe fn load(self, p: *const $bits) -> $v {
                // SAFETY: the caller's for the memory; a value of `Neon` exists.
                unsafe { $load(p) }
            }
            unsafe fn store(self, p: *mut $bits, x: $v) {
                // SAFETY: the caller's for the memory; a value of `Neon` exists.
                unsafe { $store(p, x) }
            }
            unsafe fn load_n(self, p: *const $bits, n: usize) -> $v {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_n(self, p, n) }
            }
            unsafe fn store_n(self, p: *mut $bits, n: usize, x: $v) {
                // SAFETY: the caller's.
                unsafe { lane_memory::store_n(self, p, n, x) }
            }
            unsafe fn load_masked(self, p: *const $bits, bits: u32) -> $v {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_masked(self, p, bits) }
            }
            unsafe fn store_masked(self, p: *mut $bits, bits: u32, x: $v) {
                // SAFETY: the caller's.
                unsafe { lane_memory::store_masked(self, p, bits, x) }
            }
            unsafe fn load_strided(self, p: *const $bits, step: i32) -> $v {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_strided(self, p, step) }
            }
        }
    };
}

lanes!(u16 uint16x8_t 8 vld1q_u16 vst1q_u16 vdupq_n_u16 vandq_u16 vorrq_u16 veorq_u16
    vreinterpretq_s16_u16 vreinterpretq_u16_s16 vshrq_n_s16 vmaxq_s16 vminq_s16 vcgtq_s16 vceqq_u16 vmaxvq_u16 vbslq_u16);
lanes!(u32 uint32x4_t 4 vld1q_u32 vst1q_u32 vdupq_n_u32 vandq_u32 vorrq_u32 veorq_u32
    vreinterpretq_s32_u32 vreinterpretq_u32_s32 vshrq_n_s32 vmaxq_s32 vminq_s32 vcgtq_s32 vceqq_u32 vmaxvq_u32 vbslq_u32);

#[inline_in_release]
impl<const FP16: bool> Words for Neon<FP16> {
    fn add(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        simd!(vaddq_u32(a, b))
    }
    fn shl(self, a: uint32x4_t, k: u32) -> uint32x4_t {
        simd!(vshlq_u32(a, simd!(vdupq_n_s32(k as i32))))
    }
    fn shr(self, a: uint32x4_t, k: u32) -> uint32x4_t {
        simd!(vshlq_u32(a, simd!(vdupq_n_s32(-(k as i32)))))
    }
}
