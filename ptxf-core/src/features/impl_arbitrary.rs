//! Input for fuzzers: every bit pattern, NaNs included.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

macro_rules! arbitrary {
    ($($ty:ident $bits:ident;)*) => {$(
        impl<'a> Arbitrary<'a> for $ty {
            /// Any bit pattern.
            #[inline]
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                $bits::arbitrary(u).map(Self::from_bits)
            }

            #[inline]
            fn size_hint(depth: usize) -> (usize, Option<usize>) {
                <$bits as Arbitrary>::size_hint(depth)
            }
        }
    )*};
}

arbitrary! { F16 u16; Bf16 u16; F16x2 u32; Bf16x2 u32; F32x2 u64; }
