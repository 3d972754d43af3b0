//! The number formats: floating-point layouts that differ in a few numbers.
//!
//! A format is a sign, a biased exponent and a fraction. The formats that instructions calculate
//! with are IEEE 754's. Instructions only convert to and from the narrow formats. These have fewer
//! codes or none for infinities and NaNs, two have no sign, and one of these no zero.
//!
//! | format | layout | special codes | largest number |
//! |---|---|---|---|
//! | `.f16`, `.bf16`, `.f32`, `.f64` | 1.5.10, 1.8.7, 1.8.23, 1.11.52 | infinities, NaNs | |
//! | `.tf32` | 1.8.10, in the upper bits of a `.f32` | infinities, NaNs | |
//! | `.e5m2` | 1.5.2 | infinities, NaNs | 57344 |
//! | `.e4m3` | 1.4.3 | one NaN of each sign | 448 |
//! | `.e3m2`, `.e2m3`, `.e2m1` | 1.3.2, 1.2.3, 1.2.1 | – | 28, 7.5, 6 |
//! | `.ue5m3` | 0.5.3, magnitudes | one NaN | 114688 |
//! | `.ue8m0` | 0.8.0, powers of two | one NaN | 2¹²⁷ |
//! | `.s2f6` | two's complement, units of 1/64 | – | 127/64 |
//!
//! `Format::Wide` is the smallest integer that holds an exact product and two more bits. For
//! formats of at most 16 bits it is u32, so a microcontroller needs no 64-bit multiplication for
//! them.

use crate::int::Int;

/// The codes of a format that are infinities or NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// The codes with the largest exponent: an infinity, and NaNs, as in IEEE 754.
    Ieee,
    /// The code whose exponent and fraction are all ones, a NaN.
    Nan,
    /// No codes.
    Absent,
}

/// A binary floating-point format: sign, biased exponent, fraction with a hidden leading one.
///
/// The meaning of every instruction ([`crate::sem`]) is written once for any `Format`.
pub trait Format: Copy + core::fmt::Debug + 'static {
    /// The type of a register that holds one value; bits that the format does not use are zero.
    type Bits: Int;
    /// An integer that holds the exact product of two significands with at least two bits to spare.
    type Wide: Int;

    /// Number of significant bits, including the hidden bit.
    const PRECISION: u32;
    /// Width of the exponent field in bits.
    const EXPONENT_BITS: u32;
    /// The codes that are infinities or NaNs.
    const SPECIALS: Specials = Specials::Ieee;
    /// `true` if there is a sign. Without a sign, numbers are magnitudes.
    const SIGNED: bool = true;
    /// `true` if the exponent field 0 stands for zero and the subnormal numbers. Otherwise it is an
    /// ordinary exponent.
    const ZERO: bool = true;
    /// Number of bits below the fraction, which are always zero.
    const PADDING: u32 = 0;
    /// The result of an invalid operation, and of the conversion of a NaN: in a format without NaN
    /// the largest number.
    const CANONICAL_NAN: Self::Bits;
    /// `true` if NaN operands are passed on, quieted, instead of being replaced by
    /// [`CANONICAL_NAN`](Self::CANONICAL_NAN).
    const KEEPS_PAYLOADS: bool = false;

    /// Width of the fraction field in bits.
    const FRACTION_BITS: u32 = Self::PRECISION - 1;
    /// The difference between the exponent field and the exponent.
    const BIAS: i32 = (1 << (Self::EXPONENT_BITS - 1)) - 1;
    /// Largest exponent of a finite number, `2^e · 1.f`.
    const EMAX: i32 = {
        // Without a fraction the NaN is the only code with its exponent.
        let taken = match Self::SPECIALS {
            Specials::Ieee => true,
            Specials::Nan => Self::FRACTION_BITS == 0,
            Specials::Absent => false,
        };
        (1 << Self::EXPONENT_BITS) - 1 - taken as i32 - Self::BIAS
    };
    /// Smallest exponent of a normal number.
    const EMIN: i32 = Self::ZERO as i32 - Self::BIAS;

    /// Returns the sign bit alone, which is 0 in a format without sign.
    #[inline(always)]
    fn sign_mask() -> Self::Bits {
        if Self::SIGNED { Self::exponent(Self::Bits::ONE) << Self::EXPONENT_BITS } else { Self::Bits::ZERO }
    }
    /// Returns `+∞`; in a format without infinity its NaN, or the largest number if there is no
    /// NaN.
    #[inline(always)]
    fn infinity() -> Self::Bits {
        match Self::SPECIALS {
            Specials::Ieee => Self::exponent(Self::Bits::mask(Self::EXPONENT_BITS)),
            Specials::Nan | Specials::Absent => {
                Self::Bits::mask(Self::EXPONENT_BITS + Self::FRACTION_BITS) << Self::PADDING
            }
        }
    }
    /// Returns the largest number.
    #[inline(always)]
    fn max() -> Self::Bits {
        match Self::SPECIALS {
            Specials::Ieee | Specials::Nan => Self::infinity() - (Self::Bits::ONE << Self::PADDING),
            Specials::Absent => Self::infinity(),
        }
    }
    /// Returns the smallest normal number.
    #[inline(always)]
    fn min_normal() -> Self::Bits {
        if Self::ZERO { Self::exponent(Self::Bits::ONE) } else { Self::Bits::ZERO }
    }
    /// Returns `1.0`.
    #[inline(always)]
    fn one() -> Self::Bits {
        Self::exponent(Self::Bits::of_low_bits(Self::BIAS as u128))
    }
    /// Returns the bit that makes a NaN quiet.
    #[inline(always)]
    fn quiet_bit() -> Self::Bits {
        Self::Bits::ONE << (Self::FRACTION_BITS + Self::PADDING - 1)
    }
    /// Returns the code with this exponent field and all other bits zero.
    #[inline(always)]
    fn exponent(field: Self::Bits) -> Self::Bits {
        field << (Self::FRACTION_BITS + Self::PADDING)
    }

    /// Returns `true` if the sign bit is set.
    #[inline(always)]
    fn is_negative(x: Self::Bits) -> bool {
        x & Self::sign_mask() != Self::Bits::ZERO
    }
    /// Returns the value without its sign bit.
    #[inline(always)]
    fn magnitude(x: Self::Bits) -> Self::Bits {
        x & !Self::sign_mask()
    }
    /// Returns `true` if `x` is a NaN.
    #[inline(always)]
    fn is_nan(x: Self::Bits) -> bool {
        match Self::SPECIALS {
            Specials::Ieee => Self::magnitude(x) > Self::infinity(),
            Specials::Nan => Self::magnitude(x) == Self::infinity(),
            Specials::Absent => false,
        }
    }
    /// Returns `true` if `x` is `±∞`.
    #[inline(always)]
    fn is_infinite(x: Self::Bits) -> bool {
        matches!(Self::SPECIALS, Specials::Ieee) && Self::magnitude(x) == Self::infinity()
    }
    /// Returns `true` if `x` is `±0`.
    #[inline(always)]
    fn is_zero(x: Self::Bits) -> bool {
        Self::ZERO && Self::magnitude(x) == Self::Bits::ZERO
    }
    /// Returns `true` if `x` is subnormal, which zero is not.
    #[inline(always)]
    fn is_subnormal(x: Self::Bits) -> bool {
        !Self::is_zero(x) && Self::magnitude(x) < Self::min_normal()
    }
    /// Returns `magnitude` with the given sign, which a format without sign ignores.
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
/// `.tf32`: the upper 19 bits of a binary32, in its register.
#[derive(Clone, Copy, Debug)]
pub enum TensorFloat32 {}
/// `.e4m3`: 1.4.3, up to 448, without infinities.
#[derive(Clone, Copy, Debug)]
pub enum Float8E4M3 {}
/// `.e5m2`: 1.5.2, the upper half of a binary16.
#[derive(Clone, Copy, Debug)]
pub enum Float8E5M2 {}
/// `.e2m3`: 1.2.3, up to 7.5; every code is a number.
#[derive(Clone, Copy, Debug)]
pub enum Float6E2M3 {}
/// `.e3m2`: 1.3.2, up to 28; every code is a number.
#[derive(Clone, Copy, Debug)]
pub enum Float6E3M2 {}
/// `.e2m1`: 1.2.1, up to 6; every code is a number.
#[derive(Clone, Copy, Debug)]
pub enum Float4E2M1 {}
/// `.ue5m3`: 0.5.3, magnitudes up to 114688, without infinities.
#[derive(Clone, Copy, Debug)]
pub enum Float8UE5M3 {}
/// `.ue8m0`: an exponent without sign and fraction, a power of two from 2⁻¹²⁷ to 2¹²⁷.
#[derive(Clone, Copy, Debug)]
pub enum Exponent8 {}
/// `.s2f6`: two's complement in units of 1/64, from −2 to 127/64. It is not a [`Format`], because
/// it has no exponent.
#[derive(Clone, Copy, Debug)]
pub enum Fixed2F6 {}
/// An 8-bit format (1.4.3) for tests alone, which run all triples of operands through
/// [`crate::sem`].
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

