//! Numbers as text: to the bits of a lane, rounded once, and back.

use std::cmp::Ordering;

use ptxf::{Bf16, F16, Tf32};

use crate::decimal::{Decimal, exponent_of};
use crate::lane::Lane;

/// A number as it is written, before it is rounded to a format.
#[derive(Debug)]
pub(crate) enum Written {
    /// A NaN and its sign.
    Nan { negative: bool },
    /// An infinity.
    Infinite { negative: bool },
    /// A number.
    Finite {
        /// The sign.
        negative: bool,
        /// The magnitude, exactly.
        magnitude: Decimal,
        /// The magnitude rounded to odd. Rounded further to fewer bits, it gives the same as the
        /// exact one.
        odd: f64,
    },
}

impl Written {
    /// Reads `1.5`, `-2e-3`, `0x1.8p-3`, `inf` or `nan`. Returns `None` for other text.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (negative, magnitude) = signed(text)?;
        if magnitude.eq_ignore_ascii_case("nan") {
            return Some(Self::Nan { negative });
        }
        let (nearest, _, exact) = Lane::F64.read(magnitude)?;
        if let Some(digits) = magnitude.strip_prefix("0x").or_else(|| magnitude.strip_prefix("0X")) {
            let (significand, exponent) = hex(digits)?;
            let (odd, _) = pack(significand, exponent, true);
            // Numbers out of range for every format need not be distinguished.
            let magnitude = Decimal::read(&significand.to_string()).scaled(exponent.clamp(-FAR, FAR) as i32);
            return Some(Self::Finite { negative, magnitude, odd });
        }
        if nearest == f64::INFINITY && exact {
            return Some(Self::Infinite { negative });
        }
        let magnitude = Decimal::read(magnitude);
        let odd = if nearest == f64::INFINITY { f64::MAX } else { to_odd(&magnitude, nearest) };
        Some(Self::Finite { negative, magnitude, odd })
    }
}

/// An exponent of 2 that is out of range for every format.
const FAR: i64 = 4000;

/// Returns `true` if a minus sign comes first, and the rest. Returns `None` if the text is empty.
fn signed(text: &str) -> Option<(bool, &str)> {
    Some(match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    })
}

/// Rounds a decimal to odd: truncates it to f64, and sets the last bit if that is inexact.
/// `nearest` is the nearest f64.
fn to_odd(decimal: &Decimal, nearest: f64) -> f64 {
    let bits = nearest.to_bits();
    f64::from_bits(match decimal.cmp(&Decimal::of(nearest)) {
        Ordering::Less if bits & 1 == 0 => bits - 1,
        Ordering::Greater if bits & 1 == 0 => bits + 1,
        _ => bits,
    })
}

/// The value of a text in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rounded {
    /// The bits of the lane.
    pub bits: u64,
    /// `true` if the bits have exactly the value of the text.
    pub exact: bool,
}

impl Lane {
    /// Returns the NaN that conversions produce, if the format has one.
    fn canonical_nan(self) -> Option<u64> {
        let shape = self.shape();
        shape.nans.map(|_| shape.of_nan)
    }

    /// Reads `1.5`, `-2e-3`, `0x1.8p-3`, `inf` or `nan`, and rounds to nearest even. Returns `None`
    /// for other text.
    pub(crate) fn parse(self, text: &str) -> Option<Rounded> {
        let (negative, magnitude) = signed(text)?;
        if negative && self.shape().sign == 0 {
            return None;
        }
        if magnitude.eq_ignore_ascii_case("nan") {
            let (nan, sign) = (self.canonical_nan()?, self.shape().sign);
            // The sign is the written one. f64's canonical NaN is negative.
            return Some(Rounded { bits: nan & !sign | if negative { sign } else { 0 }, exact: true });
        }
        let (nearest, odd, exact) = self.read(magnitude)?;
        let sign = |x: f64| if negative { -x } else { x };
        if self == Self::F64 {
            return Some(Rounded { bits: sign(nearest).to_bits(), exact });
        }
        // Two roundings to nearest could differ from one. After rounding to odd with two spare bits
        // they do not.
        let bits = self.round(sign(odd));
        Some(Rounded { bits, exact: exact && self.widen(bits) == sign(odd) })
    }

