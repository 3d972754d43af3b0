//! A conversion by its definition: the exact value is looked up among the magnitudes of the
//! result's type.
//!
//! The magnitudes of every type are in the order of their codes, so the list is the code itself,
//! and the search a bisection with exact comparisons.

use core::cmp::Ordering;

use super::{By, Cvt, Extra, Num};
use crate::dyadic::Dyadic;
use crate::form::Rnd;

/// The value of a code.
#[derive(Clone, Debug)]
pub enum Value {
    /// A NaN, its fraction at the upper end of 52 bits.
    Nan {
        /// Its sign bit.
        negative: bool,
        /// Its payload.
        payload: u64,
    },
    /// An infinity.
    Infinity {
        /// Its sign.
        negative: bool,
    },
    /// A number.
    Number {
        /// Its sign, that of a zero too.
        negative: bool,
        /// Its magnitude.
        magnitude: Dyadic,
    },
}

/// The spacing of a type's magnitudes, and the codes of its infinity and NaN.
struct Grid {
    fraction: u32,
    /// The exponent of the lowest bit of the smallest magnitudes.
    unit: i32,
    /// The largest magnitude's code.
    max: u64,
    /// The code of infinity.
    infinity: Option<u64>,
    /// The code that a NaN becomes.
    nan: u64,
}

/// The floating-point types, as the manual and the formats' own documents have them.
fn grid(num: Num) -> Option<Grid> {
    let ieee =
        |fraction, unit, infinity, nan| Grid { fraction, unit, max: infinity - 1, infinity: Some(infinity), nan };
    let finite = |fraction, unit, max, nan| Grid { fraction, unit, max, infinity: None, nan };
    Some(match num {
        Num::F16 => ieee(10, -24, 0x7c00, 0x7fff),
        Num::Bf16 => ieee(7, -133, 0x7f80, 0x7fff),
        Num::F32 => ieee(23, -149, 0x7f80_0000, 0x7fff_ffff),
        Num::F64 => ieee(52, -1074, 0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000),
        // Without its 13 zeros.
        Num::Tf32 => ieee(10, -136, 0xff << 10, 0x3_ffff),
        Num::E5m2 => ieee(2, -16, 0x7c, 0x7f),
        Num::E4m3 => finite(3, -9, 0x7e, 0x7f),
        Num::E2m3 => finite(3, -3, 0x1f, 0x1f),
        Num::E3m2 => finite(2, -4, 0x1f, 0x1f),
        Num::E2m1 => finite(1, -1, 0x7, 0x7),
        Num::Ue5m3 => finite(3, -17, 0xfe, 0xff),
        Num::Ue8m0 | Num::S2f6 | Num::Int { .. } => return None,
    })
}

/// The magnitude with that code, and that of the code after the last.
fn magnitude(num: Num, code: u128) -> Dyadic {
    match num {
        Num::Ue8m0 => Dyadic::new(1, code as i32 - 127),
        Num::S2f6 => Dyadic::new(code as u64, -6),
        // The magnitude after the last has 65 bits.
        Num::Int { .. } => Dyadic { magnitude: code.into(), exponent: 0 },
        _ => {
            let code = code as u64;
            let Grid { fraction, unit, .. } = grid(num).expect("all others are floating point");
            let (field, below) = (code >> fraction, code & ((1 << fraction) - 1));
            if field == 0 {
                Dyadic::new(below, unit)
            } else {
                Dyadic::new(below | 1 << fraction, unit + field as i32 - 1)
            }
        }
    }
}

/// The largest magnitude's code.
fn max(num: Num, negative: bool) -> u64 {
    match num {
        Num::Ue8m0 => 0xfe,
        Num::S2f6 => 127 + u64::from(negative),
        Num::Int { signed: true, bits } => (1 << (bits - 1)) - 1 + u64::from(negative),
        Num::Int { signed: false, .. } if negative => 0,
        Num::Int { signed: false, bits } => u64::MAX >> (64 - bits),
        _ => grid(num).expect("all others are floating point").max,
    }
}

