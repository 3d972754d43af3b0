//! Conversions: lossless ones are `From`, rounding ones are named.
//!
//! A NaN narrows to the canonical NaN, as in the instructions. Widening keeps a NaN's sign and
//! payload, so it is lossless for every bit pattern. No instruction widens in this manner.

use super::{Bf16, Bf16x2, F16, F16x2, F32x2};
use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format, Specials};
use crate::int::Int;
use crate::modifiers::Round;
use crate::scalar;

/// Converts `x` to a format that has all numbers of its own: the same value, or the same NaN with
/// its payload at the upper end of the fraction.
#[inline(always)]
pub(super) fn widen<From: Format, To: Format>(x: From::Bits) -> To::Bits {
    const {
        assert!(From::PRECISION <= To::PRECISION && From::EMAX <= To::EMAX);
        assert!(From::EMIN + To::PRECISION as i32 >= To::EMIN + From::PRECISION as i32);
    }
    let magnitude = From::magnitude(x);
    let moved =
        (magnitude >> From::PADDING).cast::<To::Bits>() << (To::FRACTION_BITS + To::PADDING - From::FRACTION_BITS);
    let same = From::EXPONENT_BITS == To::EXPONENT_BITS && matches!(From::SPECIALS, Specials::Ieee);
    let wider = if same {
        moved
    } else if From::is_nan(x) || From::is_infinite(x) {
        // A format without fraction has one NaN, without payload.
        let quiet = if From::FRACTION_BITS == 0 { To::quiet_bit() } else { To::Bits::ZERO };
        moved | To::infinity() | quiet
    } else if From::EMIN >= To::EMIN && magnitude >= From::min_normal() {
        moved + To::exponent(To::Bits::of_low_bits((To::BIAS - From::BIAS) as u128))
    } else {
        scalar::convert::<From, To>(Round::Rn, magnitude)
    };
    To::signed(From::is_negative(x), wider)
}