impl Format for TensorFloat32 {
    type Bits = u32;
    type Wide = u32;
    const PRECISION: u32 = 11;
    const EXPONENT_BITS: u32 = 8;
    const PADDING: u32 = 13;
    const CANONICAL_NAN: u32 = 0x7FFF_E000;
}

impl Format for Float8E4M3 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 4;
    const EXPONENT_BITS: u32 = 4;
    const SPECIALS: Specials = Specials::Nan;
    const CANONICAL_NAN: u8 = 0x7F;
}

impl Format for Float8E5M2 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 3;
    const EXPONENT_BITS: u32 = 5;
    const CANONICAL_NAN: u8 = 0x7F;
}

impl Format for Float6E2M3 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 4;
    const EXPONENT_BITS: u32 = 2;
    const SPECIALS: Specials = Specials::Absent;
    const CANONICAL_NAN: u8 = 0x1F;
}

impl Format for Float6E3M2 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 3;
    const EXPONENT_BITS: u32 = 3;
    const SPECIALS: Specials = Specials::Absent;
    const CANONICAL_NAN: u8 = 0x1F;
}

impl Format for Float4E2M1 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 2;
    const EXPONENT_BITS: u32 = 2;
    const SPECIALS: Specials = Specials::Absent;
    const CANONICAL_NAN: u8 = 0x7;
}

impl Format for Float8UE5M3 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 4;
    const EXPONENT_BITS: u32 = 5;
    const SPECIALS: Specials = Specials::Nan;
    const SIGNED: bool = false;
    const CANONICAL_NAN: u8 = 0xFF;
}

impl Format for Exponent8 {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 1;
    const EXPONENT_BITS: u32 = 8;
    const SPECIALS: Specials = Specials::Nan;
    const SIGNED: bool = false;
    const ZERO: bool = false;
    const CANONICAL_NAN: u8 = 0xFF;
}

impl Format for Mini {
    type Bits = u8;
    type Wide = u32;
    const PRECISION: u32 = 4;
    const EXPONENT_BITS: u32 = 4;
    const CANONICAL_NAN: u8 = 0x7F;
}
