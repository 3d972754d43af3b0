//! Lanes of a register, for functions that a device computes lane by lane.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2};

/// A register to whose lanes a fallible function is applied.
pub(super) trait Register: Copy {
    /// The bits of a lane.
    type Lane;

    fn map1<E>(self, f: impl Fn(Self::Lane) -> Result<Self::Lane, E>) -> Result<Self, E>;
    fn map2<E>(self, b: Self, f: impl Fn(Self::Lane, Self::Lane) -> Result<Self::Lane, E>) -> Result<Self, E>;
}

macro_rules! scalar {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Register for $ty {
            type Lane = $bits;

            fn map1<E>(self, f: impl Fn($bits) -> Result<$bits, E>) -> Result<Self, E> {
                f(self.to_bits()).map(Self::from_bits)
            }

            fn map2<E>(self, b: Self, f: impl Fn($bits, $bits) -> Result<$bits, E>) -> Result<Self, E> {
                f(self.to_bits(), b.to_bits()).map(Self::from_bits)
            }
        }
    )*};
}

scalar! { F16 u16; Bf16 u16; f32 u32; f64 u64; }

macro_rules! pair {
    ($($ty:ident;)*) => {$(
        impl Register for $ty {
            type Lane = u16;

            fn map1<E>(self, f: impl Fn(u16) -> Result<u16, E>) -> Result<Self, E> {
                let [low, high] = self.to_array();
                Ok(Self::from_array([low.map1(&f)?, high.map1(&f)?]))
            }

            fn map2<E>(self, b: Self, f: impl Fn(u16, u16) -> Result<u16, E>) -> Result<Self, E> {
                let ([a0, a1], [b0, b1]) = (self.to_array(), b.to_array());
                Ok(Self::from_array([a0.map2(b0, &f)?, a1.map2(b1, &f)?]))
            }
        }
    )*};
}

pair! { F16x2; Bf16x2; }
