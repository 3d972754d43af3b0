//! `half`'s types are the same bits; its arithmetic is not ours.

use crate::types::{Bf16, F16};

macro_rules! half {
    ($($ty:ident $half:ident;)*) => {$(
        impl From<half::$half> for $ty {
            /// The same bits.
            #[inline]
            fn from(x: half::$half) -> Self {
                Self::from_bits(x.to_bits())
            }
        }

        impl From<$ty> for half::$half {
            /// The same bits.
            #[inline]
            fn from(x: $ty) -> Self {
                Self::from_bits(x.to_bits())
            }
        }
    )*};
}

half! { F16 f16; Bf16 bf16; }
