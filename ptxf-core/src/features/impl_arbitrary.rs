//! Input for fuzzers: every bit pattern, NaNs included.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::types::{
    Bf16, Bf16x2, E2m1, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue8m0, Ue8m0x2,
};

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

arbitrary! {
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
