//! Casts of slices: `bytemuck::cast_slice::<u16, F16>(bits)`.
// Invariant: the types are `repr(transparent)` over integers, and every bit pattern is a value: unused bits are ignored.

#![expect(unsafe_code, reason = "the traits guarantee the types' layout")]

use bytemuck::{Pod, Zeroable};

use crate::types::*;

macro_rules! pod {
    ($($ty:ident $bits:ident;)*) => {$(
        // SAFETY: the type is `repr(transparent)` over an unsigned integer, for which all bits zero
        // is a value.
        unsafe impl Zeroable for $ty {}

        // SAFETY: the type is `repr(transparent)` over an unsigned integer. So it is `Copy +
        // 'static`, has no padding and no interior mutability, and every bit pattern is a value: no
        // constructor excludes any.
        unsafe impl Pod for $ty {}
    )*};
}

for_each_type!(pod);