/// Decodes the bits.
#[must_use]
pub fn read(num: Num, bits: u64) -> Value {
    match num {
        Num::Ue8m0 if bits == 0xff => Value::Nan { negative: false, payload: 0 },
        Num::Ue8m0 => Value::Number { negative: false, magnitude: magnitude(num, bits.into()) },
        Num::S2f6 | Num::Int { signed: true, .. } => {
            let width = num.bits();
            let value = (bits << (64 - width)) as i64 >> (64 - width);
            Value::Number { negative: value < 0, magnitude: magnitude(num, value.unsigned_abs().into()) }
        }
        Num::Int { signed: false, .. } => Value::Number { negative: false, magnitude: magnitude(num, bits.into()) },
        _ => {
            let code = if num == Num::Tf32 { bits >> 13 } else { bits };
            // Ue5m3 has no sign; its place would be a bit that is zero.
            let width = if num == Num::Tf32 { 19 } else { num.bits() + u32::from(num == Num::Ue5m3) };
            let (negative, code) = (code >> (width - 1) & 1 == 1, code & ((1 << (width - 1)) - 1));
            let Grid { fraction, max, infinity, .. } = grid(num).expect("all others are floating point");
            if code <= max {
                Value::Number { negative, magnitude: magnitude(num, code.into()) }
            } else if infinity == Some(code) {
                Value::Infinity { negative }
            } else {
                Value::Nan { negative, payload: (code & ((1 << fraction) - 1)) << (52 - fraction) }
            }
        }
    }
}

/// The bits of a magnitude with a sign.
fn write(num: Num, negative: bool, code: u64) -> u64 {
    match num {
        Num::Ue8m0 | Num::Ue5m3 => code,
        Num::S2f6 | Num::Int { .. } if negative => code.wrapping_neg() & num.mask(),
        Num::S2f6 | Num::Int { .. } => code,
        Num::Tf32 => (u64::from(negative) << 18 | code) << 13,
        _ => u64::from(negative) << (num.bits() - 1) | code,
    }
}

/// The result of one lane.
///
/// # Panics
/// Panics if the spelling needs random bits or a scale and there are none.
#[must_use]
pub fn lane(cvt: &Cvt, x: u64, extra: Extra) -> Option<u64> {
    let (to, from) = (cvt.to.num, cvt.from.num);
    let is_move = cvt.by == By::Unsaid && !cvt.ftz && !cvt.sat && to == from;
    if is_move && matches!(to, Num::F32 | Num::F64) {
        return Some(x);
    }
    let value = match read(from, x) {
        // 2⁻¹²⁶ is the smallest normal number.
        Value::Number { negative, magnitude }
            if cvt.ftz && from == Num::F32 && magnitude.compare(&Dyadic::new(1, -126)).is_lt() =>
        {
            Value::Number { negative, magnitude: Dyadic::new(0, 0) }
        }
        Value::Number { negative, magnitude } if cvt.divided && is_subnormal(from, &magnitude) => {
            Value::Number { negative, magnitude: Dyadic::new(0, 0) }
        }
        value => value,
    };
    let value = match extra.scale {
        None => value,
        Some(0xff) => Value::Nan { negative: false, payload: 0 },
        Some(code) => scaled(value, i64::from(code) - 127, cvt.divided || from == Num::F32 || from == Num::Bf16),
    };
    let bits = clamped(cvt, from, value, extra);
    let negative_zero = cvt.pzo && to != Num::Ue5m3 && bits == write(to, true, 0);
    Some(if negative_zero { 0 } else { bits })
}

/// Returns `true` for a magnitude below the smallest normal number.
fn is_subnormal(num: Num, magnitude: &Dyadic) -> bool {
    let Grid { fraction, unit, .. } = grid(num).expect("only floats are flushed");
    magnitude.compare(&Dyadic::new(1, unit + fraction as i32)).is_lt()
}

/// The value of a narrow operand times the scale, or of a wide one divided by it.
fn scaled(value: Value, exponent: i64, divided: bool) -> Value {
    match value {
        Value::Number { negative, magnitude } => {
            Value::Number { negative, magnitude: magnitude.scaled(if divided { -exponent } else { exponent }) }
        }
        other => other,
    }
}

/// Rounds a value to the type of the result.
#[must_use]
pub fn rounded_value(cvt: &Cvt, value: Value) -> u64 {
    clamped(cvt, cvt.from.num, value, Extra::default())
}

/// Returns the zero with that sign.
#[must_use]
pub fn zero(num: Num, negative: bool) -> u64 {
    write(num, negative, 0)
}

