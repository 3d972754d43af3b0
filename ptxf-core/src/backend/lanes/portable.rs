//! The portable engine: one lane at a time and without a branch, in loops over blocks that
//! compilers turn into vectors of the build's baseline where it has any. Where `simd128` is, next
//! door, slices take that.
//!
//! Loops of scalars vectorise where arrays of lanes do not: with 8 lanes per value the optimizer
//! leaves `add.f16` at 2.9 ns per element; as a loop it takes half of that.

use super::engine::{Doubles, End, Engine, Floats, Ints, Words, groups, operators, views};
use super::{in_binary64, rounding};
#[cfg(not(feature = "std"))]
use crate::format::Binary32;
use crate::modifiers::Round;
#[cfg(not(feature = "std"))]
use crate::scalar;

/// Any CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// `true` if the build's baseline has vectors of floats. Otherwise integer code is faster than
/// software floats.
pub(crate) const HAS_FLOATS: bool = cfg!(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
));

macro_rules! lanes {
    ($bits:ident $signed:ident) => {
        #[inline_in_release]
        impl Ints<$bits> for Portable {
            type V = $bits;
            type M = bool;

            fn splat(self, x: $bits) -> $bits {
                x
            }
            operators!($bits, [same] => [same]: and & or | xor ^);
            fn broadcast_sign(self, a: $bits) -> $bits {
                ((a as $signed) >> ($bits::BITS - 1)) as $bits
            }
            fn max(self, a: $bits, b: $bits) -> $bits {
                (a as $signed).max(b as $signed) as $bits
            }
            fn min(self, a: $bits, b: $bits) -> $bits {
                (a as $signed).min(b as $signed) as $bits
            }
            fn gt(self, a: $bits, b: $bits) -> bool {
                a as $signed > b as $signed
            }
            fn eq(self, a: $bits, b: $bits) -> bool {
                a == b
            }
            fn mask_or(self, a: bool, b: bool) -> bool {
                a | b
            }
            fn any(self, m: bool) -> bool {
                m
            }
            fn select(self, m: bool, yes: $bits, no: $bits) -> $bits {
                if m { yes } else { no }
            }
        }
    };
}

lanes!(u16 i16);
lanes!(u32 i32);

/// `f` on the values of binary32 lanes.
#[inline_in_release]
fn floats(a: u32, b: u32, f: impl Fn(f32, f32) -> f32) -> u32 {
    f(f32::from_bits(a), f32::from_bits(b)).to_bits()
}

/// `d`, but `b` if `a` is a NaN.
///
/// A comparison says that by itself, but on AArch64 LLVM makes of it an instruction that returns a
/// signaling NaN made quiet: see `cmp` of f32 in kernel/element.rs.
#[inline_in_release]
fn unless_nan(a: u32, b: u32, d: u32) -> u32 {
    if a & 0x7FFF_FFFF > 0x7F80_0000 { b } else { d }
}

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline_in_release]
fn fma_to_odd(a: u32, b: u32, c: u32) -> u32 {
    let (p, c) = (f32::from_bits(a) * f32::from_bits(b), f32::from_bits(c));
    let s = p + c;
    let z = s - p;
    let error = (p - (s - z)) + (c - z);
    // As `double::sum_to_odd`.
    let inexact = (error.abs() > 0.0) as u32;
    let beyond = (error.to_bits() ^ s.to_bits()) >> 31;
    (s.to_bits() - (inexact & beyond)) | inexact
}

#[inline_in_release]
impl Words for Portable {
    fn add(self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
    fn shl(self, a: u32, k: u32) -> u32 {
        a << k
    }
    fn shr(self, a: u32, k: u32) -> u32 {
        a >> k
    }
}

#[inline_in_release]
impl Floats for Portable {
    type V = u32;
    type M = bool;
    groups!(Directed directed Absent;);
    const FUSED: bool = false;

