//! Serialization: as bits by default, or as readable text.
//!
//! `Serialize` and `Deserialize` use the register bits as an integer, so every value, also a NaN,
//! is restored exactly. [`lanes`] uses text.

use core::fmt;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::types::*;

macro_rules! bits {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Serialize for $ty {
            /// Writes the bits, as an integer.
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_bits().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $ty {
            /// Reads the bits, as an integer.
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $bits::deserialize(deserializer).map(Self::from_bits)
            }
        }
    )*};
}

for_each_type!(bits);

/// Values as text, `"1.5"` or `"(1, -0.5)"`, for `#[serde(with = "ptxf::serde::lanes")]`.
///
/// Text also represents infinities and NaN, which JSON's numbers do not. The text is the shortest
/// that is read back as the same value; a NaN is read back as the canonical NaN.
///
/// # Examples
///
/// ```
/// use ptxf::F16x2;
/// use ptxf::serde::lanes;
///
/// let mut json = Vec::new();
/// let x = F16x2::from_f32([0.1, f32::INFINITY]);
/// lanes::serialize(&x, &mut serde_json::Serializer::new(&mut json))?;
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
    /// Returns the errors of the serializer.
    #[inline]
    pub fn serialize<T: Display, S: Serializer>(x: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(x)
    }

    /// Reads the text of a value.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no text, or if the text is not a value of the type.
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