/// The value rounded, then the modifiers that act on a result.
fn clamped(cvt: &Cvt, from: Num, value: Value, extra: Extra) -> u64 {
    let to = cvt.to.num;
    let float = grid(to);
    match value {
        Value::Nan { .. } if cvt.sat && float.is_some() => 0,
        Value::Nan { negative, payload } => match to {
            Num::F64 => write(to, negative, 0x7ff8_0000_0000_0000 | payload),
            Num::Int { bits, .. } if from == Num::F64 || bits == 64 => 1 << (bits - 1),
            Num::Int { .. } => 0,
            Num::Ue8m0 => 0xff,
            Num::S2f6 => 0x7f,
            _ => write(to, false, float.expect("all others are floating point").nan),
        },
        Value::Infinity { negative } | Value::Number { negative, .. }
            if negative && (cvt.relu || cvt.sat && float.is_some()) =>
        {
            0
        }
        Value::Infinity { .. } if cvt.sat && float.is_some() => one(to),
        Value::Infinity { negative } => beyond(cvt, negative),
        Value::Number { negative, magnitude: exact } => {
            let bits = rounded(cvt, negative, &exact, extra);
            let above_one = |bits| match read(to, bits) {
                Value::Number { magnitude, .. } => magnitude.compare(&Dyadic::new(1, 0)).is_gt(),
                _ => true,
            };
            if cvt.sat && float.is_some() && above_one(bits) { one(to) } else { bits }
        }
    }
}

fn one(num: Num) -> u64 {
    nearest_below(num, max(num, false), &Dyadic::new(1, 0))
}

/// Returns the result for a number above the largest, if the rounding direction does not clamp it.
fn beyond(cvt: &Cvt, negative: bool) -> u64 {
    let to = cvt.to.num;
    match grid(to).and_then(|g| g.infinity) {
        Some(infinity) if !cvt.satfinite => write(to, negative, infinity),
        None if matches!(to, Num::Ue8m0 | Num::Ue5m3) && !cvt.satfinite => 0xff,
        // No conversion to e4m3 lacks `.satfinite`, but arithmetic may.
        None if to == Num::E4m3 && !cvt.satfinite => write(to, negative, 0x7f),
        _ => write(to, negative, max(to, negative)),
    }
}

/// A number, rounded once.
fn rounded(cvt: &Cvt, negative: bool, exact: &Dyadic, extra: Extra) -> u64 {
    let to = cvt.to.num;
    // A type without sign rounds magnitudes.
    let negative = negative && !matches!(to, Num::Ue8m0 | Num::Ue5m3);
    let integer;
    let exact = match cvt.by {
        By::Integer(_) if to.is_int() => exact,
        By::Integer(rnd) => {
            integer = to_integer(exact, negative, rnd);
            &integer
        }
        _ => exact,
    };
    if cvt.ftz && to == Num::F32 && is_tiny(cvt, negative, exact) {
        return write(to, negative, 0);
    }
    let most = max(to, negative);
    let low = nearest_below(to, most, exact);
    let (lower, upper) = (magnitude(to, low.into()), magnitude(to, u128::from(low) + 1));
    if exact.compare(&lower) != Ordering::Greater || !away(cvt.by, negative, exact, [&lower, &upper], low, extra) {
        write(to, negative, low)
    } else if low == most {
        beyond(cvt, negative)
    } else {
        write(to, negative, low + 1)
    }
}

/// The integer that the magnitude is rounded to.
fn to_integer(exact: &Dyadic, negative: bool, rnd: Rnd) -> Dyadic {
    if exact.exponent >= 0 {
        return exact.clone();
    }
    let places = exact.exponent.unsigned_abs();
    let floor = &exact.magnitude >> places;
    let lower = Dyadic { magnitude: floor.clone(), exponent: 0 };
    let upper = Dyadic { magnitude: floor.clone() + 1_u32, exponent: 0 };
    let odd = u64::from(floor.bit(0));
    let up =
        exact.compare(&lower).is_gt() && away(By::To(rnd), negative, exact, [&lower, &upper], odd, Extra::default());
    if up { upper } else { lower }
}

/// Returns `true` if an exact value between two neighbours rounds to the one farther from zero.
/// `low` is the code of the other.
fn away(by: By, negative: bool, exact: &Dyadic, [lower, upper]: [&Dyadic; 2], low: u64, extra: Extra) -> bool {
    let to_middle = exact.compare(&lower.midpoint(upper));
    match by {
        By::Unsaid => unreachable!("a conversion that is not exact says how it rounds"),
        By::To(Rnd::Rn) | By::Integer(Rnd::Rn) => to_middle.is_gt() || to_middle.is_eq() && low % 2 == 1,
        By::To(Rnd::Rz) | By::Integer(Rnd::Rz) => false,
        By::To(Rnd::Rm) | By::Integer(Rnd::Rm) => negative,
        By::To(Rnd::Rp) | By::Integer(Rnd::Rp) => !negative,
        By::Away => to_middle.is_ge(),
        By::Random => {
            let (number, bits) = extra.random.expect("`.rs` has random bits");
            // The fraction of the step, and the random number in units of 2⁻ⁿ of it, reach a whole
            // step.
            let step = upper.distance(lower);
            let offset = step.times(&Dyadic::new(number, -(bits as i32)));
            exact.distance(lower).plus(&offset).compare(&step).is_ge()
        }
    }
}