    /// Reads a magnitude. Returns the nearest f64, an f64 that rounds to this lane like the text
    /// itself, and `true` if the lane has exactly the value.
    fn read(self, text: &str) -> Option<(f64, f64, bool)> {
        if text.eq_ignore_ascii_case("inf") || text.eq_ignore_ascii_case("infinity") {
            return Some((f64::INFINITY, f64::INFINITY, true));
        }
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let (significand, exponent) = hex(digits)?;
            let (nearest, exact) = pack(significand, exponent, false);
            return Some((nearest, pack(significand, exponent, true).0, exact));
        }
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        let nearest: f64 = text.parse().ok()?;
        if nearest == f64::INFINITY {
            return Some((nearest, f64::MAX, false));
        }
        let decimal = Decimal::read(text);
        // Rounding to odd compares hundreds of digits. It differs from `nearest` at ties only.
        let odd = if self.is_tie(nearest) { to_odd(&decimal, nearest) } else { nearest };
        // In two's complement the number farthest from zero is negative.
        let exact = [nearest, -nearest].iter().any(|x| self.widen(self.round(*x)) == *x) && decimal.is(nearest);
        Some((nearest, odd, exact))
    }

    /// Returns `true` if the neighbours of `x` round to different numbers. `x` must not be
    /// negative.
    fn is_tie(self, x: f64) -> bool {
        let bits = x.to_bits();
        bits != 0 && self.round(f64::from_bits(bits - 1)) != self.round(f64::from_bits(bits + 1)) && self != Self::F64
    }

    /// Returns the value for people: exactly if that takes few digits. Otherwise it is the shortest
    /// decimal that reads back as the same bits, and an exact hexadecimal float.
    pub(crate) fn show(self, bits: u64) -> String {
        let x = self.widen(bits);
        if x.is_nan() {
            let sign = if bits & self.shape().sign == 0 { "" } else { "-" };
            let which = if Some(bits) == self.canonical_nan() { "" } else { ", not the canonical one" };
            return format!("{sign}NaN{which}");
        }
        let is_exact = |text: &str| self.parse(text).is_some_and(|r| r.exact);
        let (exact, short) = (notation(x), self.shortest(bits));
        if exact.len() <= 20 && is_exact(&exact) {
            exact
        } else if is_exact(&short) {
            short
        } else {
            format!("≈{short} ({})", hex_float(x))
        }
    }

    /// Returns the shortest text that reads back as the same bits.
    pub(crate) fn shortest(self, bits: u64) -> String {
        let x = self.widen(bits);
        if !x.is_finite() || x == 0.0 {
            let nan = if bits & self.shape().sign == 0 { "nan" } else { "-nan" };
            return if x.is_nan() { nan.into() } else { x.to_string() };
        }
        let scientific = match self {
            Self::F16 => format!("{:e}", F16::from_bits(bits as u16)),
            Self::Bf16 => format!("{:e}", Bf16::from_bits(bits as u16)),
            Self::F32 => format!("{:e}", f32::from_bits(bits as u32)),
            Self::Tf32 => format!("{:e}", Tf32::from_bits(bits as u32)),
            // A power of two far from 1 has many digits, and a shorter decimal would be a surprise.
            Self::Ue8m0 if !(1e-3..1e9).contains(&x) => return hex_float(x),
            // A number of few bits has few digits.
            _ => format!("{x:e}"),
        };
        scientific.parse().map_or(scientific, notation)
    }
}

