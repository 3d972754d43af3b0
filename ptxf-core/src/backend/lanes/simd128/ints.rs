//! Integer lanes, and how they come from memory and go there.
// Invariant: pointers are valid for the lanes that a call names.

use wide::bytemuck::cast;
use wide::{i16x8, i32x4, u16x8, u32x4};

use super::{Simd128, W};
use crate::backend::lanes::engine::{Ints, Memory, Words, operators};
use crate::backend::lanes::lane_memory;

macro_rules! lanes {
    ($bits:ident $unsigned:ident $signed:ident $n:literal) => {
        #[inline_in_release]
        impl Ints<$bits> for Simd128 {
            type V = $unsigned;
            /// All ones for true.
            type M = $unsigned;

            fn splat(self, x: $bits) -> $unsigned {
                $unsigned::splat(x)
            }
            operators!($unsigned, [same] => [same]: and & or | xor ^ mask_or |);
            fn broadcast_sign(self, a: $unsigned) -> $unsigned {
                cast(cast::<_, $signed>(a) >> ($bits::BITS - 1))
            }
            fn max(self, a: $unsigned, b: $unsigned) -> $unsigned {
                cast(cast::<_, $signed>(a).max(cast(b)))
            }
            fn min(self, a: $unsigned, b: $unsigned) -> $unsigned {
                cast(cast::<_, $signed>(a).min(cast(b)))
            }
            fn gt(self, a: $unsigned, b: $unsigned) -> $unsigned {
                cast(cast::<_, $signed>(a).simd_gt(cast::<_, $signed>(b)))
            }
            fn eq(self, a: $unsigned, b: $unsigned) -> $unsigned {
                a.simd_eq(b)
            }
            fn any(self, m: $unsigned) -> bool {
                m.any()
            }
            fn select(self, m: $unsigned, yes: $unsigned, no: $unsigned) -> $unsigned {
                m.bitselect(yes, no)
            }
        }

        #[inline_in_release]
        impl Memory<$bits> for Simd128 {
            const N: usize = $n;

            unsafe fn load(self, p: *const $bits) -> $unsigned {
                // SAFETY: the caller's.
                $unsigned::new(unsafe { p.cast::<[$bits; $n]>().read_unaligned() })
            }
            unsafe fn store(self, p: *mut $bits, x: $unsigned) {
                // SAFETY: the caller's.
                unsafe { p.cast::<[$bits; $n]>().write_unaligned(x.to_array()) }
            }
            unsafe fn load_n(self, p: *const $bits, n: usize) -> $unsigned {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_n(self, p, n) }
            }
            unsafe fn store_n(self, p: *mut $bits, n: usize, x: $unsigned) {
                // SAFETY: the caller's.
                unsafe { lane_memory::store_n(self, p, n, x) }
            }
            unsafe fn load_masked(self, p: *const $bits, bits: u32) -> $unsigned {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_masked(self, p, bits) }
            }
            unsafe fn store_masked(self, p: *mut $bits, bits: u32, x: $unsigned) {
                // SAFETY: the caller's.
                unsafe { lane_memory::store_masked(self, p, bits, x) }
            }
            unsafe fn load_strided(self, p: *const $bits, step: i32) -> $unsigned {
                // SAFETY: the caller's.
                unsafe { lane_memory::load_strided(self, p, step) }
            }
        }
    };
}

lanes!(u16 u16x8 i16x8 8);
lanes!(u32 u32x4 i32x4 4);

#[inline_in_release]
impl Words for Simd128 {
    fn add(self, a: W, b: W) -> W {
        a + b
    }
    fn shl(self, a: W, k: u32) -> W {
        a << k
    }
    fn shr(self, a: W, k: u32) -> W {
        a >> k
    }
}
