//! The list of all types, with the integer types of their bits.

/// Expands to `callback! { F16 u16; … }`.
macro_rules! for_each_type {
    ($callback:ident) => {
        $callback! {
            F16 u16;
            F16x2 u32;
            Bf16 u16;
            Bf16x2 u32;
            F32x2 u64;
            Tf32 u32;
            E4m3 u8;
            E4m3x2 u16;
            E4m3x4 u32;
            E5m2 u8;
            E5m2x2 u16;
            E5m2x4 u32;
            E2m3 u8;
            E2m3x2 u16;
            E2m3x4 u32;
            E3m2 u8;
            E3m2x2 u16;
            E3m2x4 u32;
            E2m1 u8;
            E2m1x2 u8;
            E2m1x4 u16;
            E2m1p4x4 u32;
            Ue8m0 u8;
            Ue8m0x2 u16;
            Ue8m0x4 u32;
            S2f6 u8;
            S2f6x2 u16;
            Ue5m3 u8;
            Ue5m3x2 u16;
        }
    };
}

pub(crate) use for_each_type;
