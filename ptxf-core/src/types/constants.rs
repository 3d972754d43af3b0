//! Constants of the scalars and of their packed types.

use super::{Bf16, Bf16x2, F16, F16x2, F32x2};
use crate::format::{BFloat16, Binary16, Binary32, Format};

/// One row per constant: its bits in `F16` and in `Bf16`.
macro_rules! constants {
    ($title:literal $($name:ident $f16:literal $bf16:literal $doc:literal;)*) => {
        constants!(@impl F16 $title $($name $f16 $doc;)*);
        constants!(@impl Bf16 $title $($name $bf16 $doc;)*);
    };
    (@impl $ty:ident $title:literal $($name:ident $bits:literal $doc:literal;)*) => {
        #[doc = $title]
        impl $ty {$(
            #[doc = $doc]
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::", stringify!($name), ".to_bits(), ", stringify!($bits), ");")]
            /// ```
            pub const $name: Self = Self::from_bits($bits);
        )*}
    };
}

constants! { "Constants."
    ZERO                   0x0000 0x0000 "+0.";
    NEG_ZERO               0x8000 0x8000 "−0.";
    ONE                    0x3c00 0x3f80 "1.";
    INFINITY               0x7c00 0x7f80 "+∞.";
    NEG_INFINITY           0xfc00 0xff80 "−∞.";
    CANONICAL_NAN          0x7fff 0x7fff "The NaN that instructions return.";
    MAX                    0x7bff 0x7f7f "The largest finite number.";
    MIN                    0xfbff 0xff7f "The smallest finite number, `-MAX`.";
    MIN_POSITIVE           0x0400 0x0080 "The smallest positive normal number.";
    MIN_POSITIVE_SUBNORMAL 0x0001 0x0001 "The smallest positive number.";
    EPSILON                0x1400 0x3c00 "The distance from 1 to the next larger number.";
}

constants! { "Mathematical constants, rounded to nearest."
    PI             0x4248 0x4049 "π.";
    TAU            0x4648 0x40c9 "2π.";
    FRAC_PI_2      0x3e48 0x3fc9 "π / 2.";
    FRAC_PI_3      0x3c30 0x3f86 "π / 3.";
    FRAC_PI_4      0x3a48 0x3f49 "π / 4.";
    FRAC_PI_6      0x3830 0x3f06 "π / 6.";
    FRAC_PI_8      0x3648 0x3ec9 "π / 8.";
    FRAC_1_PI      0x3518 0x3ea3 "1 / π.";
    FRAC_2_PI      0x3918 0x3f23 "2 / π.";
    FRAC_2_SQRT_PI 0x3c83 0x3f90 "2 / √π.";
    SQRT_2         0x3da8 0x3fb5 "√2.";
    FRAC_1_SQRT_2  0x39a8 0x3f35 "1 / √2.";
    E              0x4170 0x402e "Euler's number e.";
    LN_2           0x398c 0x3f31 "ln 2.";
    LN_10          0x409b 0x4013 "ln 10.";
    LOG2_E         0x3dc5 0x3fb9 "log₂ e.";
    LOG2_10        0x42a5 0x4055 "log₂ 10.";
    LOG10_E        0x36f3 0x3ede "log₁₀ e.";
    LOG10_2        0x34d1 0x3e9a "log₁₀ 2.";
}

/// One row per constant: its value in `F16` and in `Bf16`.
macro_rules! shape {
    ($($name:ident $int:ident $f16:literal $bf16:literal $doc:literal;)*) => {
        shape!(@impl F16 $($name $int $f16 $doc;)*);
        shape!(@impl Bf16 $($name $int $bf16 $doc;)*);
    };
    (@impl $ty:ident $($name:ident $int:ident $value:literal $doc:literal;)*) => {
        /// The shape of the format, as for [`f32`].
        impl $ty {$(
            #[doc = $doc]
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(ptxf::", stringify!($ty), "::", stringify!($name), ", ", stringify!($value), ");")]
            /// ```
            pub const $name: $int = $value;
        )*}
    };
}

