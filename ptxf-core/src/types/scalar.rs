//! `F16` and `Bf16`.

/// A 16-bit float, `.f16`: IEEE 754 binary16.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct F16(u16);

/// A 16-bit float, `.bf16`: the upper half of a binary32.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Bf16(u16);

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        impl $ty {
            /// The value with the given bits.
            #[must_use]
            #[inline]
            pub const fn from_bits(bits: u16) -> Self {
                Self(bits)
            }

            /// The bits.
            #[must_use]
            #[inline]
            pub const fn to_bits(self) -> u16 {
                self.0
            }
        }
    )*};
}

scalar!(F16 Bf16);
