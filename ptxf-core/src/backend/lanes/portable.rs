//! Arrays of lanes in plain Rust, which compilers turn into the vectors of the build's baseline.

use super::{End, Engine, Lanes, double};
use crate::modifiers::Round;

/// Any CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// 32-bit lanes of a vector.
const N: usize = 8;
type V = [u32; N];

macro_rules! lanes {
    ($bits:ident $signed:ident $n:expr) => {
        impl Lanes<$bits> for Portable {
            type V = [$bits; $n];
            /// All ones for true.
            type M = [$bits; $n];
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(self, p: *const $bits) -> Self::V {
                // SAFETY: the caller's; the pointer need not be aligned to anything.
                unsafe { p.cast::<Self::V>().read_unaligned() }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $bits, x: Self::V) {
                // SAFETY: the caller's.
                unsafe { p.cast::<Self::V>().write_unaligned(x) }
            }
            #[inline(always)]
            unsafe fn load_part(self, p: *const $bits, n: usize) -> Self::V {
                let mut x = [0; $n];
                // SAFETY: the caller's for the source; `n` is below the array's length.
                unsafe { p.copy_to_nonoverlapping(x.as_mut_ptr(), n) }
                x
            }
            #[inline(always)]
            unsafe fn store_part(self, p: *mut $bits, n: usize, x: Self::V) {
                // SAFETY: the caller's for the destination; `n` is below the array's length.
                unsafe { x.as_ptr().copy_to_nonoverlapping(p, n) }
            }
            #[inline(always)]
            fn splat(self, x: $bits) -> Self::V {
                [x; $n]
            }
            #[inline(always)]
            fn and(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, |a, b| a & b)
            }
            #[inline(always)]
            fn or(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, |a, b| a | b)
            }
            #[inline(always)]
            fn xor(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, |a, b| a ^ b)
            }
            #[inline(always)]
            fn signs(self, a: Self::V) -> Self::V {
                a.map(|a| ((a as $signed) >> ($bits::BITS - 1)) as $bits)
            }
            #[inline(always)]
            fn larger(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, |a, b| (a as $signed).max(b as $signed) as $bits)
            }
            #[inline(always)]
            fn smaller(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, |a, b| (a as $signed).min(b as $signed) as $bits)
            }
            #[inline(always)]
            fn above(self, a: Self::V, b: Self::V) -> Self::M {
                map2(a, b, |a, b| if a as $signed > b as $signed { !0 } else { 0 })
            }
            #[inline(always)]
            fn equal(self, a: Self::V, b: Self::V) -> Self::M {
                map2(a, b, |a, b| if a == b { !0 } else { 0 })
            }
            #[inline(always)]
            fn either(self, a: Self::M, b: Self::M) -> Self::M {
                map2(a, b, |a, b| a | b)
            }
            #[inline(always)]
            fn any(self, a: Self::M) -> bool {
                a.into_iter().fold(0, |all, a| all | a) != 0
            }
            #[inline(always)]
            fn select(self, m: Self::M, yes: Self::V, no: Self::V) -> Self::V {
                core::array::from_fn(|i| yes[i] & m[i] | no[i] & !m[i])
            }
        }
    };
}

lanes!(u16 i16 2 * N);
lanes!(u32 i32 N);

#[inline(always)]
fn map2<T: Copy, const L: usize>(a: [T; L], b: [T; L], f: impl Fn(T, T) -> T) -> [T; L] {
    core::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn map3<T: Copy, const L: usize>(a: [T; L], b: [T; L], c: [T; L], f: impl Fn(T, T, T) -> T) -> [T; L] {
    core::array::from_fn(|i| f(a[i], b[i], c[i]))
}

/// `f` on the values of binary32 lanes.
#[inline(always)]
fn floats(a: V, b: V, f: impl Fn(f32, f32) -> f32) -> V {
    map2(a, b, |a, b| f(f32::from_bits(a), f32::from_bits(b)).to_bits())
}

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline(always)]
fn fma_to_odd(a: u32, b: u32, c: u32) -> u32 {
    let (p, c) = (f32::from_bits(a) * f32::from_bits(b), f32::from_bits(c));
    let s = p + c;
    let z = s - p;
    let error = (p - (s - z)) + (c - z);
    // As `double::sum_to_odd`.
    let inexact = (error < 0.0 || error > 0.0) as u32;
    let beyond = (error.to_bits() ^ s.to_bits()) >> 31;
    (s.to_bits() - (inexact & beyond)) | inexact
}

