//! Encodings of numbers: floating point, and two's complement with or without a fraction.

use core::fmt::Debug;

use super::arith::clamp;
use super::number::{Finite, Number, flush_input, unpack};
use super::round::{Rounding, quotient, round_sig};
use crate::format::{Binary32, Fixed2F6, Format};
use crate::int::Int;
use crate::modifiers::Modifiers;

/// A source or destination format of a conversion.
///
/// Sealed: every [`Format`], the integers of 8 to 64 bits, and [`Fixed2F6`].
pub trait Encoding: Copy + Debug + 'static + sealed::Sealed {
    /// The type of a register that holds one value.
    type Bits: Int;
    /// The exponent of the smallest normal number; `None` if there are no subnormal ones.
    const NORMAL: Option<i32>;

    /// Decodes `x`. With `ftz` a subnormal binary32 is zero.
    fn read(ftz: bool, x: Self::Bits) -> Value;
    /// Encodes a value, rounded once, with the modifiers applied.
    fn write(by: Rounding, m: Modifiers, x: Value) -> Self::Bits;
}

mod sealed {
    pub trait Sealed {}
}

/// A decoded value between two encodings.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A NaN.
    Nan {
        /// `true` if the sign bit is set.
        negative: bool,
        /// The fraction field, at the upper end of the word.
        fraction: u64,
        /// `true` if the NaN comes from a binary64, whose NaNs convert to other integers.
        double: bool,
    },
    /// An infinity.
    Infinite {
        /// `true` for −∞.
        negative: bool,
    },
    /// A number, exactly.
    Finite(Finite<u64>),
}

impl Value {
    /// A NaN without sign and payload.
    pub(crate) const NAN: Self = Self::Nan { negative: false, fraction: 0, double: false };

    /// Returns the value, or a zero of its sign if it is subnormal in the encoding.
    #[inline]
    pub(crate) fn flushed<E: Encoding>(self) -> Self {
        match (self, E::NORMAL) {
            (Self::Finite(x), Some(normal)) if x.sig.bit_len() as i32 + x.exp <= normal => {
                Self::Finite(Finite { sig: 0, ..x })
            }
            _ => self,
        }
    }
}

impl<F: Format> sealed::Sealed for F {}

impl<F: Format> Encoding for F {
    type Bits = F::Bits;
    const NORMAL: Option<i32> = if F::ZERO { Some(F::EMIN) } else { None };

    #[inline]
    fn read(ftz: bool, x: F::Bits) -> Value {
        let x = flush_input::<F>(ftz && F::PRECISION == Binary32::PRECISION, x);
        match unpack::<F>(x) {
            Number::Nan => {
                let code: u64 = (F::magnitude(x) >> F::PADDING).cast();
                // The exponent is above the fraction; the shift drops it.
                let fraction = code.checked_shl(u64::BITS - F::FRACTION_BITS).unwrap_or_default();
                Value::Nan { negative: F::is_negative(x), fraction, double: F::KEEPS_PAYLOADS }
            }
            Number::Infinite { negative } => Value::Infinite { negative },
            // At most 53 bits.
            Number::Finite(x) => Value::Finite(Finite { negative: x.negative, sig: x.sig.cast(), exp: x.exp }),
        }
    }

    #[inline]
    fn write(by: Rounding, m: Modifiers, x: Value) -> F::Bits {
        let d = match x {
            Value::Nan { negative, fraction, .. } if F::KEEPS_PAYLOADS => {
                let fraction = F::Bits::of_low_bits((fraction >> (u64::BITS - F::FRACTION_BITS)).into());
                F::signed(negative, F::infinity() | F::quiet_bit() | fraction)
            }
            Value::Nan { .. } => F::CANONICAL_NAN,
            Value::Infinite { negative } => finite::<F>(m, F::signed(negative, F::infinity())),
            Value::Finite(x) => finite::<F>(m, round_sig::<F>(by, m.ftz() && F::PRECISION == Binary32::PRECISION, x)),
        };
        let d = clamp::<F>(m, d);
        if m.pzo() && F::is_zero(d) { F::Bits::ZERO } else { d }
    }
}

