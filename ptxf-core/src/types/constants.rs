//! Constants of the scalars and the pairs.

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

macro_rules! shape {
    ($($ty:ident $format:ident $digits:literal $min_10:literal $max_10:literal;)*) => {$(
        /// The shape of the format, as in [`f32`].
        impl $ty {
            /// The radix, 2.
            pub const RADIX: u32 = 2;
            /// Significant bits, the hidden one included.
            pub const MANTISSA_DIGITS: u32 = $format::PRECISION;
            /// Decimal digits that survive a round trip through this type.
            pub const DIGITS: u32 = $digits;
            /// One more than the exponent of [`MIN_POSITIVE`](Self::MIN_POSITIVE).
            pub const MIN_EXP: i32 = $format::EMIN + 1;
            /// One more than the exponent of [`MAX`](Self::MAX).
            pub const MAX_EXP: i32 = $format::EMAX + 1;
            /// The smallest `n` for which 10ⁿ is a normal number.
            pub const MIN_10_EXP: i32 = $min_10;
            /// The largest `n` for which 10ⁿ is finite.
            pub const MAX_10_EXP: i32 = $max_10;
        }
    )*};
}

shape! {
    F16 Binary16 3 -4 4;
    Bf16 BFloat16 2 -37 38;
}

macro_rules! pair_constants {
    ($($ty:ident $lane:ident $negative_zero:expr, $one:expr, $nan:expr, $one_bits:literal;)*) => {$(
        /// Constants, the same value in both lanes.
        impl $ty {
            /// +0 in both lanes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(ptxf::", stringify!($ty), "::ZERO.to_bits(), 0);")]
            /// ```
            pub const ZERO: Self = Self::from_bits(0);
            /// −0 in both lanes.
            pub const NEG_ZERO: Self = Self::splat($negative_zero);
            /// 1 in both lanes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(ptxf::", stringify!($ty), "::ONE.to_bits(), ", stringify!($one_bits), ");")]
            /// ```
            pub const ONE: Self = Self::splat($one);
            /// +∞ in both lanes.
            pub const INFINITY: Self = Self::splat($lane::INFINITY);
            /// −∞ in both lanes.
            pub const NEG_INFINITY: Self = Self::splat($lane::NEG_INFINITY);
            /// The largest finite number in both lanes.
            pub const MAX: Self = Self::splat($lane::MAX);
            /// The smallest finite number, `-MAX`, in both lanes.
            pub const MIN: Self = Self::splat($lane::MIN);
            /// The smallest positive normal number in both lanes.
            pub const MIN_POSITIVE: Self = Self::splat($lane::MIN_POSITIVE);
            /// The smallest positive number in both lanes.
            pub const MIN_POSITIVE_SUBNORMAL: Self = Self::splat($lane::from_bits(1));
            /// The distance from 1 to the next larger number in both lanes.
            pub const EPSILON: Self = Self::splat($lane::EPSILON);
            /// The NaN that instructions return, in both lanes.
            pub const CANONICAL_NAN: Self = Self::splat($nan);
        }
    )*};
}

pair_constants! {
    F16x2 F16 F16::NEG_ZERO, F16::ONE, F16::CANONICAL_NAN, 0x3c00_3c00;
    Bf16x2 Bf16 Bf16::NEG_ZERO, Bf16::ONE, Bf16::CANONICAL_NAN, 0x3f80_3f80;
    F32x2 f32 -0.0, 1.0, f32::from_bits(Binary32::CANONICAL_NAN), 0x3f80_0000_3f80_0000;
}
