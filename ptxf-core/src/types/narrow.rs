//! The scalars that instructions only convert to and from: `Tf32`, and the types of eight, six and
//! four bits.
//!
//! Every format is a row of facts here; the functions are in the same files as those of `F16`.
//! `packed` has the registers of several numbers, `convert` the conversions. `ue8m0` and `s2f6`
//! have the functions of the two types that are not signed floating-point numbers.

mod convert;
mod packed;
mod s2f6;
mod ue8m0;

pub use packed::{
    E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, S2f6x2, Ue5m3x2, Ue8m0x2,
    Ue8m0x4,
};

use core::ops::Neg;

use super::class::{class, sign};
use super::constants::{constants, shape};
use super::scalar::{bits, bytes};
use crate::format::{
    Exponent8, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2, Float8UE5M3, Format, TensorFloat32,
};

macro_rules! types {
    ($($(#[$doc:meta])* $ty:ident $bits:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[cfg_attr(
            feature = "zerocopy-08",
            derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)
        )]
        #[repr(transparent)]
        pub struct $ty($bits);
    )*};
}

use types;

types! {
    /// A number for tensor cores, `.tf32`: the upper 19 bits of a binary32, 11 significant bits.
    ///
    /// The register is that of an f32 whose lower 13 bits are zero; [`from_bits`](Self::from_bits)
    /// clears them. Overflow gives an infinity. Any NaN becomes the NaN with all upper bits set.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Tf32;
    ///
    /// let x = Tf32::from_f32(0.1);
    /// assert_eq!(x.to_bits(), 0x3dcc_c000);
    /// assert_eq!(x.to_f32(), 0.099975586);
    /// assert_eq!(x.to_string(), "0.1");
    /// ```
    #[doc(alias("tf32", "TensorFloat-32", "__nv_tf32"))]
    Tf32 u32;
    /// An 8-bit float, `.e4m3`: 4 significant bits, up to 448; no infinities, and one NaN of each
    /// sign.
    ///
    /// Conversions saturate: numbers beyond 448, including infinities, become ±448, and any NaN
    /// becomes `0x7f`. CUDA's conversions with `__NV_SATFINITE` do the same and, except for the
    /// sign of NaN, the crate `float8` and PyTorch. In the crate `microfloat` and Python's
    /// `ml_dtypes` numbers beyond 448 become NaN.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E4m3;
    ///
    /// assert_eq!(E4m3::from_f32(0.1).to_bits(), 0x1d);
    /// assert_eq!(E4m3::from_f32(1e9), E4m3::MAX);
    /// assert_eq!(E4m3::MAX.to_string(), "448");
    /// ```
    #[doc(alias("fp8", "float8_e4m3fn", "__nv_fp8_e4m3"))]
    E4m3 u8;
    /// An 8-bit float, `.e5m2`: the upper half of an f16, 3 significant bits, up to 57344, with
    /// infinities and NaNs.
    ///
    /// Conversions saturate: numbers beyond 57344, including infinities, become ±57344, and any NaN
    /// becomes `0x7f`. CUDA's conversions with `__NV_SATFINITE` do the same and, except for NaN,
    /// the crate `float8`. In the crate `microfloat`, PyTorch and Python's `ml_dtypes` numbers
    /// beyond 57344 become infinite.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::{E5m2, F16};
    ///
    /// assert_eq!(E5m2::from_f32(0.1).to_bits(), 0x2e);
    /// assert_eq!(E5m2::from_f32(f32::INFINITY), E5m2::MAX);
    /// assert_eq!(F16::from(E5m2::INFINITY), F16::INFINITY);
    /// ```
    #[doc(alias("fp8", "float8_e5m2", "__nv_fp8_e5m2"))]
    E5m2 u8;
    /// A 6-bit float, `.e2m3`: 4 significant bits, up to 7.5; every code is a number.
    ///
    /// The upper two bits of a byte are ignored in operands, and zero in results. Conversions
    /// saturate, and any NaN becomes the largest number, 7.5. In Python's `ml_dtypes` a NaN becomes
    /// −0.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m3;
    ///
    /// assert_eq!(E2m3::from_f32(-1.3).to_string(), "-1.25");
    /// assert_eq!(E2m3::from_f32(f32::NAN), E2m3::MAX);
    /// assert_eq!(E2m3::from_bits(0xc8), E2m3::ONE);
    /// ```
    #[doc(alias("fp6", "float6_e2m3fn", "__nv_fp6_e2m3"))]
    E2m3 u8;
    /// A 6-bit float, `.e3m2`: 3 significant bits, up to 28; every code is a number.
    ///
    /// The upper two bits of a byte are ignored in operands, and zero in results. Conversions
    /// saturate, and any NaN becomes the largest number, 28. In Python's `ml_dtypes` a NaN becomes
    /// −0.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E3m2;
    ///
    /// assert_eq!(E3m2::from_f32(-1.3).to_f32(), -1.25);
    /// assert_eq!(E3m2::from_f32(f32::NAN), E3m2::MAX);
    /// assert_eq!(E3m2::from_bits(0xcc), E3m2::ONE);
    /// ```
    #[doc(alias("fp6", "float6_e3m2fn", "__nv_fp6_e3m2"))]
    E3m2 u8;
    /// A 4-bit float, `.e2m1`: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
    ///
    /// The upper four bits of a byte are ignored in operands, and zero in results. Conversions
    /// saturate, and any NaN becomes the largest number, 6. In Python's `ml_dtypes` a NaN becomes
    /// −0.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m1;
    ///
    /// let all: Vec<f32> = (0..8).map(|bits| E2m1::from_bits(bits).to_f32()).collect();
    /// assert_eq!(all, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
    /// assert_eq!(E2m1::from_f32(2.5).to_f32(), 2.0); // a tie
    /// assert_eq!(E2m1::from_f32(-1e9), -E2m1::MAX);
    /// ```
    #[doc(alias("fp4", "float4_e2m1fn", "__nv_fp4_e2m1", "nvfp4"))]
    E2m1 u8;
    /// An exponent alone, `.ue8m0`: a power of two from 2⁻¹²⁷ to 2¹²⁷, or NaN; the scale of a block
    /// of narrow numbers.
    ///
    /// There is no sign and no zero; the default is 1. Conversions use the magnitude of their
    /// operand, and 0 becomes 2⁻¹²⁷.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// assert_eq!(Ue8m0::from_f32_rz(-12.5).to_f32(), 8.0);
    /// assert_eq!(Ue8m0::from_f32_rp(-12.5).to_f32(), 16.0);
    /// assert_eq!(Ue8m0::from_exponent(3).map(Ue8m0::to_bits), Some(0x82));
    /// ```
    #[doc(alias("e8m0", "float8_e8m0fnu", "__nv_fp8_e8m0"))]
    Ue8m0 u8;
    /// An 8-bit float without a sign, `.ue5m3`: 4 significant bits, up to 114688; no infinities,
    /// and one NaN.
    ///
    /// Conversions use the magnitude of their operand and saturate: numbers beyond 114688,
    /// including infinities, become 114688, and any NaN becomes `0xff`. The instructions without
    /// `.satfinite` return the NaN instead of saturating.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue5m3;
    ///
    /// assert_eq!(Ue5m3::from_f32(-0.1).to_bits(), 0x5d);
    /// assert_eq!(Ue5m3::from_f32(1e9), Ue5m3::MAX);
    /// assert_eq!(Ue5m3::MAX.to_string(), "114688");
    /// ```
    #[doc(alias("fp8", "__nv_fp8_ue5m3"))]
    Ue5m3 u8;
    /// A fixed-point number, `.s2f6`: two's complement in units of 1/64, from −2 to 127/64.
    ///
    /// Conversions saturate, and any NaN becomes the largest number.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6;
    ///
    /// assert_eq!(S2f6::from_f32(-0.75).to_bits(), 0xd0);
    /// assert_eq!(S2f6::from_f32(5.0), S2f6::MAX);
    /// assert_eq!(S2f6::MAX.to_string(), "1.984375");
    /// ```
    S2f6 u8;
}

