//! Dyadic numbers, which are ends of intervals, and rationals, which are exact values.

use std::cmp::Ordering;

use super::format::Format;
use super::nat::{self, Nat};

/// A number `± integer · 2^exponent`; the integer of zero is empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dyadic {
    pub(super) negative: bool,
    pub(super) integer: Nat,
    pub(super) exponent: i64,
}

/// A real number or an infinity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    Finite(Dyadic),
    Infinite { negative: bool },
}

/// A nonzero number `± numerator / denominator · 2^exponent`. Both integers are odd, and may have a
/// common factor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rational {
    pub(super) negative: bool,
    pub(super) numerator: Nat,
    pub(super) denominator: Nat,
    pub(super) exponent: i64,
}

impl Dyadic {
    pub(super) const ZERO: Self = Self { negative: false, integer: Vec::new(), exponent: 0 };

    pub(super) fn from_i64(n: i64) -> Self {
        Self { negative: n < 0, integer: nat::from_u64(n.unsigned_abs()), exponent: 0 }
    }

    pub(super) fn power_of_two(exponent: i64) -> Self {
        Self { negative: false, integer: vec![1], exponent }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.integer.is_empty()
    }

    /// Returns the exponent of the least power of two above the magnitude.
    pub(super) fn top(&self) -> i64 {
        self.exponent + nat::bits(&self.integer)
    }

    pub(super) fn abs(&self) -> Self {
        Self { negative: false, ..self.clone() }
    }

    pub(super) fn negated(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    pub(super) fn scaled(&self, k: i64) -> Self {
        Self { exponent: self.exponent + k, ..self.clone() }
    }

    /// Rounds to `precision` bits, up or down; `more` if nonzero bits follow the last one.
    pub(super) fn rounded(mut self, precision: i64, more: bool, up: bool) -> Self {
        let drop = nat::bits(&self.integer) - precision;
        let mut more = more;
        if drop > 0 {
            more |= nat::trailing_zeros(&self.integer) < drop;
            self.integer = nat::shr(&self.integer, drop);
            self.exponent += drop;
        }
        if more && up != self.negative {
            self.integer = nat::add(&self.integer, &[1]);
        }
        self
    }

    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let sign = |x: &Self| {
            if x.is_zero() {
                0
            } else if x.negative {
                -1
            } else {
                1
            }
        };
        match (sign(self), sign(other)) {
            (0, 0) => Ordering::Equal,
            (1, 1) => self.cmp_magnitude(other),
            (-1, -1) => other.cmp_magnitude(self),
            (a, b) => a.cmp(&b),
        }
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        self.top().cmp(&other.top()).then_with(|| {
            let e = self.exponent.min(other.exponent);
            nat::cmp(&nat::shl(&self.integer, self.exponent - e), &nat::shl(&other.integer, other.exponent - e))
        })
    }

    /// Returns a bound of the sum with `precision` bits: an upper one if `up`.
    pub(super) fn sum(&self, other: &Self, precision: i64, up: bool) -> Self {
        let (a, b) =
            if self.is_zero() || !other.is_zero() && other.top() > self.top() { (other, self) } else { (self, other) };
        if b.is_zero() {
            return a.clone().rounded(precision, false, up);
        }
        // A negligible operand is replaced by a bound of its magnitude, so that the sum stays
        // short.
        let floor = a.top() - precision - 64;
        if b.top() < floor {
            if b.negative == up {
                return a.clone().rounded(precision, false, up);
            }
            let b = Self { negative: b.negative, ..Self::power_of_two(floor) };
            return a.exact_sum(&b).rounded(precision, false, up);
        }
        a.exact_sum(b).rounded(precision, false, up)
    }

    pub(super) fn exact_sum(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let a = nat::shl(&self.integer, self.exponent - exponent);
        let b = nat::shl(&other.integer, other.exponent - exponent);
        let (negative, integer) = signed_sum(self.negative, &a, other.negative, &b);
        Self { negative, integer, exponent }
    }

