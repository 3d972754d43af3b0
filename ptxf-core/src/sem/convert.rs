//! The meaning of a conversion from one encoding to another.
//!
//! `.ftz` applies only to operands and results in binary32.

use core::any::TypeId;

use super::encoding::{Encoding, Value};
use super::number::{Finite, Number, unpack};
use super::round::{Random, Rounding, quotient};
use crate::format::{Binary32, Exponent8, Float4E2M1, Format};
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};

/// Rounds `x` once to the encoding `To`; a NaN is converted as by [`cvt`].
#[inline]
pub fn convert<From: Encoding, To: Encoding>(rnd: Round, x: From::Bits) -> To::Bits {
    by::<From, To>(Rounding::To(rnd), Modifiers::PLAIN.with_rnd(rnd), 0, x)
}

/// Converts `x` with all modifiers.
///
/// A NaN becomes the canonical NaN. In binary64 it keeps sign and payload; as an integer it becomes
/// 0 or the upper bit alone. From binary32 to itself and from binary64 to itself, without a
/// modifier, no bit changes.
#[inline]
pub fn cvt<From: Encoding, To: Encoding>(m: Modifiers, x: From::Bits) -> To::Bits {
    let plain = m.only_rounds();
    if plain && TypeId::of::<From>() == TypeId::of::<To>() && To::Bits::BITS >= Binary32::PRECISION {
        return x.cast();
    }
    by::<From, To>(Rounding::To(m.rnd()), m, 0, x)
}

/// Converts by `cvt.rna`: to the nearest number, with ties away from zero.
#[inline]
pub fn cvt_rna<From: Encoding, To: Encoding>(m: Modifiers, x: From::Bits) -> To::Bits {
    by::<From, To>(Rounding::Away, m, 0, x)
}

/// Converts by `cvt.rs`: to the number farther from zero with a probability equal to the discarded
/// fraction, to the precision of the random number.
#[inline]
pub fn cvt_rs<From: Encoding, To: Encoding>(m: Modifiers, random: Random, x: From::Bits) -> To::Bits {
    by::<From, To>(Rounding::Stochastic(random), m, 0, x)
}

/// Converts as [`cvt`] does, with a `.ue8m0` scale, a power of two that multiplies the numbers of
/// the narrower encoding.
///
/// So a narrow operand is multiplied by the scale, and a wide operand is divided by it. Both are
/// exact before the one rounding. A NaN scale gives a NaN.
#[inline]
pub fn cvt_scaled<From: Encoding, To: Encoding>(m: Modifiers, x: From::Bits, scale: u8) -> To::Bits {
    write_scaled::<To>(m, From::read(m.ftz(), x), scale_of(scale, To::Bits::BITS < From::Bits::BITS))
}

/// Converts as [`cvt`] does, after a division by a `.ue8m0` scale, a power of two. A subnormal
/// operand counts as a zero of its sign.
///
/// The quotient is exact before the one rounding. A NaN scale gives a NaN.
#[inline]
pub fn cvt_divided<From: Encoding, To: Encoding>(m: Modifiers, x: From::Bits, scale: u8) -> To::Bits {
    write_scaled::<To>(m, From::read(m.ftz(), x).flushed::<From>(), scale_of(scale, true))
}

/// Converts a value times `2^exponent`, or a NaN if there is no exponent.
#[inline]
fn write_scaled<To: Encoding>(m: Modifiers, x: Value, exponent: Option<i32>) -> To::Bits {
    let by = Rounding::To(m.rnd());
    To::write(by, m, exponent.map_or(Value::NAN, |exponent| prepared(by, m, exponent, x)))
}

/// Returns the exponent of the power of two that multiplies an operand, or `None` for a NaN scale.
#[inline]
pub(crate) fn scale_of(scale: u8, divides: bool) -> Option<i32> {
    match unpack::<Exponent8>(scale) {
        Number::Finite(power) => Some(if divides { -power.exp } else { power.exp }),
        _ => None,
    }
}

/// Converts `x · 2^exponent`, rounded once.
#[inline]
fn by<From: Encoding, To: Encoding>(by: Rounding, m: Modifiers, exponent: i32, x: From::Bits) -> To::Bits {
    To::write(by, m, prepared(by, m, exponent, From::read(m.ftz(), x)))
}

/// Returns the value times `2^exponent`, rounded to an integer if the modifiers request it, with
/// its sign.
#[inline]
pub(crate) fn prepared(by: Rounding, m: Modifiers, exponent: i32, x: Value) -> Value {
    let Value::Finite(x) = x else { return x };
    let x = Finite { exp: x.exp + exponent, ..x };
    Value::Finite(if m.integral() && x.exp < 0 {
        Finite { sig: quotient(by, x.negative, x.sig, -x.exp), exp: 0, ..x }
    } else {
        x
    })
}

/// Returns the random numbers of `cvt.rs` to a pair: of the first and of the second operand.
#[inline]
#[must_use]
pub fn random_pair<To: Format>(rbits: u32) -> [Random; 2] {
    let bits = random_bits::<To>();
    [rbits >> 16, rbits].map(|x| Random { number: x & u32::mask(bits), bits })
}

/// Returns the random numbers of `cvt.rs` to four lanes, in the order of the operands.
///
/// The first two operands share one half of the bits, and the last two the other half. The first
/// operand of each pair reads its half in reverse.
#[inline]
#[must_use]
pub fn random_quad<To: Format>(rbits: u32) -> [Random; 4] {
    let [b3, b2, b1, b0] = rbits.to_be_bytes();
    let halves = if To::PRECISION == Float4E2M1::PRECISION { [[b3, b1], [b2, b0]] } else { [[b3, b2], [b1, b0]] };
    let [h, l] = halves.map(u16::from_be_bytes);
    [h.reverse_bits(), h, l.reverse_bits(), l].map(|x| Random { number: x.into(), bits: random_bits::<To>() })
}

/// Returns the number of random bits of a lane: the precision of binary32 less that of the format,
/// at most 16.
pub(crate) const fn random_bits<To: Format>() -> u32 {
    let more = Binary32::PRECISION - To::PRECISION;
    if more < 16 { more } else { 16 }
}