/// Returns a decimal, with an exponent if the number is very large or small.
pub(crate) fn notation(x: f64) -> String {
    if x == 0.0 || x.is_infinite() || (1e-5..1e16).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

/// Returns a hexadecimal float: `0x1.8p-3`.
pub(crate) fn hex_float(x: f64) -> String {
    let bits = x.abs().to_bits();
    let (field, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let (exponent, fraction) = if field == 0 {
        let shift = fraction.leading_zeros() - 11;
        (-1022 - i64::from(shift), (fraction << shift) & ((1 << 52) - 1))
    } else {
        (field as i64 - 1023, fraction)
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let (sign, point) = (if x.is_sign_negative() { "-" } else { "" }, if digits.is_empty() { "" } else { "." });
    format!("{sign}0x1{point}{digits}p{exponent}")
}

/// Reads the digits of a hexadecimal float, `1.8p-3`. Returns the significand and the exponent. The
/// lowest bit of the significand is set if further digits were cut off.
fn hex(text: &str) -> Option<(u128, i64)> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let mut exponent = exponent_of(exponent)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut significand: u128 = 0;
    for (digits, in_fraction) in [(whole, false), (fraction, true)] {
        for d in digits.chars() {
            let d = u128::from(d.to_digit(16)?);
            exponent -= if in_fraction { 4 } else { 0 };
            if significand >> 120 == 0 {
                significand = significand << 4 | d;
            } else {
                significand |= u128::from(d != 0);
                exponent += 4;
            }
        }
    }
    Some((significand, exponent))
}

/// Rounds `significand · 2^exponent` to nearest even or to odd. Returns `true` if that is exact.
fn pack(significand: u128, exponent: i64, to_odd: bool) -> (f64, bool) {
    if significand == 0 {
        return (0.0, true);
    }
    let top = exponent + i64::from(u128::BITS - significand.leading_zeros()) - 1;
    if top > 1023 {
        return (if to_odd { f64::MAX } else { f64::INFINITY }, false);
    }
    // The unit in the last place is 2^-1074 for subnormal numbers.
    let unit = (top - 52).max(-1074);
    let shift = unit - exponent;
    let (floor, rest, half) = if shift <= 0 {
        (significand << -shift, 0, 1)
    } else if shift < 128 {
        (significand >> shift, significand & ((1 << shift) - 1), 1 << (shift - 1))
    } else {
        (0, 1, 2)
    };
    let up = if to_odd { rest != 0 && floor & 1 == 0 } else { rest > half || (rest == half && floor & 1 != 0) };
    // The implicit 1 and a carry add to the exponent field.
    let bits = (((unit + 1074) as u64) << 52) + floor as u64 + u64::from(up);
    (f64::from_bits(bits), rest == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(lane: Lane, text: &str) -> u64 {
        lane.parse(text).unwrap_or_else(|| panic!("{text} is a number")).bits
    }

    #[test]
    fn values_round_once() {
        // This number is slightly above the tie between 1 and 1 + 2^-10. Rounding to f64 first
        // would give the tie.
        let above = "1.00048828125000000000000000000000000001";
        assert_eq!(bits(Lane::F16, above), 0x3c01);
        assert_eq!(bits(Lane::F16, "1.00048828125"), 0x3c00);
        assert_eq!(bits(Lane::F16, "0x1.00200000000000000000000000000000000001p0"), 0x3c01);
        assert_eq!(bits(Lane::F16, "0x1.002p0"), 0x3c00);
        assert_eq!(bits(Lane::F32, "0x1.000001000000000001p0"), 0x3f80_0001);
        assert_eq!(bits(Lane::Bf16, "1.00390625"), 0x3f80);
        assert_eq!(bits(Lane::Bf16, "1.003906250000000000000000000000001"), 0x3f81);
        assert_eq!(bits(Lane::Bf16, "1.003906249999999999999999999999999"), 0x3f80);
        assert_eq!(bits(Lane::F64, "0x1.00000000000008p0"), 0x3ff0_0000_0000_0000);
        assert_eq!(bits(Lane::F64, "0x1.000000000000080000000000000000000000000001p0"), 0x3ff0_0000_0000_0001);
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(bits(Lane::F16, "65519.99"), 0x7bff);
        assert_eq!(bits(Lane::F16, "65520"), 0x7c00);
        assert_eq!(bits(Lane::F16, "-1e999999999999999999999"), 0xfc00);
        assert_eq!(bits(Lane::F16, "0x1p-25"), 0);
        assert_eq!(bits(Lane::F16, "0x1.0000001p-25"), 1);
        assert_eq!(bits(Lane::F16, "-1e-999999999999999999999"), 0x8000);
        assert_eq!(bits(Lane::F64, "0x1p-1074"), 1);
        assert_eq!(bits(Lane::F64, "0x1p-1075"), 0);
        assert_eq!(bits(Lane::F64, "0x1.8p-1075"), 1);
        assert_eq!(bits(Lane::F64, "0x1.fffffffffffff8p1023"), f64::INFINITY.to_bits());
        assert_eq!(bits(Lane::F32, "0x1p99999999999999999999"), 0x7f80_0000);
    }

    #[test]
    fn a_nan_has_the_sign_that_was_written() {
        for (lane, positive) in
            [(Lane::F16, 0x7fff), (Lane::Bf16, 0x7fff), (Lane::F32, 0x7fff_ffff), (Lane::F64, 0x7ff8_0000_0000_0000)]
        {
            for nan in ["nan", "NaN", "+NAN"] {
                assert_eq!(bits(lane, nan), positive, "{lane} {nan}");
            }
            let negative = positive | lane.shape().sign;
            assert_eq!(bits(lane, "-nan"), negative, "{lane}");
            assert_eq!([lane.shortest(positive), lane.shortest(negative)], ["nan", "-nan"], "{lane}");
        }
    }

    #[test]
    fn exactness_is_known() {
        for (lane, text, exact) in [
            (Lane::F16, "0.1", false),
            (Lane::F16, "1.50000e0", true),
            (Lane::F16, "2049", false),
            (Lane::F32, "0.1", false),
            (Lane::F64, "0.1", false),
            (Lane::F64, "0.1000000000000000055511151231257827021181583404541015625", true),
            (Lane::F64, "1e400", false),
            (Lane::F64, "1e-400", false),
            (Lane::F64, "-0", true),
            (Lane::F64, "0e5", true),
            (Lane::F64, "00012.5e-1", true),
            (Lane::Bf16, "0x1.01p0", false),
            (Lane::Bf16, "inf", true),
            (Lane::Bf16, "-NaN", true),
            (Lane::S2f6, "-2", true),
            (Lane::S2f6, "2", false),
            (Lane::S2f6, "-0x1p1", true),
            (Lane::E2m3, "7.5", true),
            (Lane::E2m3, "7.6", false),
            (Lane::Ue8m0, "0x1p-127", true),
            (Lane::Ue8m0, "3", false),
        ] {
            assert_eq!(lane.parse(text).unwrap().exact, exact, "{lane} {text}");
        }
    }

    #[test]
    fn every_half_reads_back() {
        for lane in [Lane::F16, Lane::Bf16] {
            for b in 0..=0xffff_u64 {
                let x = lane.widen(b);
                if !x.is_nan() {
                    assert_eq!(bits(lane, &lane.shortest(b)), b, "{}", lane.shortest(b));
                    if x.is_finite() && x != 0.0 {
                        assert_eq!(lane.parse(&hex_float(x)).unwrap(), Rounded { bits: b, exact: true });
                    }
                }
            }
        }
    }

    #[test]
    fn agrees_with_the_types() {
        let mut texts: Vec<String> =
            ["1e-8", "6e-8", "65504", "65519.999", "3e38", "3.4e38", "1e-45", "0x1.ffep15", "NaN"]
                .map(str::to_owned)
                .to_vec();
        // Ties of either format, and numbers next to them, in both notations.
        for i in 0..20_000_u32 {
            let tie = f32::from_bits(i.wrapping_mul(0x0001_3579) & !0x0fff | 0x1000);
            if tie.is_finite() {
                texts.extend([format!("{tie:e}"), format!("{tie:.40}1"), hex_float(tie.into())]);
            }
        }
        for text in texts {
            assert_eq!(bits(Lane::F16, &text), u64::from(text.parse::<F16>().unwrap().to_bits()), "{text}");
            assert_eq!(bits(Lane::Bf16, &text), u64::from(text.parse::<Bf16>().unwrap().to_bits()), "{text}");
        }
    }

    #[test]
    fn other_text_is_no_number() {
        for text in ["", "-", "+", ".", "abc", "1e", "0x", "0xp3", "0x.p1", "--1", "1,5", "1_0", "é", "0x1p"] {
            assert_eq!(Lane::F16.parse(text), None, "{text}");
        }
    }

    #[test]
    fn shown_for_people() {
        assert_eq!(Lane::F16.show(0x3e00), "1.5");
        assert_eq!(Lane::F16.show(0x2e66), "0.0999755859375");
        assert_eq!(Lane::F16.show(0x0ffe), "≈0.0004878 (0x1.ff8p-12)");
        assert_eq!(Lane::F32.show(0x7180_0000), "≈1.2676506e30 (0x1p100)");
        assert_eq!(Lane::F16.show(0x8000), "-0");
        assert_eq!(Lane::F16.show(0xfc00), "-inf");
        assert_eq!(Lane::F16.show(0x7fff), "NaN");
        assert_eq!(Lane::F16.show(0x7e00), "NaN, not the canonical one");
        assert_eq!(Lane::F16.show(0xffff), "-NaN, not the canonical one");
        assert_eq!(Lane::F64.show(0xfff8_0000_0000_0000), "-NaN");
        assert_eq!(Lane::F64.show(0x7ff8_0000_0000_0000), "NaN, not the canonical one");
        assert_eq!(Lane::F64.show(1), "≈5e-324 (0x1p-1074)");
        assert_eq!(Lane::F64.show(3), "≈1.5e-323 (0x1.8p-1073)");
        assert_eq!([Lane::S2f6.show(0x80), Lane::S2f6.show(0xff)], ["-2", "-0.015625"]);
        assert_eq!(
            [0x00, 0x7f, 0x81, 0xfe, 0xff].map(|b| Lane::Ue8m0.show(b)),
            ["0x1p-127", "1", "4", "0x1p127", "NaN"]
        );
        assert_eq!(Lane::F32.show(0x3eaa_aaab), "≈0.33333334 (0x1.555556p-2)");
    }
}
