//! Conversions of the narrow types: lossless ones are `From`, rounding ones are named. Those to
//! eight bits and fewer saturate.

use super::{
    E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};
use crate::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, TensorFloat32,
};
use crate::modifiers::{Modifiers, Round};
use crate::scalar;
use crate::sem;
use crate::types::convert::{arrays, lanes, widen};
use crate::types::{Bf16, Bf16x2, F16, F16x2};

/// One row per type: `true` if conversions saturate, and a sentence about it for the documentation;
/// the bits of 0.3; an f64 midpoint, and the bits to which a slightly greater number rounds.
macro_rules! floats {
    ($($ty:ident $format:ident $satfinite:literal $says:literal $bits:literal $tie:literal $above:literal;)*) => {$(
        /// Conversions.
        impl $ty {
            #[doc = concat!("Rounds `x` to nearest, ties to even", $says)]
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(0.3).to_bits(), ", $bits, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn from_f32(x: f32) -> Self {
                const M: Modifiers = Modifiers::PLAIN.with_satfinite($satfinite);
                Self::from_bits(scalar::cvt::<Binary32, $format>(M, x.to_bits()))
            }

            /// Rounds `x` to nearest, ties to even, once and not through `f32`; otherwise as
            /// [`from_f32`](Self::from_f32).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x: f64 = ", $tie, " + 1e-12; // just above a midpoint")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f64(x).to_bits(), ", $above, ");")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(x as f32), ", stringify!($ty), "::ONE);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn from_f64(x: f64) -> Self {
                const M: Modifiers = Modifiers::PLAIN.with_satfinite($satfinite);
                Self::from_bits(scalar::cvt::<Binary64, $format>(M, x.to_bits()))
            }

            /// Returns the same value as an `f32`.
            ///
            /// Lossless for every code: a NaN keeps its sign and payload, which the instructions
            /// drop.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::MIN_POSITIVE.to_f32(), 2.0_f32.powi(", stringify!($ty), "::MIN_EXP - 1));")]
            /// ```
            #[must_use]
            #[inline]
            pub fn to_f32(self) -> f32 {
                f32::from_bits(widen::<$format, Binary32>(self.to_bits()))
            }

            /// Returns the same value as an `f64`; otherwise as [`to_f32`](Self::to_f32).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::ONE.to_f64(), 1.0);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn to_f64(self) -> f64 {
                f64::from_bits(widen::<$format, Binary64>(self.to_bits()))
            }
        }
    )*};
}

floats! {
    Tf32 TensorFloat32 false
        ": `cvt.rn`. Overflow gives an infinity, a NaN [`CANONICAL_NAN`](Self::CANONICAL_NAN)."
        "0x3e99_a000" "1.0 + 1.0 / 2048.0" "0x3f80_2000";
    E4m3 Float8E4M3 true
        ": `cvt.rn.satfinite`. Numbers beyond ±448 and infinities give ±448, and a NaN gives [`CANONICAL_NAN`](Self::CANONICAL_NAN)."
        "0x2a" "1.0 + 1.0 / 16.0" "0x39";
    E5m2 Float8E5M2 true
        ": `cvt.rn.satfinite`. Numbers beyond ±57344 and infinities give ±57344, and a NaN gives [`CANONICAL_NAN`](Self::CANONICAL_NAN)."
        "0x35" "1.0 + 1.0 / 8.0" "0x3d";
    Ue5m3 Float8UE5M3 true
        ": `cvt.rn.satfinite`. The sign is ignored, magnitudes beyond 114688 and infinities give 114688, and a NaN gives [`CANONICAL_NAN`](Self::CANONICAL_NAN)."
        "0x6a" "1.0 + 1.0 / 16.0" "0x79";
    E2m3 Float6E2M3 true
        ": `cvt.rn.satfinite`. Numbers beyond ±7.5 and infinities give ±7.5, and a NaN gives 7.5."
        "0x2" "1.0 + 1.0 / 16.0" "0x9";
    E3m2 Float6E3M2 true
        ": `cvt.rn.satfinite`. Numbers beyond ±28 and infinities give ±28, and a NaN gives 28."
        "0x5" "1.0 + 1.0 / 8.0" "0xd";
    E2m1 Float4E2M1 true
        ": `cvt.rn.satfinite`. Numbers beyond ±6 and infinities give ±6, and a NaN gives 6."
        "0x1" "1.0 + 1.0 / 4.0" "0x3";
}

