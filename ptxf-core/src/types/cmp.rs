//! Comparison of scalars and packed values, with integer operations.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use super::{
    Bf16, Bf16x2, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4,
    E5m2, E5m2x2, E5m2x4, F16, F16x2, F32x2, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};
use crate::format::{
    BFloat16, Binary16, Exponent8, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2, Float8UE5M3, Format,
    TensorFloat32,
};

/// Compares in IEEE's order: zeros are equal, a NaN is unordered.
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

/// Returns IEEE's equality: zeros are equal, a NaN equals nothing.
#[inline(always)]
fn equal<F: Format>(a: F::Bits, b: F::Bits) -> bool {
    !F::is_nan(a) && (a == b && !F::is_nan(b) || F::is_zero(a) && F::is_zero(b))
}

macro_rules! scalar {
    ($($ty:ident $format:ident;)*) => {$(
        impl PartialEq for $ty {
            /// Returns IEEE's equality: +0 equals −0, a NaN equals nothing.
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                equal::<$format>(self.to_bits(), other.to_bits())
            }
        }
    )*};
}

/// Implements the order of formats with NaN.
macro_rules! partial {
    ($($ty:ident $format:ident;)*) => {$(
        impl PartialOrd for $ty {
            /// Compares in IEEE's order: +0 equals −0. Returns `None` if an operand is NaN.
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                compare::<$format>(self.to_bits(), other.to_bits())
            }
        }
    )*};
}

/// One row per type: bits out of order, and sorted.
macro_rules! total {
    ($($ty:ident $unsorted:literal $sorted:literal;)*) => {$(
        /// Order.
        impl $ty {
            /// Compares in IEEE's `totalOrder`, in which no two bit patterns are equal.
            ///
            /// −NaN < −∞ < … < −0 < +0 < … < +∞ < +NaN; NaNs are ordered by payload.
            /// Takes references, as for `f32`, so that it can be passed to `sort_by`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let mut x = ", $unsorted, ".map(", stringify!($ty), "::from_bits);")]
            #[doc = concat!("x.sort_by(", stringify!($ty), "::total_cmp);")]
            #[doc = concat!("assert_eq!(x.map(", stringify!($ty), "::to_bits), ", $sorted, ");")]
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

            /// Maps the bits, in sign and magnitude, to an integer with the same order.
            const fn total_order(self) -> i32 {
                let magnitude = (self.to_bits() & Self::MAGNITUDE) as i32;
                if self.to_bits() & Self::SIGN == 0 { magnitude } else { !magnitude }
            }
        }
    )*};
}

/// Implements the order of formats without NaN, in which every value equals itself.
macro_rules! ordered {
    ($($ty:ident $format:ident;)*) => {$(
        impl Eq for $ty {}

        impl PartialOrd for $ty {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $ty {
            /// Compares the numbers: +0 equals −0.
            #[inline]
            fn cmp(&self, other: &Self) -> Ordering {
                compare::<$format>(self.to_bits(), other.to_bits()).unwrap_or(Ordering::Equal)
            }
        }

        impl Hash for $ty {
            /// Hashes +0 and −0, which are equal, to the same value.
            #[inline]
            fn hash<H: Hasher>(&self, state: &mut H) {
                let bits = self.to_bits();
                (if $format::is_zero(bits) { 0 } else { bits }).hash(state);
            }
        }
    )*};
}

scalar! {
    F16 Binary16;
    Bf16 BFloat16;
    Tf32 TensorFloat32;
    E4m3 Float8E4M3;
    E5m2 Float8E5M2;
    E2m3 Float6E2M3;
    E3m2 Float6E3M2;
    E2m1 Float4E2M1;
    Ue8m0 Exponent8;
    Ue5m3 Float8UE5M3;
}

partial! {
    F16 Binary16;
    Bf16 BFloat16;
    Tf32 TensorFloat32;
    E4m3 Float8E4M3;
    E5m2 Float8E5M2;
    Ue8m0 Exponent8;
    Ue5m3 Float8UE5M3;
}

total! {
    F16 "[0x7fff, 0x0000, 0x8000]" "[0x8000, 0x0000, 0x7fff]";
    Bf16 "[0x7fff, 0x0000, 0x8000]" "[0x8000, 0x0000, 0x7fff]";
    Tf32 "[0x7fff_e000, 0x0000_0000, 0x8000_0000]" "[0x8000_0000, 0x0000_0000, 0x7fff_e000]";
    E4m3 "[0x7f, 0x00, 0x80]" "[0x80, 0x00, 0x7f]";
    E5m2 "[0x7f, 0x00, 0x80]" "[0x80, 0x00, 0x7f]";
    E2m3 "[0x1f, 0x00, 0x20]" "[0x20, 0x00, 0x1f]";
    E3m2 "[0x1f, 0x00, 0x20]" "[0x20, 0x00, 0x1f]";
    E2m1 "[0x7, 0x0, 0x8]" "[0x8, 0x0, 0x7]";
}

ordered! { E2m3 Float6E2M3; E3m2 Float6E3M2; E2m1 Float4E2M1; }

macro_rules! packed {
    ($($ty:ident)*) => {$(
        impl PartialEq for $ty {
            /// Returns `true` if all lanes are equal: +0 equals −0, a NaN equals nothing.
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.to_array() == other.to_array()
            }
        }
    )*};
}

packed! {
    F16x2 Bf16x2 F32x2 E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue8m0x2 Ue5m3x2 S2f6x2 E4m3x4 E5m2x4 E2m3x4
    E3m2x4 E2m1x4 E2m1p4x4 Ue8m0x4
}

/// Implements `Eq` for packed types whose lanes always equal themselves.
macro_rules! packed_eq {
    ($($ty:ident)*) => {$(
        impl Eq for $ty {}

        impl Hash for $ty {
            #[inline]
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.to_array().hash(state);
            }
        }
    )*};
}

packed_eq! { E2m3x2 E3m2x2 E2m1x2 S2f6x2 E2m3x4 E3m2x4 E2m1x4 E2m1p4x4 }
