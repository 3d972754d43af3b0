//! The number formats: IEEE 754 binary interchange layouts told apart by two numbers.
//!
//! `Format::Wide` is the smallest integer that holds an exact product and two bits more. For the 16-bit formats that is u32, so that a
//! microcontroller never sees a 64-bit multiplication for them.

use crate::int::Int;

/// A binary floating-point format: sign, biased exponent, fraction with a hidden leading one.
///
/// The meaning of every instruction ([`crate::sem`]) is written once for any `Format`.
pub trait Format: Copy + core::fmt::Debug + 'static {
    /// The register that holds one value.
    type Bits: Int;
    /// An integer that holds the exact product of two significands with at least two bits to spare.
    type Wide: Int;

    /// Significant bits, the hidden one included.
    const PRECISION: u32;
    /// Width of the exponent field.
    const EXPONENT_BITS: u32;
    /// What an instruction returns for an invalid operation.
    const CANONICAL_NAN: Self::Bits;
    /// Whether NaN operands are passed on (quieted) instead of being replaced by [`CANONICAL_NAN`](Self::CANONICAL_NAN).
    const KEEPS_PAYLOADS: bool = false;

    /// Width of the fraction field.
    const FRACTION_BITS: u32 = Self::PRECISION - 1;
    /// Largest exponent of a finite number, `2^e · 1.f`.
    const EMAX: i32 = (1 << (Self::EXPONENT_BITS - 1)) - 1;
    /// Smallest exponent of a normal number.
    const EMIN: i32 = 1 - Self::EMAX;

    /// The sign bit alone.
    #[inline(always)]
    fn sign_mask() -> Self::Bits {
        Self::Bits::ONE << (Self::FRACTION_BITS + Self::EXPONENT_BITS)
    }
    /// `+∞`.
    #[inline(always)]
    fn infinity() -> Self::Bits {
        Self::Bits::mask(Self::EXPONENT_BITS) << Self::FRACTION_BITS
    }
    /// The smallest normal number.
    #[inline(always)]
    fn min_normal() -> Self::Bits {
        Self::Bits::ONE << Self::FRACTION_BITS
    }
    /// `1.0`.
    #[inline(always)]
    fn one() -> Self::Bits {
        Self::Bits::mask(Self::EXPONENT_BITS - 1) << Self::FRACTION_BITS
    }
    /// The bit that makes a NaN quiet.
    #[inline(always)]
    fn quiet_bit() -> Self::Bits {
        Self::Bits::ONE << (Self::FRACTION_BITS - 1)
    }

    /// Whether the sign bit is set.
    #[inline(always)]
    fn is_negative(x: Self::Bits) -> bool {
        x & Self::sign_mask() != Self::Bits::ZERO
    }
    /// The value without its sign bit.
    #[inline(always)]
    fn magnitude(x: Self::Bits) -> Self::Bits {
        x & !Self::sign_mask()
    }
    /// Whether `x` is a NaN.
    #[inline(always)]
    fn is_nan(x: Self::Bits) -> bool {
        Self::magnitude(x) > Self::infinity()
    }
    /// Whether `x` is `±∞`.
    #[inline(always)]
    fn is_infinite(x: Self::Bits) -> bool {
        Self::magnitude(x) == Self::infinity()
    }
    /// Whether `x` is `±0`.
    #[inline(always)]
    fn is_zero(x: Self::Bits) -> bool {
        Self::magnitude(x) == Self::Bits::ZERO
    }
    /// Whether `x` is subnormal (zero is not).
    #[inline(always)]
    fn is_subnormal(x: Self::Bits) -> bool {
        !Self::is_zero(x) && Self::magnitude(x) < Self::min_normal()
    }
    /// `magnitude` with the given sign.
    #[inline(always)]
    fn signed(negative: bool, magnitude: Self::Bits) -> Self::Bits {
        if negative { magnitude | Self::sign_mask() } else { magnitude }
    }
}

/// `.f16`: IEEE 754 binary16.
#[derive(Clone, Copy, Debug)]
pub enum Binary16 {}
/// `.bf16`: the upper half of a binary32.
#[derive(Clone, Copy, Debug)]
pub enum BFloat16 {}
/// `.f32`: IEEE 754 binary32.
#[derive(Clone, Copy, Debug)]
pub enum Binary32 {}
/// `.f64`: IEEE 754 binary64.
#[derive(Clone, Copy, Debug)]
pub enum Binary64 {}
/// An 8-bit format (1.4.3) that exists only so that tests can run all triples of operands through [`crate::sem`].
#[derive(Clone, Copy, Debug)]
pub enum Mini {}

impl Format for Binary16 {
    type Bits = u16;
    type Wide = u32;
    const PRECISION: u32 = 11;
    const EXPONENT_BITS: u32 = 5;
    const CANONICAL_NAN: u16 = 0x7FFF;
}

impl Format for BFloat16 {
    type Bits = u16;
    type Wide = u32;
    const PRECISION: u32 = 8;
    const EXPONENT_BITS: u32 = 8;
    const CANONICAL_NAN: u16 = 0x7FFF;
}

impl Format for Binary32 {
    type Bits = u32;
    type Wide = u64;
    const PRECISION: u32 = 24;
    const EXPONENT_BITS: u32 = 8;
    const CANONICAL_NAN: u32 = 0x7FFF_FFFF;
}

impl Format for Binary64 {
    type Bits = u64;
    type Wide = u128;
    const PRECISION: u32 = 53;
    const EXPONENT_BITS: u32 = 11;
    const CANONICAL_NAN: u64 = 0xFFF8_0000_0000_0000;
    const KEEPS_PAYLOADS: bool = true;
}

impl Format for Mini {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 4;
    const EXPONENT_BITS: u32 = 4;
    const CANONICAL_NAN: u8 = 0x7F;
}