/// Conversions.
impl Tf32 {
    /// Rounds `x` in the given direction: `cvt.rn` and `cvt.rz`; PTX has no others.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::{Round, Tf32};
    ///
    /// assert_eq!(Tf32::from_f32_r(Round::Rz, 0.3).to_bits(), 0x3e99_8000);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_f32_r(rnd: Round, x: f32) -> Self {
        Self::from_bits(scalar::convert::<Binary32, TensorFloat32>(rnd, x.to_bits()))
    }

    /// Rounds `x` to nearest, ties away from zero: `cvt.rna`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Tf32;
    ///
    /// let tie = f32::from_bits(0x3f80_1000);
    /// assert_eq!(Tf32::from_f32_rna(tie).to_bits(), 0x3f80_2000);
    /// assert_eq!(Tf32::from_f32(tie), Tf32::ONE);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_f32_rna(x: f32) -> Self {
        Self::from_bits(sem::cvt_rna::<Binary32, TensorFloat32>(Modifiers::PLAIN, x.to_bits()))
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
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
    )*};
}

numbers! { Tf32 E4m3 E5m2 E2m3 E3m2 E2m1 Ue8m0 Ue5m3 S2f6 }

/// Implements `From` for formats that have all numbers of another one.
macro_rules! lossless {
    ($($from:ident $format:ident => $($to:ident $wider:ident),*;)*) => {$($(
        impl From<$from> for $to {
            /// Returns the same value; a NaN keeps its sign and payload.
            #[inline]
            fn from(x: $from) -> Self {
                Self::from_bits(widen::<$format, $wider>(x.to_bits()))
            }
        }
    )*)*};
}

lossless! {
    F16 Binary16 => Tf32 TensorFloat32;
    Bf16 BFloat16 => Tf32 TensorFloat32;
    E4m3 Float8E4M3 => F16 Binary16, Bf16 BFloat16;
    E5m2 Float8E5M2 => F16 Binary16, Bf16 BFloat16;
    E2m3 Float6E2M3 => F16 Binary16, Bf16 BFloat16, E4m3 Float8E4M3;
    E3m2 Float6E3M2 => F16 Binary16, Bf16 BFloat16, E4m3 Float8E4M3, E5m2 Float8E5M2;
    E2m1 Float4E2M1 =>
        F16 Binary16, Bf16 BFloat16, E4m3 Float8E4M3, E5m2 Float8E5M2, E2m3 Float6E2M3, E3m2 Float6E3M2;
    Ue8m0 Exponent8 => Bf16 BFloat16;
    Ue5m3 Float8UE5M3 => Bf16 BFloat16;
}

macro_rules! fixed {
    ($($to:ident $wider:ident;)*) => {$(
        impl From<S2f6> for $to {
            /// Returns the same value.
            #[inline]
            fn from(x: S2f6) -> Self {
                Self::from_bits(sem::convert::<Fixed2F6, $wider>(Round::Rn, x.to_bits()))
            }
        }
    )*};
}

fixed! { F16 Binary16; Bf16 BFloat16; }

/// One row per type: the type and number of its lanes, and example values with their bits.
macro_rules! packed {
    ($($ty:ident $lane:ident $n:literal $values:literal $bits:literal;)*) => {$(
        /// Conversions.
        impl $ty {
            /// Rounds each lane to nearest, ties to even, and saturates: `cvt.rn.satfinite`. The
            /// lowest lane is first.
            ///
            /// PTX's `cvt` takes the highest lane first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(", $values, ").to_bits(), ", $bits, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn from_f32(lanes: [f32; $n]) -> Self {
                Self::from_array(lanes.map($lane::from_f32))
            }
        }
    )*};
}