/// Applies `.satfinite`: an infinity becomes the largest number.
#[inline]
fn finite<F: Format>(m: Modifiers, d: F::Bits) -> F::Bits {
    if m.satfinite() && F::magnitude(d) == F::infinity() { F::signed(F::is_negative(d), F::max()) } else { d }
}

/// The layout of a two's complement or unsigned number.
#[derive(Clone, Copy)]
struct Fixed {
    signed: bool,
    bits: u32,
    /// Number of fraction bits.
    places: u32,
}

impl Fixed {
    #[inline]
    fn read(self, x: u64) -> Finite<u64> {
        let negative = self.signed && x >> (self.bits - 1) != 0;
        let sig = if negative { x.wrapping_neg() & u64::mask(self.bits) } else { x };
        Finite { negative, sig, exp: -(self.places as i32) }
    }

    /// Returns the largest magnitude with the given sign.
    #[inline]
    const fn limit(self, negative: bool) -> u64 {
        let all = u64::MAX >> (u64::BITS - self.bits);
        match (self.signed, negative) {
            (true, true) => (all >> 1) + 1,
            (true, false) => all >> 1,
            (false, true) => 0,
            (false, false) => all,
        }
    }

    /// Encodes a value, clamped to the range; a NaN becomes `nan`.
    #[inline]
    fn write(self, by: Rounding, m: Modifiers, x: Value, nan: u64) -> u64 {
        let (negative, magnitude) = match x {
            Value::Nan { .. } => return nan,
            Value::Infinite { negative } => (negative, self.limit(negative)),
            Value::Finite(x) => {
                let exp = x.exp + self.places as i32;
                let limit = self.limit(x.negative);
                let beyond = x.sig.bit_len() as i32 + exp > u64::BITS as i32;
                (x.negative, if beyond { limit } else { quotient(by, x.negative, x.sig, -exp).min(limit) })
            }
        };
        match negative {
            true if m.relu() => 0,
            true => magnitude.wrapping_neg() & u64::mask(self.bits),
            false => magnitude,
        }
    }
}

macro_rules! fixed {
    ($($ty:ident $bits:ident $signed:literal $places:literal $nan:expr;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Encoding for $ty {
            type Bits = $bits;
            const NORMAL: Option<i32> = None;

            #[inline]
            fn read(_: bool, x: $bits) -> Value {
                Value::Finite(Self::FIXED.read(x.into()))
            }

            #[inline]
            fn write(by: Rounding, m: Modifiers, x: Value) -> $bits {
                Self::FIXED.write(by, m, x, $nan(Self::FIXED, x)) as $bits
            }
        }

        impl Layout for $ty {
            const FIXED: Fixed = Fixed { signed: $signed, bits: $bits::BITS, places: $places };
        }
    )*};
}

/// The layout of a type in two's complement.
trait Layout {
    const FIXED: Fixed;
}

/// Returns the integer for a NaN: 0. For an f64 NaN or a 64-bit integer it is the upper bit alone,
/// also unsigned.
fn integer_nan(to: Fixed, x: Value) -> u64 {
    if matches!(x, Value::Nan { double: true, .. }) || to.bits == u64::BITS { 1 << (to.bits - 1) } else { 0 }
}

/// Returns the fixed-point number for a NaN: the largest number.
fn largest(to: Fixed, _: Value) -> u64 {
    to.limit(false)
}

fixed! {
    u8 u8 false 0 integer_nan;
    u16 u16 false 0 integer_nan;
    u32 u32 false 0 integer_nan;
    u64 u64 false 0 integer_nan;
    i8 u8 true 0 integer_nan;
    i16 u16 true 0 integer_nan;
    i32 u32 true 0 integer_nan;
    i64 u64 true 0 integer_nan;
    Fixed2F6 u8 true 6 largest;
}
