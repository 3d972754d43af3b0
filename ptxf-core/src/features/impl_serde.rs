//! Serialization: bits by default, readable values on request.
//!
//! `Serialize` and `Deserialize` write the register bits as an integer, so that every value, NaNs included, comes back
//! as it was. [`lanes`] writes the values as text.

use core::fmt;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::types::{
    Bf16, Bf16x2, E2m1, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue8m0, Ue8m0x2,
};

macro_rules! bits {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Serialize for $ty {
            /// The bits, as an integer.
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_bits().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $ty {
            /// From the bits, an integer.
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $bits::deserialize(deserializer).map(Self::from_bits)
            }
        }
    )*};
}

bits! { F16 u16; Bf16 u16; F16x2 u32; Bf16x2 u32; F32x2 u64; }

bits! {
    Tf32 u32;
    E4m3 u8;
    E5m2 u8;
    E2m3 u8;
    E3m2 u8;
    E2m1 u8;
    Ue8m0 u8;
    S2f6 u8;
    E4m3x2 u16;
    E5m2x2 u16;
    E2m3x2 u16;
    E3m2x2 u16;
    E2m1x2 u8;
    Ue8m0x2 u16;
    S2f6x2 u16;
    E4m3x4 u32;
    E5m2x4 u32;
    E2m3x4 u32;
    E3m2x4 u32;
    E2m1x4 u16;
}

/// Values as text, `"1.5"` or `"(1, -0.5)"`, for `#[serde(with = "ptxf::serde::lanes")]`.
///
/// Text also holds infinities and NaN, which JSON's numbers do not. The shortest text is written that reads back as the
/// same value; a NaN reads back as the canonical one.
///
/// # Examples
///
/// ```
/// use ptxf::F16x2;
/// use ptxf::serde::lanes;
///
/// let mut json = Vec::new();
/// lanes::serialize(&F16x2::from_f32([0.1, f32::INFINITY]), &mut serde_json::Serializer::new(&mut json))?;
/// assert_eq!(json, br#""(0.1, inf)""#);
///
/// let back: F16x2 = lanes::deserialize(&mut serde_json::Deserializer::from_slice(&json))?;
/// assert_eq!(back.to_bits(), 0x7c00_2e66);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod lanes {
    use core::fmt::Display;
    use core::marker::PhantomData;
    use core::str::FromStr;

    use serde_core::de::{Deserializer, Error, Visitor};
    use serde_core::ser::Serializer;

    use super::fmt;

    /// Writes the text of `x`.
    ///
    /// # Errors
    ///
    /// It returns the errors of the serializer.
    #[inline]
    pub fn serialize<T: Display, S: Serializer>(x: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(x)
    }

    /// Reads the text of a value.
    ///
    /// # Errors
    ///
    /// It returns an error if there is no text, or if the text spells no value of the type.
    #[inline]
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(Text(PhantomData))
    }

    struct Text<T>(PhantomData<T>);

    impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number, or two or four of them, as text")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }
}
