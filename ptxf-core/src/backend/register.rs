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

/// A value in a register of floats, with one lane or two.
pub(crate) trait Register: Bits {
    /// The format of a lane.
    type Format: Format<Bits = Self::Lane>;
    /// The bits of a lane.
    type Lane: Int;

    /// Number of lanes.
    const LANES: u32 = Self::BITS / Self::Lane::BITS;

    // No closures: a closure is a function of this crate's, which a program without link-time
    // optimization does not inline.

    /// Returns the bits of lane `i`.
    #[inline(always)]
    fn lane(self, i: u32) -> Self::Lane {
        (self.to_u64() >> (i * Self::Lane::BITS)).cast()
    }
    /// Returns the register of this type with one lane.
    #[inline(always)]
    fn of_lane(self, lane: Self::Lane) -> Self {
        debug_assert!(Self::LANES == 1);
        Self::from_u64(lane.cast())
    }
    /// Returns the register of this type with two lanes.
    #[inline(always)]
    fn of_lanes(self, low: Self::Lane, high: Self::Lane) -> Self {
        debug_assert!(Self::LANES == 2);
        Self::from_u64(low.cast::<u64>() | high.cast::<u64>() << (Self::Lane::BITS % u64::BITS))
    }
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

macro_rules! registers {
    ($($ty:ident $format:ident $lane:ident;)*) => {$(
        impl Register for $ty {
            type Format = $format;
            type Lane = $lane;
        }
    )*};
}

registers! {
    F16 Binary16 u16; Bf16 BFloat16 u16; f32 Binary32 u32; f64 Binary64 u64;
    F16x2 Binary16 u16; Bf16x2 BFloat16 u16; F32x2 Binary32 u32;
}
