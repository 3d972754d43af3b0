//! Decimals of any length, exactly.

use std::fmt;

/// A decimal `0.d₁d₂… · 10^point`, with `d₁` and the last digit nonzero; compares by value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Decimal {
    point: i64,
    digits: Vec<u8>,
}

/// More digits than the difference of two numbers of a format has on one side of the point.
const MOST: usize = 2000;

impl Decimal {
    /// The decimal of a finite `x`, with all its digits: 767 are enough to write any f64 exactly.
    pub(crate) fn all(x: f64) -> Self {
        Self::new(&format!("{x:.766e}"))
    }

    /// Whether it is `nearest`, the f64 nearest to it.
    pub(crate) fn is(&self, nearest: f64) -> bool {
        let Some(count) = i64::try_from(self.digits.len()).ok().filter(|n| *n > 0) else { return nearest == 0.0 };
        // As an integer, which no ten divides, times this power of ten.
        let power = self.point - count;
        // An f64's odd part has 53 bits, and five's powers are odd. Below 1, the digits have to have as many fives.
        if power > 22 || count * 100 <= -power * 69 {
            return false;
        }
        if count > 15 {
            return *self == Self::all(nearest);
        }
        let integer = self.digits.iter().fold(0, |n: u128, d| n * 10 + u128::from(d - b'0'));
        let fives = 5_u128.pow(power.unsigned_abs() as u32);
        if power < 0 {
            return integer % fives == 0;
        }
        let product = integer * fives;
        product >> product.trailing_zeros() < 1 << 53
    }

    /// The decimal that a text spells which is known to be one without a sign.
    pub(crate) fn new(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole.as_bytes(), fraction.as_bytes()].concat();
        Self::normal(exponent_of(exponent).unwrap_or(0) + whole.len() as i64, &all)
    }

    /// `0.d₁d₂… · 10^point` of any digits.
    fn normal(point: i64, digits: &[u8]) -> Self {
        let Some(start) = digits.iter().position(|&d| d != b'0') else {
            return Self { point: i64::MIN, digits: Vec::new() };
        };
        let end = digits.iter().rposition(|&d| d != b'0').map_or(start, |i| i + 1);
        Self { point: point - start as i64, digits: digits[start..end].to_vec() }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// It times `2^power`.
    pub(crate) fn scaled(&self, power: i32) -> Self {
        if self.is_zero() {
            return self.clone();
        }
        // Half of a number is five tenths of it.
        let (base, point) = if power < 0 { (5, self.point - i64::from(power.unsigned_abs())) } else { (2, self.point) };
        let mut digits: Vec<u8> = self.digits.iter().rev().map(|d| d - b'0').collect();
        let mut rest = power.unsigned_abs();
        while rest > 0 {
            // Few enough at once that no sum overflows.
            let now = rest.min(20);
            let mut carry = 0;
            for d in &mut digits {
                let sum = u64::from(*d) * u64::pow(base, now) + carry;
                *d = (sum % 10) as u8;
                carry = sum / 10;
            }
            while carry > 0 {
                digits.push((carry % 10) as u8);
                carry /= 10;
            }
            rest -= now;
        }
        let point = point + (digits.len() - self.digits.len()) as i64;
        Self::normal(point, &digits.iter().rev().map(|d| d + b'0').collect::<Vec<_>>())
    }

    /// It less an integer that is not above it; `None` where that has too many digits.
    pub(crate) fn minus(&self, integer: u64) -> Option<Self> {
        let places = usize::try_from(self.point).unwrap_or(0);
        if places > MOST {
            return None;
        }
        let mut digits = self.digits.clone();
        digits.resize(digits.len().max(places), b'0');
        let mut rest = integer;
        for d in digits[..places].iter_mut().rev() {
            let (less, borrow) = ((rest % 10) as u8, *d - b'0' < (rest % 10) as u8);
            *d = *d + if borrow { 10 } else { 0 } - less;
            rest = rest / 10 + u64::from(borrow);
        }
        Some(Self::normal(self.point, &digits))
    }

    /// 1 less it, which is between 0 and 1; `None` where that has too many digits.
    pub(crate) fn complement(&self) -> Option<Self> {
        let zeros = usize::try_from(-self.point).ok().filter(|zeros| *zeros <= MOST)?;
        let mut digits = [vec![b'0'; zeros], self.digits.clone()].concat();
        let last = digits.len() - 1;
        for (i, d) in digits.iter_mut().enumerate() {
            *d = if i == last { b'0' + 10 - (*d - b'0') } else { b'9' - (*d - b'0') };
        }
        Some(Self::normal(0, &digits))
    }

    /// The same to this many digits, a half of the last one upward.
    fn rounded(&self, digits: usize) -> Self {
        let Some(next) = self.digits.get(digits) else { return self.clone() };
        let mut kept = [b"0", &self.digits[..digits]].concat();
        if *next >= b'5' {
            let nines = kept.iter().rev().take_while(|&&d| d == b'9').count();
            let end = kept.len() - nines;
            kept.truncate(end);
            kept[end - 1] += 1;
        }
        Self::normal(self.point + 1, &kept)
    }
}