macro_rules! conversions {
    ($(
        $ty:ident $format:ident, $third:literal $third_rz:literal $tie64:literal $above_tie:literal $nan:literal $wide_nan:literal,
        $other:ident $other_format:ident $from_other:ident $from_other_r:ident $x:literal $rn:literal $rp:literal,
        $from_f32_alias:literal $to_f32_alias:literal $from_f64_alias:literal;
    )*) => {$(
        /// Conversions.
        impl $ty {
            /// Rounds `x` to nearest, ties to even: `.rn`.
            ///
            /// Any NaN gives the [canonical NaN](Self::CANONICAL_NAN).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(1.0 / 3.0).to_bits(), ", $third, ");")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(-f32::NAN).to_bits(), 0x7fff);")]
            /// ```
            #[doc(alias = $from_f32_alias)]
            #[must_use]
            #[inline]
            pub fn from_f32(x: f32) -> Self {
                Self::from_f32_r(Round::Rn, x)
            }

            /// Rounds `x` in the given direction.
            ///
            /// Any NaN gives the [canonical NaN](Self::CANONICAL_NAN). Overflow follows the
            /// direction.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::{", stringify!($ty), ", Round};")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32_r(Round::Rz, 1.0 / 3.0).to_bits(), ", $third_rz, ");")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32_r(Round::Rz, f32::MAX), ", stringify!($ty), "::MAX);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn from_f32_r(rnd: Round, x: f32) -> Self {
                Self::from_bits(scalar::convert::<Binary32, $format>(rnd, x.to_bits()))
            }

            /// Rounds `x` to nearest, ties to even: `.rn`.
            ///
            /// Rounds once, not through `f32`. Any NaN gives the [canonical
            /// NaN](Self::CANONICAL_NAN).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            /// // Just above the midpoint of 1 and the next number, which f32 cannot represent.
            #[doc = concat!("let x: f64 = ", $tie64, ";")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f64(x).to_bits(), ", $above_tie, ");")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(x as f32), ", stringify!($ty), "::ONE);")]
            /// ```
            #[doc(alias = $from_f64_alias)]
            #[must_use]
            #[inline]
            pub fn from_f64(x: f64) -> Self {
                Self::from_f64_r(Round::Rn, x)
            }

            /// Rounds `x` in the given direction, once.
            ///
            /// Any NaN gives the [canonical NaN](Self::CANONICAL_NAN). Overflow follows the
            /// direction.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::{", stringify!($ty), ", Round};")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f64_r(Round::Rp, 1e-300).to_bits(), 0x0001);")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f64_r(Round::Rm, -1e-300).to_bits(), 0x8001);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn from_f64_r(rnd: Round, x: f64) -> Self {
                Self::from_bits(scalar::convert::<Binary64, $format>(rnd, x.to_bits()))
            }

            #[doc = concat!("Rounds a `", stringify!($other), "` to nearest, ties to even: `.rn`.")]
            ///
            /// Any NaN gives the [canonical NaN](Self::CANONICAL_NAN).
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::{Bf16, F16};
            ///
            #[doc = concat!("let x = ", stringify!($other), "::from_bits(", $x, ");")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::", stringify!($from_other), "(x).to_bits(), ", $rn, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn $from_other(x: $other) -> Self {
                Self::$from_other_r(Round::Rn, x)
            }

            #[doc = concat!("Rounds a `", stringify!($other), "` in the given direction.")]
            ///
            /// Any NaN gives the [canonical NaN](Self::CANONICAL_NAN). Overflow follows the
            /// direction.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::{Bf16, F16, Round};
            ///
            #[doc = concat!("let x = ", stringify!($other), "::from_bits(", $x, ");")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::", stringify!($from_other_r), "(Round::Rp, x).to_bits(), ", $rp, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn $from_other_r(rnd: Round, x: $other) -> Self {
                Self::from_bits(scalar::convert::<$other_format, $format>(rnd, x.to_bits()))
            }

            /// Returns the same value as an `f32`.
            ///
            /// Lossless for every bit pattern: a NaN keeps its sign, its payload and its quiet bit.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::MIN_POSITIVE.to_f32(), 2.0_f32.powi(", stringify!($ty), "::MIN_EXP - 1));")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_bits(", $nan, ").to_f32().to_bits(), ", $wide_nan, ");")]
            /// ```
            #[doc(alias = $to_f32_alias)]
            #[must_use]
            #[inline]
            pub fn to_f32(self) -> f32 {
                f32::from_bits(widen::<$format, Binary32>(self.to_bits()))
            }

            /// Returns the same value as an `f64`.
            ///
            /// Lossless for every bit pattern: a NaN keeps its sign, its payload and its quiet bit.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(-2.5).to_f64(), -2.5);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn to_f64(self) -> f64 {
                f64::from_bits(widen::<$format, Binary64>(self.to_bits()))
            }
        }

        /// Lossless; see `to_f32`.
        impl From<$ty> for f32 {
            #[inline]
            fn from(x: $ty) -> Self {
                x.to_f32()
            }
        }

        /// Lossless; see `to_f64`.
        impl From<$ty> for f64 {
            #[inline]
            fn from(x: $ty) -> Self {
                x.to_f64()
            }
        }

        /// Exact: every 8-bit integer is representable.
        impl From<u8> for $ty {
            #[inline]
            fn from(x: u8) -> Self {
                Self::from_f32(x.into())
            }
        }

        /// Exact: every 8-bit integer is representable.
        impl From<i8> for $ty {
            #[inline]
            fn from(x: i8) -> Self {
                Self::from_f32(x.into())
            }
        }
    )*};
}

conversions! {
    F16 Binary16, "0x3555" "0x3555" "1.0 + 1.0 / 2048.0 + 1.0 / (1u64 << 40) as f64" "0x3c01" "0xfc01" "0xff80_2000",
        Bf16 BFloat16 from_bf16 from_bf16_r "0x3300" "0x0000" "0x0001",
        "__float2half_rn" "__half2float" "__double2half";
    Bf16 BFloat16, "0x3eab" "0x3eaa" "1.0 + 1.0 / 256.0 + 1.0 / (1u64 << 40) as f64" "0x3f81" "0xff81" "0xff81_0000",
        F16 Binary16 from_f16 from_f16_r "0x3c01" "0x3f80" "0x3f81",
        "__float2bfloat16_rn" "__bfloat162float" "__double2bfloat16";
}