    pub(super) fn exact_product(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            integer: nat::mul(&self.integer, &other.integer),
            exponent: self.exponent + other.exponent,
        }
    }

    /// Returns a bound of the quotient by a nonzero number.
    pub(super) fn quotient(&self, other: &Self, precision: i64, up: bool) -> Self {
        let shift = (precision + 2 + nat::bits(&other.integer) - nat::bits(&self.integer)).max(0);
        let (integer, rest) = nat::div_rem(&nat::shl(&self.integer, shift), &other.integer);
        let quotient = Self {
            negative: self.negative != other.negative,
            integer,
            exponent: self.exponent - other.exponent - shift,
        };
        quotient.rounded(precision, !rest.is_empty(), up)
    }

    /// Returns a bound of the root of a number that is not negative.
    pub(super) fn sqrt(&self, precision: i64, up: bool) -> Self {
        let mut shift = (2 * precision + 4 - nat::bits(&self.integer)).max(0);
        shift += (self.exponent - shift) & 1;
        let (integer, exact) = nat::sqrt(&nat::shl(&self.integer, shift));
        let root = Self { negative: false, integer, exponent: (self.exponent - shift) / 2 };
        root.rounded(precision, !exact, up)
    }

    /// `⌊|x| · 2^point⌋`
    pub(super) fn fixed(&self, point: i64) -> Nat {
        let shift = self.exponent + point;
        if shift >= 0 { nat::shl(&self.integer, shift) } else { nat::shr(&self.integer, -shift) }
    }

    /// Rounds the number, or a number just above (`Some(true)`) or just below it.
    pub(super) fn round(&self, format: Format, above: Option<bool>) -> u16 {
        use crate::table::format::SIGN;
        if self.is_zero() {
            return if above == Some(false) { SIGN } else { 0 };
        }
        let (significand, exponent, more) = leading(&self.integer, self.exponent);
        match above {
            Some(above) if above == self.negative && !more => {
                // One unit less, with nonzero bits after it.
                if significand == 1 << 63 {
                    format.round(self.negative, u64::MAX, exponent - 1)
                } else {
                    format.round(self.negative, (significand - 1) | 1, exponent)
                }
            }
            _ => format.round(self.negative, significand | u64::from(more || above.is_some()), exponent),
        }
    }

    /// Converts to binary64, exactly if there are at most 53 bits; `None` if the result is not a
    /// normal number.
    pub(super) fn to_f64(&self) -> Option<f64> {
        if self.is_zero() {
            return None;
        }
        let (significand, exponent, _) = leading(&self.integer, self.exponent);
        let magnitude = (-960..960)
            .contains(&(exponent + 63))
            .then(|| (significand >> 11) as f64 * crate::table::format::power_of_two(exponent + 63 - 52))?;
        Some(if self.negative { -magnitude } else { magnitude })
    }
}

/// Returns the top 64 bits of `integer · 2^exponent`, their exponent, and `true` if any lower bit
/// is set.
fn leading(integer: &[u64], exponent: i64) -> (u64, i64, bool) {
    let n = nat::bits(integer);
    let (top, more) = if n <= 64 {
        (nat::shl(integer, 64 - n), false)
    } else {
        (nat::shr(integer, n - 64), nat::trailing_zeros(integer) < n - 64)
    };
    (top.first().copied().unwrap_or(0), exponent + n - 64, more)
}

fn signed_sum(a_negative: bool, a: &[u64], b_negative: bool, b: &[u64]) -> (bool, Nat) {
    if a_negative == b_negative {
        return (a_negative, nat::add(a, b));
    }
    match nat::cmp(a, b) {
        Ordering::Less => (b_negative, nat::sub(b, a)),
        Ordering::Equal => (false, Vec::new()),
        Ordering::Greater => (a_negative, nat::sub(a, b)),
    }
}

impl Rational {
    /// Returns `± numerator / denominator · 2^exponent`; `None` is zero.
    pub(super) fn new(negative: bool, numerator: &[u64], denominator: &[u64], exponent: i64) -> Option<Self> {
        if numerator.is_empty() {
            return None;
        }
        let (n, d) = (nat::trailing_zeros(numerator), nat::trailing_zeros(denominator));
        Some(Self {
            negative,
            numerator: nat::shr(numerator, n),
            denominator: nat::shr(denominator, d),
            exponent: exponent + n - d,
        })
    }