bits! {
    Tf32 u32 0xffff_e000 from_f32 "-1.5" "0xbfc0_0000" "tf32" "tf32";
    E4m3 u8 0xff from_f32 "-1.5" "0xbc" "__nv_fp8_storage_t" "__nv_fp8_storage_t";
    E5m2 u8 0xff from_f32 "-1.5" "0xbe" "__nv_fp8_storage_t" "__nv_fp8_storage_t";
    E2m3 u8 0x3f from_f32 "-1.5" "0x2c" "__nv_fp6_storage_t" "__nv_fp6_storage_t";
    E3m2 u8 0x3f from_f32 "-1.5" "0x2e" "__nv_fp6_storage_t" "__nv_fp6_storage_t";
    E2m1 u8 0x0f from_f32 "-1.5" "0xb" "__nv_fp4_storage_t" "__nv_fp4_storage_t";
    Ue8m0 u8 0xff from_f32_rz "2.0" "0x80" "__nv_fp8_storage_t" "__nv_fp8_storage_t";
    Ue5m3 u8 0xff from_f32 "1.5" "0x7c" "__nv_fp8_storage_t" "__nv_fp8_storage_t";
    S2f6 u8 0xff from_f32 "-1.5" "0xa0" "s2f6" "s2f6";
}

bytes! {
    Tf32 u32 4 "0x3dcc_c000" "[0x00, 0xc0, 0xcc, 0x3d]" "[0x3d, 0xcc, 0xc0, 0x00]";
}