/// The code of the largest magnitude that is not above `x`, or of the smallest one.
fn nearest_below(num: Num, most: u64, x: &Dyadic) -> u64 {
    let (mut low, mut high) = (0_u128, u128::from(most) + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if x.compare(&magnitude(num, middle)).is_lt() {
            high = middle;
        } else {
            low = middle;
        }
    }
    low as u64
}

/// Returns `true` if a number stays below the smallest normal f32 when it is rounded with an
/// unbounded exponent. Two binades up an f32 has all of its bits.
fn is_tiny(cvt: &Cvt, negative: bool, exact: &Dyadic) -> bool {
    let above = Cvt { ftz: false, satfinite: false, ..*cvt };
    if exact.compare(&Dyadic::new(1, -127)).is_le() || exact.compare(&Dyadic::new(1, -126)).is_ge() {
        return exact.compare(&Dyadic::new(1, -126)).is_lt();
    }
    match read(Num::F32, rounded(&above, negative, &exact.scaled(2), Extra::default())) {
        Value::Number { magnitude, .. } => magnitude.compare(&Dyadic::new(1, -124)).is_lt(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(spelling: &str, x: u64) -> u64 {
        lane(&Cvt::parse(spelling).unwrap(), x, Extra::default()).unwrap()
    }

    #[test]
    fn the_grids_have_the_published_ends() {
        let value = |num, code| match read(num, code) {
            Value::Number { magnitude, .. } => {
                let digits = magnitude.magnitude.iter_u64_digits().next().unwrap_or(0);
                digits as f64 * 2f64.powi(magnitude.exponent as i32)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(value(Num::E4m3, 0x7e), 448.0);
        assert_eq!(value(Num::E4m3, 0x01), 2f64.powi(-9));
        assert_eq!(value(Num::E4m3, 0x08), 2f64.powi(-6));
        assert_eq!(value(Num::E5m2, 0x7b), 57344.0);
        assert_eq!(value(Num::E5m2, 0x04), 2f64.powi(-14));
        assert_eq!(value(Num::E2m3, 0x1f), 7.5);
        assert_eq!(value(Num::E2m3, 0x08), 1.0);
        assert_eq!(value(Num::E3m2, 0x1f), 28.0);
        assert_eq!(value(Num::E3m2, 0x04), 0.25);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|c| value(Num::E2m1, c)), [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(value(Num::Ue5m3, 0xfe), 114688.0);
        assert_eq!(value(Num::Ue5m3, 0x80), 2.0);
        assert_eq!(value(Num::Ue5m3, 0x01), 2f64.powi(-17));
        assert_eq!(value(Num::Ue8m0, 0), 2f64.powi(-127));
        assert_eq!(value(Num::S2f6, 0x80), 2.0);
        assert_eq!(value(Num::Tf32, 0x3f80_0000), 1.0);
        assert_eq!(value(Num::F16, 0x3c00), 1.0);
        assert_eq!(value(Num::Bf16, 0x3f80), 1.0);
    }

    #[test]
    fn edges_of_the_narrow_formats() {
        let f32 = |x: f32| u64::from(x.to_bits());
        assert_eq!(d("cvt.rn.satfinite.e4m3x2.f32", f32(-1e-9)), 0x80);
        assert_eq!(d("cvt.rn.satfinite.relu.e4m3x2.f32", f32(-1e-9)), 0);
        assert_eq!(d("cvt.rn.satfinite.e5m2x2.f32", f32(f32::NEG_INFINITY)), 0xfb);
        assert_eq!(d("cvt.rn.satfinite.e3m2x2.f32", f32(-f32::NAN)), 0x1f);
        assert_eq!(d("cvt.rz.ue8m0x2.f32", 0x007f_ffff), 0);
        assert_eq!(d("cvt.rp.ue8m0x2.f32", 0x007f_ffff), 1);
        assert_eq!(d("cvt.rn.satfinite.s2f6x2.f32", f32(-9.0)), 0x80);
    }
}