    pub(crate) fn from_i64(n: i64) -> Option<Self> {
        Self::new(n < 0, &nat::from_u64(n.unsigned_abs()), &[1], 0)
    }

    /// Returns `digits · 10^power`; `None` is zero.
    pub(crate) fn from_decimal(digits: &str, power: i32) -> Option<Self> {
        let integer = digits
            .bytes()
            .fold(Vec::new(), |n, digit| nat::add(&nat::mul_small(&n, 10), &nat::from_u64(u64::from(digit - b'0'))));
        if power >= 0 {
            let five = nat::power_of_five(power.unsigned_abs());
            return Self::new(false, &nat::mul(&integer, &five), &[1], power.into());
        }
        // Common fives cancel: 0.5 is 5/10 and becomes 1/2.
        let (mut integer, mut fives) = (integer, power.unsigned_abs());
        while fives > 0 && !integer.is_empty() {
            let (quotient, rest) = nat::div_rem(&integer, &[5]);
            if !rest.is_empty() {
                break;
            }
            (integer, fives) = (quotient, fives - 1);
        }
        Self::new(false, &integer, &nat::power_of_five(fives), power.into())
    }

    /// Returns `± significand · 2^exponent`; `None` is zero.
    pub(super) fn from_parts(negative: bool, significand: u64, exponent: i64) -> Option<Self> {
        Self::new(negative, &[significand], &[1], exponent)
    }

    pub(crate) fn one() -> Self {
        Self { negative: false, numerator: vec![1], denominator: vec![1], exponent: 0 }
    }

    /// Cancels common factors, so that equal numbers have equal representations.
    pub(crate) fn reduced(self) -> Self {
        if self.denominator == [1] {
            return self;
        }
        let common = nat::gcd(&self.numerator, &self.denominator);
        if common == [1] {
            return self;
        }
        let over = |n: &Nat| nat::div_rem(n, &common).0;
        Self { numerator: over(&self.numerator), denominator: over(&self.denominator), ..self }
    }

    pub(crate) fn three() -> Self {
        Self { numerator: vec![3], ..Self::one() }
    }

    /// Returns the nearest integer (modulo 2^32) and the rest; `None` if the number is an integer.
    pub(crate) fn nearest_integer(&self) -> (i64, Option<Self>) {
        // Half of the integer part of twice the magnitude, rounded.
        let (mut n, mut d) = (self.numerator.clone(), self.denominator.clone());
        if self.exponent > 0 {
            n = nat::shl(&n, self.exponent);
        } else {
            d = nat::shl(&d, -self.exponent);
        }
        let integer = nat::shr(&nat::add(&nat::div_rem(&nat::shl(&n, 1), &d).0, &[1]), 1);
        let rest = match nat::cmp(&nat::mul(&integer, &d), &n) {
            Ordering::Equal => None,
            Ordering::Less => Self::new(self.negative, &nat::sub(&n, &nat::mul(&integer, &d)), &d, 0),
            Ordering::Greater => Self::new(!self.negative, &nat::sub(&nat::mul(&integer, &d), &n), &d, 0),
        };
        let low = integer.first().map_or(0, |&n| (n & 0xFFFF_FFFF) as i64);
        (if self.negative { -low } else { low }, rest)
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(crate) fn negated(&self) -> Self {
        Self { negative: !self.negative, ..self.clone() }
    }

    pub(crate) fn abs(&self) -> Self {
        Self { negative: false, ..self.clone() }
    }

    /// Returns the number times 2^k.
    pub(crate) fn scaled(&self, k: i64) -> Self {
        Self { exponent: self.exponent + k, ..self.clone() }
    }

    /// Returns the number if it is an integer of less than 32 bits.
    pub(crate) fn as_i64(&self) -> Option<i64> {
        let x = self.as_dyadic()?;
        let n = (0..32).contains(&x.exponent).then(|| x.fixed(0)).filter(|n| nat::bits(n) < 32)?;
        let n = n.first().map_or(0, |&n| n as i64);
        Some(if self.negative { -n } else { n })
    }

    /// Returns k if the number is 2^k.
    pub(crate) fn as_power_of_two(&self) -> Option<i64> {
        (!self.negative && self.numerator == self.denominator).then_some(self.exponent)
    }

    /// Returns `true` if the integers are short enough for exact arithmetic.
    pub(crate) fn is_short(&self) -> bool {
        self.size() < 1 << 13 && self.exponent.abs() < 1 << 20
    }

    /// Returns the number of bits of both integers.
    pub(super) fn size(&self) -> i64 {
        nat::bits(&self.numerator) + nat::bits(&self.denominator)
    }

    /// Returns an exponent e such that the magnitude is within a factor of 2 of 2^e.
    pub(super) fn magnitude(&self) -> i64 {
        self.exponent + nat::bits(&self.numerator) - nat::bits(&self.denominator)
    }

    /// Returns the sum; `None` is zero.
    pub(crate) fn sum(&self, other: &Self) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let a = nat::shl(&nat::mul(&self.numerator, &other.denominator), self.exponent - exponent);
        let b = nat::shl(&nat::mul(&other.numerator, &self.denominator), other.exponent - exponent);
        let (negative, numerator) = signed_sum(self.negative, &a, other.negative, &b);
        Self::new(negative, &numerator, &nat::mul(&self.denominator, &other.denominator), exponent)
    }

