//! The traits of `num-traits` that need no division, and for the narrow types no arithmetic.
//!
//! `Num`, and so `Float` and `FloatCore`, require `Div` and `Rem`, which PTX lacks in half
//! precision.

mod cast;

use num_traits::{
    Bounded, ConstOne, ConstZero, FromBytes, MulAdd, MulAddAssign, One, ToBytes, Zero, float::TotalOrder,
};

use crate::types::{Bf16, Bf16x2, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F16x2, F32x2, S2f6, Tf32, Ue5m3, Ue8m0};

macro_rules! ring {
    ($($ty:ident)*) => {$(
        impl Zero for $ty {
            /// Returns +0.
            #[inline]
            fn zero() -> Self {
                Self::ZERO
            }

            /// Returns `true` for a zero of either sign.
            #[inline]
            fn is_zero(&self) -> bool {
                *self == Self::ZERO
            }
        }

        impl One for $ty {
            #[inline]
            fn one() -> Self {
                Self::ONE
            }
        }

        impl ConstZero for $ty {
            const ZERO: Self = Self::ZERO;
        }

        impl ConstOne for $ty {
            const ONE: Self = Self::ONE;
        }

        impl MulAdd for $ty {
            type Output = Self;

            /// Computes `self · a + b`, rounded once.
            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.fma_rn(a, b)
            }
        }

        impl MulAddAssign for $ty {
            /// Computes `self · a + b`, rounded once.
            #[inline]
            fn mul_add_assign(&mut self, a: Self, b: Self) {
                *self = self.fma_rn(a, b);
            }
        }
    )*};
}

ring! { F16 Bf16 F16x2 Bf16x2 F32x2 }

macro_rules! bounded {
    ($($ty:ident)*) => {$(
        impl Bounded for $ty {
            /// Returns the smallest finite number.
            #[inline]
            fn min_value() -> Self {
                Self::MIN
            }

            /// Returns the largest finite number.
            #[inline]
            fn max_value() -> Self {
                Self::MAX
            }
        }
    )*};
}

bounded! { F16 Bf16 Tf32 E4m3 E5m2 E2m3 E3m2 E2m1 Ue8m0 Ue5m3 S2f6 }

macro_rules! total {
    ($($ty:ident)*) => {$(
        impl TotalOrder for $ty {
            #[inline]
            fn total_cmp(&self, other: &Self) -> core::cmp::Ordering {
                Self::total_cmp(self, other)
            }
        }

    )*};
}

total! { F16 Bf16 Tf32 E4m3 E5m2 E2m3 E3m2 E2m1 Ue8m0 }

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        impl ToBytes for $ty {
            type Bytes = [u8; 2];

            #[inline]
            fn to_be_bytes(&self) -> [u8; 2] {
                Self::to_be_bytes(*self)
            }

            #[inline]
            fn to_le_bytes(&self) -> [u8; 2] {
                Self::to_le_bytes(*self)
            }
        }

        impl FromBytes for $ty {
            type Bytes = [u8; 2];

            #[inline]
            fn from_be_bytes(bytes: &[u8; 2]) -> Self {
                Self::from_be_bytes(*bytes)
            }

            #[inline]
            fn from_le_bytes(bytes: &[u8; 2]) -> Self {
                Self::from_le_bytes(*bytes)
            }
        }
    )*};
}

scalar! { F16 Bf16 }