/// Whether binary32 holds the product of the bf16 values: it has 16 bits, so it must not be near either end.
#[inline(always)]
fn exact_product(a: u32, b: u32) -> bool {
    let p = (f32::from_bits(a) * f32::from_bits(b)).abs();
    (p >= f32::MIN_POSITIVE && p < 1.7e38) || ((a << 1) == 0) || ((b << 1) == 0)
}

#[inline(always)]
fn widen_f16(x: u16) -> u32 {
    let x = u32::from(x);
    // Exact for subnormals too; the exponent of infinities and NaN is missing afterwards.
    let value = f32::from_bits((x & 0x7FFF) << 13) * f32::from_bits((127 + 112) << 23);
    let special = if x & 0x7C00 == 0x7C00 { 0x7F80_0000 } else { 0 };
    value.to_bits() | special | (x & 0x8000) << 16
}

#[inline(always)]
fn narrow_f16(x: u32) -> u16 {
    let magnitude = x & 0x7FFF_FFFF;
    let normal = (magnitude.wrapping_sub(112 << 23)).wrapping_add(0xFFF + (x >> 13 & 1)) >> 13;
    // Infinity beyond the largest finite value; a NaN keeps all its ones.
    let large = if magnitude > 0x7F80_0000 { 0x7FFF } else { normal.min(0x7C00) };
    // The sum with 2^(-24+23) has the smallest subnormal as its unit.
    let unit = f32::from_bits((127 - 1) << 23);
    let small = (f32::from_bits(magnitude) + unit).to_bits().wrapping_sub(unit.to_bits());
    let d = if magnitude < 113 << 23 { small } else { large };
    (d | (x >> 16 & 0x8000)) as u16
}

#[inline(always)]
fn narrow_bf16(x: u32) -> u16 {
    (x.wrapping_add(0x7FFF + (x >> 16 & 1)) >> 16) as u16
}

impl Engine for Portable {
    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        floats(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        floats(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        floats(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn fma_f16(self, a: V, b: V, c: V) -> V {
        map3(a, b, c, fma_to_odd)
    }
    #[inline(always)]
    fn fma_bf16(self, a: V, b: V, c: V) -> V {
        if (0..N).fold(true, |all, i| all & exact_product(a[i], b[i])) {
            map3(a, b, c, fma_to_odd)
        } else {
            map3(a, b, c, double::fma_bf16)
        }
    }
    #[inline(always)]
    fn add_f32(self, rnd: Round, a: V, b: V) -> V {
        if rnd == Round::Rn { self.add(a, b) } else { map2(a, b, |a, b| double::add_f32(rnd, a, b)) }
    }
    #[inline(always)]
    fn mul_f32(self, rnd: Round, a: V, b: V) -> V {
        if rnd == Round::Rn { self.mul(a, b) } else { map2(a, b, |a, b| double::mul_f32(rnd, a, b)) }
    }
    #[inline(always)]
    fn fma_f32(self, rnd: Round, a: V, b: V, c: V) -> V {
        map3(a, b, c, |a, b, c| double::fma_f32(rnd, a, b, c))
    }
    #[inline(always)]
    fn finish(self, end: End, nan: u32, x: V) -> V {
        x.map(|x| {
            let value = f32::from_bits(x);
            // Written as the comparisons that SSE's and NEON's selections are.
            let positive = if value > 0.0 { value } else { 0.0 };
            match end {
                End::Plain if value.is_nan() => nan,
                End::Plain => x,
                End::Relu if value.is_nan() => nan,
                End::Relu => positive.to_bits(),
                End::Sat => (if positive < 1.0 { positive } else { 1.0 }).to_bits(),
            }
        })
    }
    #[inline(always)]
    fn widen_f16(self, x: [u16; 2 * N]) -> [V; 2] {
        [0, N].map(|half| core::array::from_fn(|i| widen_f16(x[half + i])))
    }
    #[inline(always)]
    fn widen_bf16(self, x: [u16; 2 * N]) -> [V; 2] {
        [0, N].map(|half| core::array::from_fn(|i| u32::from(x[half + i]) << 16))
    }
    #[inline(always)]
    fn narrow_f16(self, x: [V; 2]) -> [u16; 2 * N] {
        core::array::from_fn(|i| narrow_f16(x[i / N][i % N]))
    }
    #[inline(always)]
    fn narrow_bf16(self, x: [V; 2]) -> [u16; 2 * N] {
        core::array::from_fn(|i| narrow_bf16(x[i / N][i % N]))
    }
}
