//! An element of a slice, as register bits.

use ptxf_core::{
    Bf16, Bf16x2, E2m1x2, E2m3x2, E3m2x2, E4m3x2, E5m2x2, F16, F16x2, F32x2, S2f6x2, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2,
};

/// An element as register bits.
pub trait Element: Copy {
    /// The element of the lower bits.
    fn from_u64(bits: u64) -> Self;
    /// Returns the bits, with zeros above them.
    fn to_u64(self) -> u64;
}

macro_rules! elements {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Element for $ty {
            fn from_u64(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn to_u64(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

elements! {
    F16 u16; Bf16 u16; F16x2 u32; Bf16x2 u32; f32 u32; F32x2 u64; f64 u64; Tf32 u32;
    E4m3x2 u16; E5m2x2 u16; E2m3x2 u16; E3m2x2 u16; E2m1x2 u8; Ue8m0x2 u16; S2f6x2 u16; Ue8m0 u8; Ue5m3x2 u16;
}

macro_rules! integers {
    ($($unsigned:ident $signed:ident;)*) => {$(
        impl Element for $unsigned {
            fn from_u64(bits: u64) -> Self {
                bits as Self
            }
            fn to_u64(self) -> u64 {
                self.into()
            }
        }

        impl Element for $signed {
            fn from_u64(bits: u64) -> Self {
                (bits as $unsigned).cast_signed()
            }
            fn to_u64(self) -> u64 {
                self.cast_unsigned().into()
            }
        }
    )*};
}

integers! { u8 i8; u16 i16; u32 i32; u64 i64; }