/// One row per type: the type of the two lanes.
macro_rules! lanes {
    ($($ty:ident $lane:ident;)*) => {$(
        impl From<($lane, $lane)> for $ty {
            /// Returns the pair with the lanes `(lo, hi)`.
            #[inline]
            fn from((lo, hi): ($lane, $lane)) -> Self {
                Self::from_lo_hi(lo, hi)
            }
        }

        impl From<$ty> for ($lane, $lane) {
            /// Returns the lanes `(lo, hi)`.
            #[inline]
            fn from(x: $ty) -> Self {
                (x.lo(), x.hi())
            }
        }
    )*};
}

/// One row per type: the type and number of its lanes.
macro_rules! arrays {
    ($($ty:ident $lane:ident $n:literal;)*) => {$(
        impl From<[$lane; $n]> for $ty {
            /// Returns the value with these lanes, the lowest lane first.
            #[inline]
            fn from(lanes: [$lane; $n]) -> Self {
                Self::from_array(lanes)
            }
        }

        impl From<$ty> for [$lane; $n] {
            /// Returns the lanes, the lowest lane first.
            #[inline]
            fn from(x: $ty) -> Self {
                x.to_array()
            }
        }
    )*};
}

pub(super) use {arrays, lanes};

lanes! { F16x2 F16; Bf16x2 Bf16; F32x2 f32; }

arrays! { F16x2 F16 2; Bf16x2 Bf16 2; F32x2 f32 2; }

macro_rules! pair {
    ($($ty:ident $lane:ident $rn:literal $rp:literal $from_alias:literal $to_alias:literal;)*) => {$(
        /// Conversions.
        impl $ty {
            /// Rounds the lanes `[lo, hi]` to nearest, ties to even: `.rn`.
            ///
            /// Any NaN gives the canonical NaN. PTX's `cvt` to a pair takes the upper lane first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32([0.1, -1.0]).to_bits(), ", $rn, ");")]
            /// ```
            #[doc(alias = $from_alias)]
            #[must_use]
            #[inline]
            pub fn from_f32(lanes: [f32; 2]) -> Self {
                Self::from_f32_r(Round::Rn, lanes)
            }

            /// Rounds the lanes `[lo, hi]` in the given direction.
            ///
            /// Any NaN gives the canonical NaN. Overflow follows the direction.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::{", stringify!($ty), ", Round};")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32_r(Round::Rp, [0.1, -1.0]).to_bits(), ", $rp, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn from_f32_r(rnd: Round, [lo, hi]: [f32; 2]) -> Self {
                Self::from_lo_hi($lane::from_f32_r(rnd, lo), $lane::from_f32_r(rnd, hi))
            }

            /// Returns the lanes `[lo, hi]` as `f32`, with the same values.
            ///
            /// Lossless for every bit pattern: a NaN keeps its sign, its payload and its quiet bit.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32([0.5, -1.0]).to_f32(), [0.5, -1.0]);")]
            /// ```
            #[doc(alias = $to_alias)]
            #[must_use]
            #[inline]
            pub fn to_f32(self) -> [f32; 2] {
                [self.lo().to_f32(), self.hi().to_f32()]
            }
        }

        impl From<$ty> for [f32; 2] {
            /// Returns the lanes `[lo, hi]`; lossless.
            #[inline]
            fn from(x: $ty) -> Self {
                x.to_f32()
            }
        }

        impl From<$ty> for F32x2 {
            /// Converts each lane; lossless.
            #[inline]
            fn from(x: $ty) -> Self {
                Self::from_array(x.to_f32())
            }
        }
    )*};
}

pair! {
    F16x2 F16 "0xbc00_2e66" "0xbc00_2e67" "__floats2half2_rn" "__half22float2";
    Bf16x2 Bf16 "0xbf80_3dcd" "0xbf80_3dcd" "__floats2bfloat162_rn" "__bfloat1622float2";
}
