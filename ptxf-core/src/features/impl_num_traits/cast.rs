//! Conversions through traits. Each rounds once.

use num_traits::{AsPrimitive, FromPrimitive, NumCast, ToPrimitive};

use crate::format::{
    BFloat16, Binary16, Binary64, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2, Format, TensorFloat32,
};
use crate::int::Int;
use crate::modifiers::Modifiers;
use crate::sem;
use crate::types::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, Tf32};

/// Rounds the integer `±magnitude` to nearest, ties to even. In eight bits and fewer it saturates,
/// like all conversions.
fn from_integer<F: Format>(negative: bool, magnitude: u128) -> F::Bits {
    // Bits that an f64 cannot hold are jammed into its last bit, far below the bits that decide the
    // rounding to `F`.
    let excess = magnitude.bit_len().saturating_sub(Binary64::PRECISION);
    let significand: u64 = magnitude.shr_jam(excess).cast();
    let scale = excess as u64 + Binary64::EMAX as u64;
    // Exact: a 53-bit integer times a power of two.
    let exact = significand as f64 * f64::from_bits(scale << Binary64::FRACTION_BITS);
    let m = Modifiers::PLAIN.with_satfinite(F::Bits::BITS <= 8);
    sem::cvt::<Binary64, F>(m, Binary64::signed(negative, exact.to_bits()))
}

macro_rules! scalar {
    ($($ty:ident $format:ident;)*) => {$(
        /// Converts through `f64`, which is exact; integers are rounded toward zero.
        impl ToPrimitive for $ty {
            #[inline]
            fn to_i64(&self) -> Option<i64> {
                (*self).to_f64().to_i64()
            }

            #[inline]
            fn to_u64(&self) -> Option<u64> {
                (*self).to_f64().to_u64()
            }

            #[inline]
            fn to_i128(&self) -> Option<i128> {
                (*self).to_f64().to_i128()
            }

            #[inline]
            fn to_u128(&self) -> Option<u128> {
                (*self).to_f64().to_u128()
            }

            #[inline]
            fn to_f32(&self) -> Option<f32> {
                Some((*self).to_f32())
            }

            #[inline]
            fn to_f64(&self) -> Option<f64> {
                Some((*self).to_f64())
            }
        }

        /// Rounds once to nearest, and never returns `None`. A number out of range gives infinity,
        /// or the largest number if conversions saturate.
        impl FromPrimitive for $ty {
            #[inline]
            fn from_i64(n: i64) -> Option<Self> {
                Self::from_i128(n.into())
            }

            #[inline]
            fn from_u64(n: u64) -> Option<Self> {
                Self::from_u128(n.into())
            }

            #[inline]
            fn from_i128(n: i128) -> Option<Self> {
                Some(Self::from_bits(from_integer::<$format>(n < 0, n.unsigned_abs())))
            }

            #[inline]
            fn from_u128(n: u128) -> Option<Self> {
                Some(Self::from_bits(from_integer::<$format>(false, n)))
            }

            #[inline]
            fn from_f32(x: f32) -> Option<Self> {
                Some(Self::from_f32(x))
            }

            #[inline]
            fn from_f64(x: f64) -> Option<Self> {
                Some(Self::from_f64(x))
            }
        }

        /// Rounds once to nearest. A number out of range gives infinity, or the largest number if
        /// conversions saturate.
        impl NumCast for $ty {
            fn from<T: ToPrimitive>(n: T) -> Option<Self> {
                let near = n.to_f64()?;
                // From this size on `to_f64` may have rounded an integer, and a float is an
                // integer.
                const EXACT: f64 = (1_u64 << Binary64::PRECISION) as f64;
                if near.abs() >= EXACT {
                    if let Some(n) = n.to_i128() {
                        return Self::from_i128(n);
                    }
                    if let Some(n) = n.to_u128() {
                        return Self::from_u128(n);
                    }
                }
                Some(Self::from_f64(near))
            }
        }

        as_primitive!($ty => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
        from_primitive!($ty $format: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
        named!($ty => f32 |x| x.to_f32());
        named!($ty => f64 |x| x.to_f64());
        named!($ty => $ty |x| x);
        named!(f32 => $ty |x| $ty::from_f32(x));
        named!(f64 => $ty |x| $ty::from_f64(x));
    )*};
}

macro_rules! as_primitive {
    ($ty:ident => $($integer:ident)*) => {$(
        impl AsPrimitive<$integer> for $ty {
            /// Rounds toward zero and saturates, like `as` for `f32`.
            #[inline]
            fn as_(self) -> $integer {
                self.to_f64() as $integer
            }
        }
    )*};
}

macro_rules! from_primitive {
    ($ty:ident $format:ident: $($integer:ident)*) => {$(
        impl AsPrimitive<$ty> for $integer {
            /// Rounds once to nearest.
            #[inline]
            fn as_(self) -> $ty {
                #[allow(unused_comparisons, reason = "the unsigned integers share the code")]
                let negative = self < 0;
                let magnitude = if negative { (self as i128).unsigned_abs() } else { self as u128 };
                $ty::from_bits(from_integer::<$format>(negative, magnitude))
            }
        }
    )*};
}

macro_rules! named {
    ($from:ident => $to:ident |$x:ident| $result:expr) => {
        impl AsPrimitive<$to> for $from {
            #[inline]
            fn as_(self) -> $to {
                let $x = self;
                $result
            }
        }
    };
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
}
named!(F16 => Bf16 |x| Bf16::from_f16(x));
named!(Bf16 => F16 |x| F16::from_bf16(x));
