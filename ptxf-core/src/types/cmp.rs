//! Comparison of scalars and pairs, in integers.

use core::cmp::Ordering;

use super::{Bf16, Bf16x2, F16, F16x2, F32x2};
use crate::format::{BFloat16, Binary16, Binary32, Format};

/// IEEE's order: zeros are equal, a NaN is unordered.
#[inline(always)]
fn compare<F: Format>(a: F::Bits, b: F::Bits) -> Option<Ordering> {
    if F::is_nan(a) || F::is_nan(b) {
        return None;
    }
    if F::is_zero(a) && F::is_zero(b) {
        return Some(Ordering::Equal);
    }
    let magnitudes = F::magnitude(a).cmp(&F::magnitude(b));
    Some(match (F::is_negative(a), F::is_negative(b)) {
        (false, false) => magnitudes,
        (true, true) => magnitudes.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// IEEE's equality: zeros are equal, a NaN equals nothing.
#[inline(always)]
fn equal<F: Format>(a: F::Bits, b: F::Bits) -> bool {
    !F::is_nan(a) && (a == b && !F::is_nan(b) || F::is_zero(a) && F::is_zero(b))
}

macro_rules! scalar {
    ($($ty:ident $format:ident;)*) => {$(
        impl PartialEq for $ty {
            /// IEEE's equality: +0 equals −0, a NaN equals nothing.
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                equal::<$format>(self.to_bits(), other.to_bits())
            }
        }

        impl PartialOrd for $ty {
            /// IEEE's order: +0 equals −0; `None` if one is a NaN.
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                compare::<$format>(self.to_bits(), other.to_bits())
            }
        }

        /// Order.
        impl $ty {
            /// IEEE's `totalOrder`: every bit pattern has its place.
            ///
            /// −NaN < −∞ < … < −0 < +0 < … < +∞ < +NaN; NaNs are ordered by payload.
            /// Takes references, as `f32` does, so that it can be handed to `sort_by`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let mut x = [", stringify!($ty), "::CANONICAL_NAN, ", stringify!($ty), "::ZERO, ", stringify!($ty), "::NEG_ZERO];")]
            #[doc = concat!("x.sort_by(", stringify!($ty), "::total_cmp);")]
            #[doc = concat!("assert_eq!(x.map(", stringify!($ty), "::to_bits), [0x8000, 0x0000, 0x7fff]);")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn total_cmp(&self, other: &Self) -> Ordering {
                let (a, b) = (self.total_order(), other.total_order());
                if a < b {
                    Ordering::Less
                } else if a > b {
                    Ordering::Greater
                } else {
                    Ordering::Equal
                }
            }

            /// Bits in sign and magnitude, turned into two's complement.
            const fn total_order(self) -> i16 {
                let bits = self.to_bits() as i16;
                if bits < 0 { bits ^ i16::MAX } else { bits }
            }
        }
    )*};
}

scalar! { F16 Binary16; Bf16 BFloat16; }

macro_rules! pair {
    ($($ty:ident $format:ident;)*) => {$(
        impl PartialEq for $ty {
            /// Whether both lanes are equal: +0 equals −0, a NaN equals nothing.
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                equal::<$format>(self.lo().to_bits(), other.lo().to_bits())
                    && equal::<$format>(self.hi().to_bits(), other.hi().to_bits())
            }
        }
    )*};
}

pair! { F16x2 Binary16; Bf16x2 BFloat16; F32x2 Binary32; }
