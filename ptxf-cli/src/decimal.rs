//! Decimals of any length: as text gives them, as an f64 has them, and for people.

use std::fmt;

use bigdecimal::num_bigint::BigInt;
use bigdecimal::{BigDecimal, RoundingMode};

/// A decimal that is not negative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Decimal(BigDecimal);

/// A number of at least 10^MOST, or of at most 10^-MOST, is replaced by that power.
///
/// No format has numbers so large or so small, and exact differences from these have too many
/// digits.
const MOST: i64 = 2000;

impl Decimal {
    /// Returns a finite `x` exactly.
    pub(crate) fn of(x: f64) -> Self {
        Self(BigDecimal::try_from(x).unwrap_or_default())
    }

    /// Reads a decimal without a sign, such as `12.5e-3`, whose spelling was checked before.
    pub(crate) fn read(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole.as_bytes(), fraction.as_bytes()].concat();
        let Some(first) = all.iter().position(|&d| d != b'0') else { return Self(BigDecimal::default()) };
        let exponent = exponent_of(exponent).unwrap_or(0);
        let magnitude = exponent + whole.len() as i64 - first as i64;
        if magnitude.abs() > MOST {
            return Self(BigDecimal::new(BigInt::from(1), -MOST * magnitude.signum()));
        }
        let digits = BigInt::parse_bytes(&all, 10).unwrap_or_default();
        Self(BigDecimal::new(digits, fraction.len() as i64 - exponent))
    }

    /// Returns `true` if this is a finite `x`, which is not negative.
    ///
    /// An odd multiple of 2^-n has n digits after the point. Most texts have fewer digits than the
    /// number that is near, so its hundreds of digits need not be computed.
    pub(crate) fn is(&self, x: f64) -> bool {
        let (bits, fraction) = (x.to_bits(), f64::MANTISSA_DIGITS - 1);
        let exponent = (bits >> fraction) as i64;
        let significand = bits & ((1 << fraction) - 1) | u64::from(exponent > 0) << fraction;
        // The lowest bit of a subnormal number is 2^-1074, as that of the numbers after it.
        let lowest = exponent.max(1) - 1075 + i64::from(significand.trailing_zeros());
        (significand == 0 || self.0.fractional_digit_count() >= -lowest) && *self == Self::of(x)
    }

    /// Returns `self · 2^power`.
    pub(crate) fn scaled(&self, power: i32) -> Self {
        let count = power.unsigned_abs();
        // 2^-n is 5^n / 10^n.
        let factor = if power < 0 {
            BigDecimal::new(BigInt::from(5).pow(count), count.into())
        } else {
            BigDecimal::new(BigInt::from(2).pow(count), 0)
        };
        Self(&self.0 * factor)
    }

    /// Returns `self / 2^unit - whole`, which must not be negative; `None` for a number near to
    /// 10^MOST and above.
    pub(crate) fn units_above(&self, unit: i32, whole: u64) -> Option<Self> {
        let is_exact = self.0 < BigDecimal::new(BigInt::from(1), 1 - MOST);
        is_exact.then(|| Self(self.scaled(-unit).0 - BigInt::from(whole)))
    }

    /// Returns `1 - self` of a decimal from 0 to 1.
    pub(crate) fn complement(&self) -> Self {
        Self(BigDecimal::from(1) - &self.0)
    }
}

/// Writes up to 20 digits in full, and of more digits the first twelve, rounded.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: u64 = 20;
        let (mut shown, mut about) = (self.0.normalized(), "");
        if shown.digits() > LONGEST {
            (shown, about) = (shown.with_precision_round(TWELVE, RoundingMode::HalfUp).normalized(), "≈");
        }
        let text = match shown.order_of_magnitude() {
            -5..=19 => shown.to_plain_string(),
            _ => shown.to_scientific_notation(),
        };
        write!(f, "{about}{text}")
    }
}

const TWELVE: std::num::NonZeroU64 = std::num::NonZeroU64::new(12).unwrap();

/// Reads an exponent. One of more than 10^12 becomes 10^12, so that sums do not overflow.
pub(crate) fn exponent_of(text: &str) -> Option<i64> {
    const FAR: i64 = 1_000_000_000_000;
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|d| d.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.bytes().fold(0, |n: i64, d| (n * 10 + i64::from(d - b'0')).min(FAR));
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn a_text_is_a_number_if_it_has_all_digits() {
        for text in ["0", "0.0", "1", "10", "100e-2", "0.5", "0.50", "1.25e1", "3e2", "0.0009765625", "65504"] {
            assert!(Decimal::read(text).is(text.parse().unwrap()), "{text}");
        }
        for text in ["0.1", "0.3", "1e-300", "5e-324", "1e23", "0.50000000000000000001"] {
            assert!(!Decimal::read(text).is(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn arithmetic_is_exact() {
        let scaled = |text: &str, power| Decimal::read(text).scaled(power).to_string();
        for (text, power, expected) in [
            ("0.3", 5, "9.6"),
            ("0.3", 0, "0.3"),
            ("9.6", -5, "0.3"),
            ("1", -4, "0.0625"),
            ("0", 7, "0"),
            ("1e300", -1000, "≈0.0933263618503"),
            ("1", 70, "≈1.18059162072e21"),
            ("3", -100, "≈2.36658271566e-30"),
            ("3", -10, "0.0029296875"),
            ("65536", -16, "1"),
        ] {
            assert_eq!(scaled(text, power), expected, "{text} {power}");
        }
        for x in [0.1, 1.5e300, 5e-324, f64::MAX] {
            let exact = Decimal::read(&format!("{x:.766e}"));
            assert_eq!(Decimal::of(x), exact, "{x:e}");
            assert!(exact.is(x) && !exact.is(f64::from_bits(x.to_bits() - 1)), "{x:e}");
        }
    }

    #[test]
    fn differences_are_exact() {
        for (text, integer, expected) in
            [("9.6", 9, "0.6"), ("9.6", 0, "9.6"), ("10.05", 10, "0.05"), ("15", 15, "0"), ("1000", 1, "999")]
        {
            assert_eq!(Decimal::read(text).units_above(0, integer).unwrap().to_string(), expected, "{text} {integer}");
        }
        assert_eq!(Decimal::read("1e25").units_above(0, 1), Some(Decimal::read("9999999999999999999999999")));
        assert_eq!(Decimal::read("1e5000").units_above(0, 1), None);
        for (text, expected) in [("0.6", "0.4"), ("0.05", "0.95"), ("1e-30", "≈1"), ("1e-5000", "≈1")] {
            assert_eq!(Decimal::read(text).complement().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn many_digits_are_shown_as_twelve() {
        for (text, expected) in [
            ("00120.50", "120.5"),
            ("1200", "1200"),
            ("0.00012", "0.00012"),
            ("0.0000012", "1.2e-6"),
            ("1e25", "1e25"),
            ("0.12345678901234567890123", "≈0.123456789012"),
            ("0.99999999999999999999999", "≈1"),
            ("123456789012345678901234", "≈1.23456789012e23"),
        ] {
            assert_eq!(Decimal::read(text).to_string(), expected, "{text}");
        }
    }
}