    fn splat(self, x: f32) -> u32 {
        x.to_bits()
    }
    operators!(u32, [f32::from_bits] => [f32::to_bits]: add + sub - mul * div /);
    fn mul_add(self, a: u32, b: u32, c: u32) -> u32 {
        Floats::add(self, Floats::mul(self, a, b), c)
    }
    fn max(self, a: u32, b: u32) -> u32 {
        unless_nan(a, b, floats(a, b, |a, b| if a > b { a } else { b }))
    }
    fn min(self, a: u32, b: u32) -> u32 {
        unless_nan(a, b, floats(a, b, |a, b| if a < b { a } else { b }))
    }
    fn lt(self, a: u32, b: u32) -> bool {
        f32::from_bits(a) < f32::from_bits(b)
    }
    fn le(self, a: u32, b: u32) -> bool {
        f32::from_bits(a) <= f32::from_bits(b)
    }
    fn eq(self, a: u32, b: u32) -> bool {
        f32::from_bits(a) == f32::from_bits(b)
    }
    fn unordered(self, a: u32, b: u32) -> bool {
        f32::from_bits(a).is_nan() || f32::from_bits(b).is_nan()
    }
    fn fma_f16(self, a: u32, b: u32, c: u32) -> u32 {
        fma_to_odd(a, b, c)
    }
    fn fma_bf16(self, a: u32, b: u32, c: u32) -> u32 {
        in_binary64::fma_bf16(a, b, c)
    }
    fn add_rnd(self, rnd: Round, a: u32, b: u32) -> u32 {
        if rnd == Round::Rn { Floats::add(self, a, b) } else { in_binary64::add_f32(rnd, a, b) }
    }
    fn mul_rnd(self, rnd: Round, a: u32, b: u32) -> u32 {
        if rnd == Round::Rn { Floats::mul(self, a, b) } else { in_binary64::mul_f32(rnd, a, b) }
    }
    fn fma_rnd(self, rnd: Round, a: u32, b: u32, c: u32) -> u32 {
        in_binary64::fma_f32(rnd, a, b, c)
    }
    fn integral(self, rnd: Round, a: u32) -> u32 {
        rounding::integral(self, rnd, a)
    }
    fn to_i32(self, rnd: Round, a: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "what is beyond the integers becomes their end")]
        let x = f32::from_bits(if rnd == Round::Rz { a } else { self.integral(rnd, a) }) as i32;
        x.cast_unsigned()
    }
    fn of_i32(self, a: u32) -> u32 {
        (a.cast_signed() as f32).to_bits()
    }
    // Without the standard library plain Rust has no root in hardware.
    fn sqrt(self, a: u32) -> u32 {
        #[cfg(feature = "std")]
        return f32::from_bits(a).sqrt().to_bits();
        #[cfg(not(feature = "std"))]
        scalar::sqrt::<Binary32>(crate::modifiers::Modifiers::PLAIN, a)
    }
    fn rsqrt(self, a: u32) -> u32 {
        // As `half_rsqrt` at AVX2.
        #[cfg(feature = "std")]
        #[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
        return ((1.0 / f64::from(f32::from_bits(a)).sqrt()) as f32).to_bits();
        #[cfg(not(feature = "std"))]
        scalar::rsqrt_approx::<Binary32>(crate::modifiers::Modifiers::PLAIN, a)
    }
    fn finish(self, end: End, nan: u32, x: u32) -> u32 {
        let positive = Floats::max(self, x, 0);
        match end {
            End::Sat => Floats::min(self, positive, 1.0_f32.to_bits()),
            End::Plain | End::Relu if f32::from_bits(x).is_nan() => nan,
            End::Plain => x,
            End::Relu => positive,
        }
    }
}

#[inline_in_release]
impl Doubles for Portable {
    type V = f64;
    const FUSED: bool = false;

    fn splat(self, x: f64) -> f64 {
        x
    }
    operators!(f64, [same] => [same]: add + sub - mul * div /);
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
    operators!(f64, [f64::to_bits] => [f64::from_bits]: and & or | xor ^);
    fn add_bits(self, a: f64, b: f64) -> f64 {
        f64::from_bits(a.to_bits().wrapping_add(b.to_bits()))
    }
    fn shl(self, a: f64, k: u32) -> f64 {
        f64::from_bits(a.to_bits() << k)
    }
    fn shr(self, a: f64, k: u32) -> f64 {
        f64::from_bits(a.to_bits() >> k)
    }
}

#[inline_in_release]
impl Engine for Portable {
    views!();
    groups!(Lookup lookup Absent; Pieces pieces Absent;);

    fn widen_f32(self, x: u32) -> f64 {
        f64::from(f32::from_bits(x))
    }
    fn narrow_f64(self, x: f64) -> [u32; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
        [(x as f32).to_bits(), x.to_bits() as u32]
    }
    fn entry(self, entries: &[f32; 8], index: u32) -> u32 {
        entries[(index & 7) as usize].to_bits()
    }
}

/// The value, and any NaN for a NaN.
#[inline_in_release]
pub(super) fn widen_f16(x: u16) -> u32 {
    let x = u32::from(x);
    // Exact for subnormals too; the exponent of infinities and NaN is missing afterwards.
    let value = f32::from_bits((x & 0x7FFF) << 13) * f32::from_bits((127 + 112) << 23);
    let special = if x & 0x7C00 == 0x7C00 { 0x7F80_0000 } else { 0 };
    value.to_bits() | special | (x & 0x8000) << 16
}

/// Rounds to nearest even; a NaN must be `0x7FFF_FFFF`.
#[inline_in_release]
pub(super) fn narrow_f16(x: u32) -> u16 {
    let magnitude = x & 0x7FFF_FFFF;
    let normal = (magnitude.wrapping_sub(112 << 23)).wrapping_add(0xFFF + (x >> 13 & 1)) >> 13;
    // Infinity beyond the largest finite value; a NaN keeps all its ones.
    let large = if magnitude > 0x7F80_0000 { 0x7FFF } else { (normal as i32).min(0x7C00) as u32 };
    // The sum with 2^(-24+23) has the smallest subnormal as its unit.
    let unit = f32::from_bits((127 - 1) << 23);
    let small = (f32::from_bits(magnitude) + unit).to_bits().wrapping_sub(unit.to_bits());
    let d = if magnitude < 113 << 23 { small } else { large };
    (d | (x >> 16 & 0x8000)) as u16
}

/// Rounds to nearest even; a NaN must be `0x7FFF_0000`.
#[inline_in_release]
pub(super) fn narrow_bf16(x: u32) -> u16 {
    (x.wrapping_add(0x7FFF + (x >> 16 & 1)) >> 16) as u16
}