class! {
    Tf32 u32 0x8000_0000 Some(0x7f80_0000),
        "assert!(Tf32::CANONICAL_NAN.is_nan());" "assert!(Tf32::NEG_INFINITY.is_infinite());";
    E4m3 u8 0x80 None, "assert!(E4m3::CANONICAL_NAN.is_nan());" "assert!(!E4m3::from_bits(0xff).is_infinite()); // a NaN";
    E5m2 u8 0x80 Some(0x7c),
        "assert!(E5m2::CANONICAL_NAN.is_nan());" "assert!(E5m2::NEG_INFINITY.is_infinite());";
    Ue5m3 u8 0x00 None,
        "assert!(Ue5m3::CANONICAL_NAN.is_nan());" "assert!(!Ue5m3::CANONICAL_NAN.is_infinite());";
    E2m3 u8 0x20 None, "// The format has no NaN." "// The format has no infinity.";
    E3m2 u8 0x20 None, "// The format has no NaN." "// The format has no infinity.";
    E2m1 u8 0x08 None, "// The format has no NaN." "// The format has no infinity.";
}

sign! { Tf32 CANONICAL_NAN; E4m3 CANONICAL_NAN; E5m2 CANONICAL_NAN; E2m3 MAX; E3m2 MAX; E2m1 MAX; }

/// One row per type: its constants in the order of the names here, then those of infinity and NaN
/// if the format has them.
macro_rules! floats {
    ($(
        $ty:ident $neg_zero:literal $one:literal $max:literal $min:literal $min_positive:literal $smallest:literal $epsilon:literal
        $($name:ident $bits:literal $doc:literal)*;
    )*) => {$(
        constants! { @impl $ty "Constants."
            ZERO 0x00 "+0.";
            NEG_ZERO $neg_zero "−0.";
            ONE $one "1.";
            MAX $max "The largest number.";
            MIN $min "The smallest number, `-MAX`.";
            MIN_POSITIVE $min_positive "The smallest positive normal number.";
            MIN_POSITIVE_SUBNORMAL $smallest "The smallest positive number.";
            EPSILON $epsilon "The distance from 1 to the next larger number.";
            $($name $bits $doc;)*
        }

        impl Default for $ty {
            /// Returns +0.
            #[inline]
            fn default() -> Self {
                Self::ZERO
            }
        }

        impl Neg for $ty {
            type Output = Self;
            /// Flips the sign bit, also of zeros and NaNs.
            #[inline]
            fn neg(self) -> Self {
                Self::from_bits(self.to_bits() ^ Self::SIGN)
            }
        }

        impl Neg for &$ty {
            type Output = $ty;
            #[inline]
            fn neg(self) -> $ty {
                -*self
            }
        }
    )*};
}

