//! Input for fuzzers: every bit pattern, NaNs included.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::types::*;

macro_rules! arbitrary {
    ($($ty:ident $bits:ident;)*) => {$(
        impl<'a> Arbitrary<'a> for $ty {
            /// Returns any bit pattern.
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

for_each_type!(arbitrary);