/// In full if that takes few digits, else a dozen of them.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 20;
        if self.is_zero() {
            return f.write_str("0");
        }
        let shown = if self.digits.len() <= LONGEST { self } else { &self.rounded(12) };
        let digits = str::from_utf8(&shown.digits).unwrap_or_default();
        let about = if shown == self { "" } else { "≈" };
        if !(-4..=LONGEST as i64).contains(&shown.point) {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return write!(f, "{about}{first}{point}{rest}e{}", shown.point - 1);
        }
        let places = usize::try_from(shown.point).unwrap_or(0);
        let zeros = "0".repeat(usize::try_from(-shown.point).unwrap_or(0));
        match digits.split_at_checked(places) {
            Some((whole, "")) => write!(f, "{about}{whole}"),
            Some(("", behind)) => write!(f, "{about}0.{zeros}{behind}"),
            Some((whole, behind)) => write!(f, "{about}{whole}.{behind}"),
            None => write!(f, "{about}{digits}{}", "0".repeat(places - digits.len())),
        }
    }
}

/// Reads an exponent, limited so that sums cannot overflow: beyond that all exponents have one effect.
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
    fn arithmetic_is_exact() {
        let scaled = |text: &str, power| Decimal::new(text).scaled(power).to_string();
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
        // There and back, exactly.
        for text in ["0.1", "123456789.000000000987654321", "7e-300", "9e300"] {
            for power in [1, 19, 20, 21, 1074] {
                let x = Decimal::new(text);
                assert_eq!(x.scaled(power).scaled(-power), x, "{text} {power}");
                assert_eq!(x.scaled(-power).scaled(power), x, "{text} {power}");
            }
        }
    }

    #[test]
    fn differences() {
        for (text, integer, expected) in [
            ("9.6", 9, "0.6"),
            ("9.6", 0, "9.6"),
            ("10.05", 10, "0.05"),
            ("15", 15, "0"),
            ("1000", 1, "999"),
            ("0.05", 0, "0.05"),
        ] {
            assert_eq!(Decimal::new(text).minus(integer).unwrap().to_string(), expected, "{text} {integer}");
        }
        assert_eq!(Decimal::new("1e25").minus(1), Some(Decimal::new("9999999999999999999999999")));
        assert_eq!(Decimal::new("1e5000").minus(1), None);
        for (text, expected) in [
            ("0.6", "0.4"),
            ("0.05", "0.95"),
            ("0.999", "0.001"),
            ("0.5", "0.5"),
            ("1e-30", "≈1"),
            ("0.0001", "0.9999"),
        ] {
            assert_eq!(Decimal::new(text).complement().unwrap().to_string(), expected, "{text}");
        }
        assert_eq!(Decimal::new("1e-5000").complement(), None);
    }

    #[test]
    fn shown() {
        for (text, expected) in [
            ("00120.50", "120.5"),
            ("1200", "1200"),
            ("0.00012", "0.00012"),
            ("0.0000012", "1.2e-6"),
            ("1e25", "1e25"),
            ("0.12345678901234567890123", "≈0.123456789012"),
            ("0.99999999999999999999999", "≈1"),
            ("1.99999999999999999999999", "≈2"),
            ("123456789012345678901234", "≈1.23456789012e23"),
        ] {
            assert_eq!(Decimal::new(text).to_string(), expected, "{text}");
        }
    }
}
