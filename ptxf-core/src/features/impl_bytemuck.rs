//! Casts of slices: `bytemuck::cast_slice::<u16, F16>(bits)`.
// Invariant: the types are `repr(transparent)` over integers, and every bit pattern is a value: bits that a type does not use are not looked at.

#![expect(unsafe_code, reason = "the traits are promises about the types' layout")]

use bytemuck::{Pod, Zeroable};

use crate::types::{
    Bf16, Bf16x2, E2m1, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue8m0, Ue8m0x2,
};

macro_rules! pod {
    ($($ty:ident)*) => {$(
        // SAFETY: the type is `repr(transparent)` over an unsigned integer, for which all bits zero is a value.
        unsafe impl Zeroable for $ty {}

        // SAFETY: the type is `repr(transparent)` over an unsigned integer. So it is `Copy + 'static`, has no padding
        // and no interior mutability, and every bit pattern is a value: no constructor excludes any.
        unsafe impl Pod for $ty {}
    )*};
}

pod! {
    F16 Bf16 F16x2 Bf16x2 F32x2 Tf32 E4m3 E5m2 E2m3 E3m2 E2m1 Ue8m0 S2f6 E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue8m0x2 S2f6x2 E4m3x4 E5m2x4 E2m3x4 E3m2x4 E2m1x4
}