shape! {
    RADIX           u32    2    2 "The radix.";
    MANTISSA_DIGITS u32   11    8 "Number of significant bits, including the hidden bit.";
    DIGITS          u32    3    2 "Number of decimal digits that survive a round trip through this type.";
    MIN_EXP         i32  -13 -125 "One more than the exponent of [`MIN_POSITIVE`](Self::MIN_POSITIVE).";
    MAX_EXP         i32   16  128 "One more than the exponent of [`MAX`](Self::MAX).";
    MIN_10_EXP      i32   -4  -37 "The smallest `n` for which 10ⁿ is a normal number.";
    MAX_10_EXP      i32    4   38 "The largest `n` for which 10ⁿ is finite.";
}

pub(super) use {constants, shape};

/// Checks the constants against the definitions in [`crate::format`].
macro_rules! agree {
    ($($ty:ident $format:ident)*) => {$(
        const _: () = {
            assert!($ty::MANTISSA_DIGITS == $format::PRECISION);
            assert!($ty::MIN_EXP == $format::EMIN + 1 && $ty::MAX_EXP == $format::EMAX + 1);
            assert!($ty::CANONICAL_NAN.to_bits() == $format::CANONICAL_NAN);
        };
    )*};
}

agree! { F16 Binary16 Bf16 BFloat16 }

/// One row per constant: its lane in `F32x2`, and the bits of `F16x2`, `Bf16x2` and `F32x2`.
macro_rules! packed_constants {
    ($($name:ident $f32:expr, $f16x2:literal $bf16x2:literal $f32x2:literal $doc:literal;)*) => {
        packed_constants!(@impl F16x2 $($name F16::$name, $f16x2 $doc;)*);
        packed_constants!(@impl Bf16x2 $($name Bf16::$name, $bf16x2 $doc;)*);
        packed_constants!(@impl F32x2 $($name $f32, $f32x2 $doc;)*);
    };
    (@impl $ty:ident $($name:ident $lane:expr, $bits:literal $doc:literal;)*) => {
        /// Constants with the same value in all lanes.
        impl $ty {$(
            #[doc = $doc]
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(ptxf::", stringify!($ty), "::", stringify!($name), ".to_bits(), ", stringify!($bits), ");")]
            /// ```
            pub const $name: Self = Self::splat($lane);
        )*}
    };
}

pub(super) use packed_constants;

packed_constants! {
    ZERO 0.0, 0x0000_0000 0x0000_0000 0x0000_0000_0000_0000
        "+0 in both lanes.";
    NEG_ZERO -0.0, 0x8000_8000 0x8000_8000 0x8000_0000_8000_0000
        "−0 in both lanes.";
    ONE 1.0, 0x3c00_3c00 0x3f80_3f80 0x3f80_0000_3f80_0000
        "1 in both lanes.";
    INFINITY f32::INFINITY, 0x7c00_7c00 0x7f80_7f80 0x7f80_0000_7f80_0000
        "+∞ in both lanes.";
    NEG_INFINITY f32::NEG_INFINITY, 0xfc00_fc00 0xff80_ff80 0xff80_0000_ff80_0000
        "−∞ in both lanes.";
    CANONICAL_NAN f32::from_bits(Binary32::CANONICAL_NAN), 0x7fff_7fff 0x7fff_7fff 0x7fff_ffff_7fff_ffff
        "The NaN that instructions return, in both lanes.";
    MAX f32::MAX, 0x7bff_7bff 0x7f7f_7f7f 0x7f7f_ffff_7f7f_ffff
        "The largest finite number in both lanes.";
    MIN f32::MIN, 0xfbff_fbff 0xff7f_ff7f 0xff7f_ffff_ff7f_ffff
        "The smallest finite number, `-MAX`, in both lanes.";
    MIN_POSITIVE f32::MIN_POSITIVE, 0x0400_0400 0x0080_0080 0x0080_0000_0080_0000
        "The smallest positive normal number in both lanes.";
    MIN_POSITIVE_SUBNORMAL f32::from_bits(1), 0x0001_0001 0x0001_0001 0x0000_0001_0000_0001
        "The smallest positive number in both lanes.";
    EPSILON f32::EPSILON, 0x1400_1400 0x3c00_3c00 0x3400_0000_3400_0000
        "The distance from 1 to the next larger number, in both lanes.";
}