    pub(crate) fn product(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            numerator: nat::mul(&self.numerator, &other.numerator),
            denominator: nat::mul(&self.denominator, &other.denominator),
            exponent: self.exponent + other.exponent,
        }
    }

    pub(crate) fn inverse(&self) -> Self {
        Self {
            negative: self.negative,
            numerator: self.denominator.clone(),
            denominator: self.numerator.clone(),
            exponent: -self.exponent,
        }
    }

    /// Returns the root of a positive number; `None` if it is not rational.
    pub(crate) fn sqrt(&self) -> Option<Self> {
        // n/d is a square if n·d is, also with common factors.
        if self.exponent & 1 != 0 {
            return None;
        }
        let (root, exact) = nat::sqrt(&nat::mul(&self.numerator, &self.denominator));
        if exact { Self::new(false, &root, &self.denominator, self.exponent / 2) } else { None }
    }

    /// Returns the number if its reduced denominator is 1.
    pub(super) fn as_dyadic(&self) -> Option<Dyadic> {
        let dyadic = |integer| Some(Dyadic { negative: self.negative, integer, exponent: self.exponent });
        if self.denominator == [1] {
            return dyadic(self.numerator.clone());
        }
        let (quotient, rest) = nat::div_rem(&self.numerator, &self.denominator);
        if rest.is_empty() { dyadic(quotient) } else { None }
    }

    /// Returns a bound with `precision` bits.
    pub(super) fn bound(&self, precision: i64, up: bool) -> Dyadic {
        let part = |integer: &Nat| Dyadic { negative: false, integer: integer.clone(), exponent: 0 };
        let numerator = Dyadic { negative: self.negative, exponent: self.exponent, ..part(&self.numerator) };
        if self.denominator == [1] {
            return numerator.rounded(precision, false, up);
        }
        numerator.quotient(&part(&self.denominator), precision, up)
    }

    /// Returns the ends around the number in binary64; `None` if they are not normal numbers.
    pub(super) fn to_f64(&self) -> Option<(f64, f64)> {
        Some((self.bound(53, false).to_f64()?, self.bound(53, true).to_f64()?))
    }

    /// Rounds to the nearest number of the format, ties to even.
    pub(super) fn round(&self, format: Format) -> u16 {
        let (lo, hi) = (self.bound(64, false), self.bound(64, true));
        if lo.cmp(&hi).is_eq() { lo.round(format, None) } else { lo.round(format, Some(true)) }
    }
}
