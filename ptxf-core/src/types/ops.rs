//! Operators: the `.rn` instructions.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Bf16, Bf16x2, F16, F16x2, F32x2};

/// Implements `T op T` by a method, and the operators with references and with assignment.
macro_rules! binary {
    ($ty:ident $op:ident $function:ident $assign:ident $assign_function:ident $method:ident) => {
        impl $op for $ty {
            type Output = Self;
            #[doc = concat!("Computes [`", stringify!($method), "`](Self::", stringify!($method), ").")]
            #[inline]
            fn $function(self, b: Self) -> Self {
                self.$method(b)
            }
        }

        impl $op<&Self> for $ty {
            type Output = Self;
            #[inline]
            fn $function(self, b: &Self) -> Self {
                self.$method(*b)
            }
        }

        impl $op<$ty> for &$ty {
            type Output = $ty;
            #[inline]
            fn $function(self, b: $ty) -> $ty {
                self.$method(b)
            }
        }

        impl $op for &$ty {
            type Output = $ty;
            #[inline]
            fn $function(self, b: Self) -> $ty {
                self.$method(*b)
            }
        }

        impl $assign for $ty {
            #[inline]
            fn $assign_function(&mut self, b: Self) {
                *self = self.$method(b);
            }
        }

        impl $assign<&Self> for $ty {
            #[inline]
            fn $assign_function(&mut self, b: &Self) {
                *self = self.$method(*b);
            }
        }
    };
}

macro_rules! ops {
    ($($ty:ident $sign:expr, $values:literal $result:literal;)*) => {$(
        binary!($ty Add add AddAssign add_assign add_rn);
        binary!($ty Sub sub SubAssign sub_assign sub_rn);
        binary!($ty Mul mul MulAssign mul_assign mul_rn);

        impl Neg for $ty {
            type Output = Self;
            /// Flips the sign bit, also of zeros and NaNs.
            #[inline]
            fn neg(self) -> Self {
                Self::from_bits(self.to_bits() ^ $sign)
            }
        }

        impl Neg for &$ty {
            type Output = $ty;
            #[inline]
            fn neg(self) -> $ty {
                -*self
            }
        }

        /// Operations with one rounding.
        impl $ty {
            /// Computes `self · a + b`, rounded once: [`fma_rn`](Self::fma_rn).
            ///
            /// The method of this name in the crate `half` rounds to `f32` first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let [a, b, c] = ", $values, ".map(", stringify!($ty), "::from_bits);")]
            #[doc = concat!("assert_eq!(a.mul_add(b, c).to_bits(), ", $result, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn mul_add(self, a: Self, b: Self) -> Self {
                self.fma_rn(a, b)
            }
        }

        impl Sum for $ty {
            /// Computes `((−0 + x₀) + x₁) + …`, each sum rounded: in order, with one accumulator.
            ///
            /// The sum starts from −0, the neutral element, as for `f32`. So the sum of no numbers
            /// is −0.
            #[inline]
            fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
                numbers.fold(Self::NEG_ZERO, Self::add_rn)
            }
        }

        impl<'a> Sum<&'a Self> for $ty {
            /// Computes `((−0 + x₀) + x₁) + …`, each sum rounded: in order, with one accumulator.
            #[inline]
            fn sum<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().sum()
            }
        }

        impl Product for $ty {
            /// Computes `((1 · x₀) · x₁) · …`, each product rounded: in order, with one
            /// accumulator.
            #[inline]
            fn product<I: Iterator<Item = Self>>(numbers: I) -> Self {
                numbers.fold(Self::ONE, Self::mul_rn)
            }
        }

        impl<'a> Product<&'a Self> for $ty {
            /// Computes `((1 · x₀) · x₁) · …`, each product rounded: in order, with one
            /// accumulator.
            #[inline]
            fn product<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().product()
            }
        }
    )*};
}

ops! {
    F16 1 << 15, "[0x3c01, 0x0ffe, 0x3c01]" "0x3c01";
    Bf16 1 << 15, "[0x4360, 0x4314, 0xb580]" "0x4701";
    F16x2 0x8000_8000, "[0x3c01_3c01, 0x0ffe_3c00, 0x3c01_3c00]" "0x3c01_4000";
    Bf16x2 0x8000_8000, "[0x4360_3f80, 0x4314_3f80, 0xb580_3f80]" "0x4701_4000";
    F32x2 0x8000_0000_8000_0000, "[0x3f80_0001_3f80_0000, 0x3f80_0001_3f80_0000, 0xbf80_0002_3f80_0000]" "0x2880_0000_4000_0000";
}
