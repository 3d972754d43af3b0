//! Conversions to and from the types of `half`, which have the same bits and other arithmetic.

use crate::types::{Bf16, F16};

macro_rules! half {
    ($($ty:ident $half:ident $bits:literal;)*) => {$(
        impl From<half::$half> for $ty {
            /// Returns the same bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from(half::", stringify!($half), "::from_f32(0.1));")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $bits, ");")]
            /// ```
            #[inline]
            fn from(x: half::$half) -> Self {
                Self::from_bits(x.to_bits())
            }
        }

        impl From<$ty> for half::$half {
            /// Returns the same bits.
            #[inline]
            fn from(x: $ty) -> Self {
                Self::from_bits(x.to_bits())
            }
        }
    )*};
}

half! {
    F16 f16 "0x2e66";
    Bf16 bf16 "0x3dcd";
}