floats! {
    Tf32 0x8000_0000 0x3f80_0000 0x7f7f_e000 0xff7f_e000 0x0080_0000 0x0000_2000 0x3a80_0000
        INFINITY 0x7f80_0000 "+∞." NEG_INFINITY 0xff80_0000 "−∞."
        CANONICAL_NAN 0x7fff_e000 "The NaN that conversions return.";
    E4m3 0x80 0x38 0x7e 0xfe 0x08 0x01 0x20 CANONICAL_NAN 0x7f "The NaN that conversions return.";
    E5m2 0x80 0x3c 0x7b 0xfb 0x04 0x01 0x34
        INFINITY 0x7c "+∞." NEG_INFINITY 0xfc "−∞." CANONICAL_NAN 0x7f "The NaN that conversions return.";
    E2m3 0x20 0x08 0x1f 0x3f 0x08 0x01 0x01;
    E3m2 0x20 0x0c 0x1f 0x3f 0x04 0x01 0x04;
    E2m1 0x8 0x2 0x7 0xf 0x2 0x1 0x1;
}

/// One row per type: the number of significant bits, and the exponents of the smallest and the
/// largest normal number, plus one.
macro_rules! shapes {
    ($($ty:ident $format:ident $digits:literal $min:literal $max:literal;)*) => {$(
        shape! { @impl $ty
            RADIX u32 2 "The radix.";
            MANTISSA_DIGITS u32 $digits "Number of significant bits, including the hidden bit.";
            MIN_EXP i32 $min "One more than the exponent of [`MIN_POSITIVE`](Self::MIN_POSITIVE).";
            MAX_EXP i32 $max "One more than the exponent of [`MAX`](Self::MAX).";
        }

        const _: () = {
            assert!($ty::MANTISSA_DIGITS == $format::PRECISION);
            assert!($ty::MIN_EXP == $format::EMIN + 1 && $ty::MAX_EXP == $format::EMAX + 1);
        };
    )*};
}

shapes! {
    Tf32 TensorFloat32 11 -125 128;
    E4m3 Float8E4M3 4 -5 9;
    E5m2 Float8E5M2 3 -13 16;
    Ue5m3 Float8UE5M3 4 -13 17;
    E2m3 Float6E2M3 4 1 3;
    E3m2 Float6E3M2 3 -1 5;
    E2m1 Float4E2M1 2 1 3;
}

constants! { @impl Ue8m0 "Constants."
    ONE 0x7f "1.";
    MAX 0xfe "The largest number, 2¹²⁷.";
    MIN 0x00 "The smallest number, 2⁻¹²⁷.";
    CANONICAL_NAN 0xff "The NaN.";
}

constants! { @impl Ue5m3 "Constants."
    ZERO 0x00 "0.";
    ONE 0x78 "1.";
    MAX 0xfe "The largest number, 114688.";
    MIN 0x00 "The smallest number, 0.";
    MIN_POSITIVE 0x08 "The smallest normal number.";
    MIN_POSITIVE_SUBNORMAL 0x01 "The smallest positive number.";
    EPSILON 0x60 "The distance from 1 to the next larger number.";
    CANONICAL_NAN 0xff "The NaN.";
}

constants! { @impl S2f6 "Constants."
    ZERO 0x00 "0.";
    ONE 0x40 "1.";
    MAX 0x7f "The largest number, 127/64.";
    MIN 0x80 "The smallest number, −2.";
    MIN_POSITIVE 0x01 "The smallest positive number, 1/64.";
}

impl Default for Ue8m0 {
    /// Returns 1, the neutral scale.
    #[inline]
    fn default() -> Self {
        Self::ONE
    }
}

impl Default for Ue5m3 {
    /// Returns 0.
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

impl Default for S2f6 {
    /// Returns 0.
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

const _: () = assert!(Ue8m0::CANONICAL_NAN.to_bits() == Exponent8::CANONICAL_NAN);
