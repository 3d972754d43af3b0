//! Registers and their lanes.

use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

/// A value in a register: applies an operation on lane bits to every lane.
pub(crate) trait Register: Copy {
    /// The bits of a lane.
    type Lane;

    fn map1(self, f: impl Fn(Self::Lane) -> Self::Lane) -> Self;
    fn map2(self, b: Self, f: impl Fn(Self::Lane, Self::Lane) -> Self::Lane) -> Self;
    fn map3(self, b: Self, c: Self, f: impl Fn(Self::Lane, Self::Lane, Self::Lane) -> Self::Lane) -> Self;

    /// The register's bits, zero-extended.
    fn to_u64(self) -> u64;
    /// The register with the low bits of `bits`.
    fn from_u64(bits: u64) -> Self;
}

macro_rules! scalar {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Register for $ty {
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

scalar! { F16 u16; Bf16 u16; f32 u32; f64 u64; }

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
    ($($ty:ident $bits:ident $lane:ident;)*) => {$(
        impl Register for $ty {
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

pair! { F16x2 u32 u16; Bf16x2 u32 u16; F32x2 u64 u32; }
