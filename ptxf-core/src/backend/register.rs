//! Registers and their lanes.

use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::types::*;

/// A value as the bits of its register.
pub(crate) trait Bits: Copy {
    /// Width of the register.
    const BITS: u32;

    /// The register's bits, zero-extended.
    fn to_u64(self) -> u64;
    /// The register with the low bits of `bits`.
    fn from_u64(bits: u64) -> Self;
}

/// A value in a register of floats: applies an operation on lane bits to every lane.
pub(crate) trait Register: Bits {
    /// The format of a lane.
    type Format: Format<Bits = Self::Lane>;
    /// The bits of a lane.
    type Lane: Int;

    /// Number of lanes.
    const LANES: u32 = Self::BITS / Self::Lane::BITS;

    fn map1(self, f: impl Fn(Self::Lane) -> Self::Lane) -> Self;
    fn map2(self, b: Self, f: impl Fn(Self::Lane, Self::Lane) -> Self::Lane) -> Self;
    fn map3(self, b: Self, c: Self, f: impl Fn(Self::Lane, Self::Lane, Self::Lane) -> Self::Lane) -> Self;
}

macro_rules! bits {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Bits for $ty {
            const BITS: u32 = $bits::BITS;

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self.to_bits().into()
            }
            #[inline(always)]
            fn from_u64(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
        }
    )*};
}

bits! { f32 u32; f64 u64; }
for_each_type!(bits);

macro_rules! integers {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Bits for $ty {
            const BITS: u32 = $ty::BITS;

            #[inline(always)]
            fn to_u64(self) -> u64 {
                (self as $bits).into()
            }
            #[inline(always)]
            fn from_u64(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}

integers! { u8 u8; u16 u16; u32 u32; u64 u64; i8 u8; i16 u16; i32 u32; i64 u64; }

/// A predicate is 0 or 1.
impl Bits for bool {
    const BITS: u32 = 1;

    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.into()
    }
    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        bits & 1 != 0
    }
}

/// The first predicate is bit 0, the second one bit 1.
impl Bits for (bool, bool) {
    const BITS: u32 = 2;

    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.0.to_u64() | self.1.to_u64() << 1
    }
    #[inline(always)]
    fn from_u64(bits: u64) -> Self {
        (bits & 1 != 0, bits & 2 != 0)
    }
}

macro_rules! scalar {
    ($($ty:ident $format:ident $bits:ident;)*) => {$(
        impl Register for $ty {
            type Format = $format;
            type Lane = $bits;
            #[inline(always)]
            fn map1(self, f: impl Fn($bits) -> $bits) -> Self {
                Self::from_bits(f(self.to_bits()))
            }
            #[inline(always)]
            fn map2(self, b: Self, f: impl Fn($bits, $bits) -> $bits) -> Self {
                Self::from_bits(f(self.to_bits(), b.to_bits()))
            }
            #[inline(always)]
            fn map3(self, b: Self, c: Self, f: impl Fn($bits, $bits, $bits) -> $bits) -> Self {
                Self::from_bits(f(self.to_bits(), b.to_bits(), c.to_bits()))
            }
        }
    )*};
}

scalar! { F16 Binary16 u16; Bf16 BFloat16 u16; f32 Binary32 u32; f64 Binary64 u64; }

macro_rules! low {
    ($lane:ident, $x:ident) => {
        $x as $lane
    };
}

macro_rules! high {
    ($lane:ident, $x:ident) => {
        ($x >> $lane::BITS) as $lane
    };
}

macro_rules! join {
    ($bits:ident, $lane:ident, $low:expr, $high:expr) => {
        $bits::from($low) | ($bits::from($high) << $lane::BITS)
    };
}

macro_rules! pair {
    ($($ty:ident $format:ident $bits:ident $lane:ident;)*) => {$(
        impl Register for $ty {
            type Format = $format;
            type Lane = $lane;
            #[inline(always)]
            fn map1(self, f: impl Fn($lane) -> $lane) -> Self {
                let a = self.to_bits();
                Self::from_bits(join!($bits, $lane, f(low!($lane, a)), f(high!($lane, a))))
            }
            #[inline(always)]
            fn map2(self, b: Self, f: impl Fn($lane, $lane) -> $lane) -> Self {
                let (a, b) = (self.to_bits(), b.to_bits());
                let (low, high) = (f(low!($lane, a), low!($lane, b)), f(high!($lane, a), high!($lane, b)));
                Self::from_bits(join!($bits, $lane, low, high))
            }
            #[inline(always)]
            fn map3(self, b: Self, c: Self, f: impl Fn($lane, $lane, $lane) -> $lane) -> Self {
                let (a, b, c) = (self.to_bits(), b.to_bits(), c.to_bits());
                let low = f(low!($lane, a), low!($lane, b), low!($lane, c));
                let high = f(high!($lane, a), high!($lane, b), high!($lane, c));
                Self::from_bits(join!($bits, $lane, low, high))
            }
        }
    )*};
}

pair! { F16x2 Binary16 u32 u16; Bf16x2 BFloat16 u32 u16; F32x2 Binary32 u64 u32; }
