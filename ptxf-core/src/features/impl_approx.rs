//! Comparison within a tolerance, for tests of code that computes *with* the types. Their own
//! results are exact.

use approx::{AbsDiffEq, RelativeEq, UlpsEq};

use crate::types::{Bf16, Bf16x2, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F16x2, F32x2};

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        impl AbsDiffEq for $ty {
            type Epsilon = Self;

            #[inline]
            fn default_epsilon() -> Self {
                Self::EPSILON
            }

            /// Compares the difference in `f64`.
            #[inline]
            fn abs_diff_eq(&self, other: &Self, epsilon: Self) -> bool {
                self.to_f64().abs_diff_eq(&other.to_f64(), epsilon.to_f64())
            }
        }

        impl RelativeEq for $ty {
            #[inline]
            fn default_max_relative() -> Self {
                Self::EPSILON
            }

            /// Compares the difference in `f64`.
            #[inline]
            fn relative_eq(&self, other: &Self, epsilon: Self, max_relative: Self) -> bool {
                self.to_f64().relative_eq(&other.to_f64(), epsilon.to_f64(), max_relative.to_f64())
            }
        }

        impl UlpsEq for $ty {
            #[inline]
            fn default_max_ulps() -> u32 {
                4
            }

            /// Returns `true` if the numbers differ by at most `epsilon`, or have the same sign and
            /// at most `max_ulps - 1` numbers between them.
            #[inline]
            fn ulps_eq(&self, other: &Self, epsilon: Self, max_ulps: u32) -> bool {
                self.abs_diff_eq(other, epsilon)
                    || !self.is_nan()
                        && !other.is_nan()
                        && self.is_sign_negative() == other.is_sign_negative()
                        && u32::from(self.to_bits().abs_diff(other.to_bits())) <= max_ulps
            }
        }
    )*};
}

scalar! { F16 Bf16 E4m3 E5m2 E2m3 E3m2 E2m1 }

macro_rules! pair {
    ($($ty:ident $lane:ident;)*) => {$(
        impl AbsDiffEq for $ty {
            type Epsilon = $lane;

            #[inline]
            fn default_epsilon() -> $lane {
                $lane::default_epsilon()
            }

            /// Returns `true` if both lanes are within the tolerance.
            #[inline]
            fn abs_diff_eq(&self, other: &Self, epsilon: $lane) -> bool {
                self.lo().abs_diff_eq(&other.lo(), epsilon) && self.hi().abs_diff_eq(&other.hi(), epsilon)
            }
        }

        impl RelativeEq for $ty {
            #[inline]
            fn default_max_relative() -> $lane {
                $lane::default_max_relative()
            }

            /// Returns `true` if both lanes are within the tolerance.
            #[inline]
            fn relative_eq(&self, other: &Self, epsilon: $lane, max_relative: $lane) -> bool {
                self.lo().relative_eq(&other.lo(), epsilon, max_relative)
                    && self.hi().relative_eq(&other.hi(), epsilon, max_relative)
            }
        }

        impl UlpsEq for $ty {
            #[inline]
            fn default_max_ulps() -> u32 {
                $lane::default_max_ulps()
            }

            /// Returns `true` if both lanes are within the tolerance.
            #[inline]
            fn ulps_eq(&self, other: &Self, epsilon: $lane, max_ulps: u32) -> bool {
                self.lo().ulps_eq(&other.lo(), epsilon, max_ulps) && self.hi().ulps_eq(&other.hi(), epsilon, max_ulps)
            }
        }
    )*};
}

pair! { F16x2 F16; Bf16x2 Bf16; F32x2 f32; }
