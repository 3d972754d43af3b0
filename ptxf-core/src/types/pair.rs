//! `F16x2`, `Bf16x2` and `F32x2`.

/// Two `.f16` lanes in a 32-bit register, `.f16x2`.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct F16x2(u32);

/// Two `.bf16` lanes in a 32-bit register, `.bf16x2`.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Bf16x2(u32);

/// Two `.f32` lanes in a 64-bit register, `.f32x2`.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct F32x2(u64);

macro_rules! pair {
    ($($ty:ident $bits:ident)*) => {$(
        impl $ty {
            /// The pair with the given register bits; the lower lane is in the low half.
            #[must_use]
            #[inline]
            pub const fn from_bits(bits: $bits) -> Self {
                Self(bits)
            }

            /// The register bits.
            #[must_use]
            #[inline]
            pub const fn to_bits(self) -> $bits {
                self.0
            }
        }
    )*};
}

pair!(F16x2 u32 Bf16x2 u32 F32x2 u64);