packed! {
    E4m3x2 E4m3 2 "[1.0, -0.5]" "0xb038";
    E5m2x2 E5m2 2 "[1.0, -0.5]" "0xb83c";
    E2m3x2 E2m3 2 "[1.0, -0.5]" "0x2408";
    E3m2x2 E3m2 2 "[1.0, -0.5]" "0x280c";
    E2m1x2 E2m1 2 "[1.0, -0.5]" "0x92";
    Ue5m3x2 Ue5m3 2 "[1.0, -0.5]" "0x7078";
    S2f6x2 S2f6 2 "[1.0, -0.5]" "0xe040";
    E4m3x4 E4m3 4 "[1.0, -0.5, 2.0, 0.0]" "0x0040_b038";
    E5m2x4 E5m2 4 "[1.0, -0.5, 2.0, 0.0]" "0x0040_b83c";
    E2m3x4 E2m3 4 "[1.0, -0.5, 2.0, 0.0]" "0x0010_2408";
    E3m2x4 E3m2 4 "[1.0, -0.5, 2.0, 0.0]" "0x0010_280c";
    E2m1x4 E2m1 4 "[1.0, -0.5, 2.0, 0.0]" "0x0492";
    E2m1p4x4 E2m1 4 "[1.0, -0.5, 2.0, 0.0]" "0x0004_0902";
}

macro_rules! values {
    ($($ty:ident $lane:ident $n:literal;)*) => {$(
        /// Lanes as `f32`.
        impl $ty {
            /// Returns the lanes as `f32`, with the same values, the lowest lane first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::ONE.to_f32(), [1.0; ", stringify!($n), "]);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn to_f32(self) -> [f32; $n] {
                self.to_array().map($lane::to_f32)
            }
        }

        impl From<$ty> for [f32; $n] {
            /// Returns the lanes, the lowest lane first.
            #[inline]
            fn from(x: $ty) -> Self {
                x.to_f32()
            }
        }
    )*};
}

values! {
    E4m3x2 E4m3 2;
    E5m2x2 E5m2 2;
    E2m3x2 E2m3 2;
    E3m2x2 E3m2 2;
    E2m1x2 E2m1 2;
    Ue8m0x2 Ue8m0 2;
    Ue5m3x2 Ue5m3 2;
    S2f6x2 S2f6 2;
    E4m3x4 E4m3 4;
    E5m2x4 E5m2 4;
    E2m3x4 E2m3 4;
    E3m2x4 E3m2 4;
    E2m1x4 E2m1 4;
    E2m1p4x4 E2m1 4;
    Ue8m0x4 Ue8m0 4;
}

arrays! {
    E4m3x2 E4m3 2;
    E5m2x2 E5m2 2;
    E2m3x2 E2m3 2;
    E3m2x2 E3m2 2;
    E2m1x2 E2m1 2;
    Ue8m0x2 Ue8m0 2;
    Ue5m3x2 Ue5m3 2;
    S2f6x2 S2f6 2;
    E4m3x4 E4m3 4;
    E5m2x4 E5m2 4;
    E2m3x4 E2m3 4;
    E3m2x4 E3m2 4;
    E2m1x4 E2m1 4;
    E2m1p4x4 E2m1 4;
    Ue8m0x4 Ue8m0 4;
}

lanes! {
    E4m3x2 E4m3;
    E5m2x2 E5m2;
    E2m3x2 E2m3;
    E3m2x2 E3m2;
    E2m1x2 E2m1;
    Ue8m0x2 Ue8m0;
    Ue5m3x2 Ue5m3;
    S2f6x2 S2f6;
}

/// Implements `From` for pairs whose lanes have all numbers of another pair's.
macro_rules! pairs {
    ($($from:ident => $($to:ident $lane:ident),*;)*) => {$($(
        impl From<$from> for $to {
            /// Converts each lane to the same value.
            #[inline]
            fn from(x: $from) -> Self {
                Self::from_lo_hi($lane::from(x.lo()), $lane::from(x.hi()))
            }
        }
    )*)*};
}

pairs! {
    E4m3x2 => F16x2 F16, Bf16x2 Bf16;
    E5m2x2 => F16x2 F16, Bf16x2 Bf16;
    E2m3x2 => F16x2 F16, Bf16x2 Bf16;
    E3m2x2 => F16x2 F16, Bf16x2 Bf16;
    E2m1x2 => F16x2 F16, Bf16x2 Bf16;
    S2f6x2 => F16x2 F16, Bf16x2 Bf16;
    Ue8m0x2 => Bf16x2 Bf16;
    Ue5m3x2 => Bf16x2 Bf16;
}
