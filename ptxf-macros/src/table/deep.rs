//! The second arithmetic: fixed point with as many bits as needed, and exact rationals.
//!
//! Few inputs need it: those near a tie, and those that cancel. The functions are series in fixed
//! point, whose error bound is far above the sum of their truncations. Everything else is interval
//! arithmetic on these functions.

mod error_function;
mod functions;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use super::format::{Format, Number};
use super::nat::{self, Nat};
use super::number::{Dyadic, End, Rational};
use super::program::Function;
use super::value::{Arithmetic, Known, Value};

/// Largest size in bits of an integer that is kept exactly.
const LONGEST: i64 = 1 << 14;

/// A precision in bits, and the constants already computed.
#[derive(Debug)]
pub(super) struct Deep {
    precision: i64,
    /// π, with the number of words after its point.
    pi: Vec<(usize, Nat)>,
    ln_2: Vec<(usize, Nat)>,
}

impl Deep {
    pub(super) const fn new(precision: i64) -> Self {
        Self { precision, pi: Vec::new(), ln_2: Vec::new() }
    }

    pub(super) fn operand(format: Format, bits: u16) -> Known<Self> {
        match format.decode(bits) {
            Number::Nan => Value::Nan,
            Number::Infinite { negative } => Value::Infinite { negative },
            Number::Zero { negative } => Value::Zero { negative },
            Number::Finite { negative, significand, exponent } => {
                exact(Rational::from_parts(negative, significand, exponent))
            }
        }
    }

    /// Returns the rounded bits; `None` if the enclosure leaves them in doubt.
    pub(super) fn round(format: Format, v: &Known<Self>) -> Option<u16> {
        let end = |e: &End, above| match e {
            End::Finite(x) => x.round(format, Some(above)),
            End::Infinite { negative } => format.infinity() | if *negative { super::format::SIGN } else { 0 },
        };
        match v {
            Value::Exact(x) => Some(x.round(format)),
            Value::Open(lo, hi) => {
                let d = end(lo, true);
                (d == end(hi, false)).then_some(d)
            }
            _ => v.special(format),
        }
    }

    /// Returns the cost of an operation: the number of words that it multiplies.
    pub(super) const fn work(&self) -> u64 {
        let words = self.precision as u64 / 64 + 2;
        4 * words + words * words
    }

    /// Keeps a number exactly if its integers are at most [`LONGEST`]; `None` is zero.
    fn keep(&self, x: Option<Rational>) -> Known<Self> {
        match x {
            Some(x) if x.size() > LONGEST => {
                let (lo, hi) = self.bracket(&x);
                if Self::end_cmp(&lo, &hi).is_eq() { Value::Unknown } else { Value::Open(lo, hi) }
            }
            x => exact(x),
        }
    }
}

#[cfg(test)]
impl Deep {
    pub(super) fn exact_dyadic(negative: bool, significand: u64, exponent: i64) -> Known<Self> {
        exact(Rational::from_parts(negative, significand, exponent))
    }

    pub(super) fn power(k: i64) -> End {
        End::Finite(Dyadic::power_of_two(k))
    }

    /// Converts a value of 53 bits to binary64; `None` if its ends do not fit.
    pub(super) fn to_fast(v: &Known<Self>) -> Option<Known<super::fast::Fast>> {
        let end = |e: &End| match e {
            End::Finite(x) if x.is_zero() => Some(0.0),
            End::Finite(x) => x.to_f64(),
            End::Infinite { .. } => None,
        };
        match v {
            Value::Open(lo, hi) => Some(Value::Open(end(lo)?, end(hi)?)),
            Value::Exact(x) => x.to_f64().map(|(x, _)| Value::Exact(x)),
            _ => None,
        }
    }
}

/// Returns the exact number; `None` becomes +0, as the sum of opposite numbers is.
fn exact(x: Option<Rational>) -> Known<Deep> {
    x.map_or(Value::Zero { negative: false }, Value::Exact)
}

impl Arithmetic for Deep {
    type Exact = Rational;
    type End = End;

    fn exact_neg(x: &Rational) -> Rational {
        Rational { negative: !x.negative, ..x.clone() }
    }
    fn exact_is_negative(x: &Rational) -> bool {
        x.negative
    }
    fn exact_cmp(&self, a: &Rational, b: &Rational) -> Ordering {
        let by_sign = |negative| if negative { Ordering::Less } else { Ordering::Greater };
        if a.negative != b.negative {
            return by_sign(a.negative);
        }
        if (a.magnitude() - b.magnitude()).abs() > 2 {
            let o = a.magnitude().cmp(&b.magnitude());
            return if a.negative { o.reverse() } else { o };
        }
        a.sum(&Self::exact_neg(b)).map_or(Ordering::Equal, |d| by_sign(d.negative))
    }
    fn exact_add(&self, a: &Rational, b: &Rational) -> Known<Self> {
        if (a.exponent - b.exponent).abs() > LONGEST {
            let ((a, b), (c, d)) = (self.bracket(a), self.bracket(b));
            let (lo, hi) = (self.end_add(&a, &c, false), self.end_add(&b, &d, true));
            return if Self::end_cmp(&lo, &hi).is_eq() { Value::Unknown } else { Value::Open(lo, hi) };
        }
        self.keep(a.sum(b))
    }
    fn exact_mul(&self, a: &Rational, b: &Rational) -> Known<Self> {
        self.keep(Some(a.product(b)))
    }
    fn exact_div(&self, a: &Rational, b: &Rational) -> Known<Self> {
        self.keep(Some(a.product(&b.inverse())))
    }
    fn exact_sqrt(&self, x: &Rational) -> Known<Self> {
        match x.sqrt() {
            Some(root) => Value::Exact(root),
            None => {
                let (lo, hi) = self.bracket(x);
                Value::Open(self.end_sqrt(&lo, false), self.end_sqrt(&hi, true))
            }
        }
    }
    fn bracket(&self, x: &Rational) -> (End, End) {
        (End::Finite(x.bound(self.precision, false)), End::Finite(x.bound(self.precision, true)))
    }
    fn angle(&self, x: &Rational) -> (End, End) {
        match x.as_dyadic() {
            Some(x) => (End::Finite(x.clone()), End::Finite(x)),
            None => self.bracket(x),
        }
    }
    fn exact_integer(x: &Rational) -> Option<i64> {
        let x = x.as_dyadic()?;
        if x.top() > 30 || x.exponent + nat::trailing_zeros(&x.integer) < 0 {
            return None;
        }
        let n = x.fixed(0).first().map_or(0, |&n| n as i64);
        Some(if x.negative { -n } else { n })
    }
    fn exact_log2(x: &Rational) -> Option<i64> {
        let x = x.as_dyadic()?;
        (!x.negative && nat::bits(&x.integer) == nat::trailing_zeros(&x.integer) + 1).then(|| x.top() - 1)
    }
    fn exp2_of(&self, k: i64) -> Known<Self> {
        exact(Rational::from_parts(false, 1, k))
    }
    fn exact_from(n: i64) -> Rational {
        Rational::from_parts(n < 0, n.unsigned_abs(), 0).expect("not of 0")
    }

    fn end_from(n: i64) -> End {
        End::Finite(Dyadic::from_i64(n))
    }
    fn end_infinity(negative: bool) -> End {
        End::Infinite { negative }
    }
    fn end_neg(x: &End) -> End {
        match x {
            End::Finite(x) => End::Finite(x.negated()),
            End::Infinite { negative } => End::Infinite { negative: !negative },
        }
    }
    fn end_cmp(a: &End, b: &End) -> Ordering {
        let far = |negative: bool| if negative { Ordering::Less } else { Ordering::Greater };
        match (a, b) {
            (End::Finite(a), End::Finite(b)) => a.cmp(b),
            (End::Infinite { negative: s }, End::Infinite { negative: t }) => t.cmp(s),
            (End::Infinite { negative }, _) => far(*negative),
            (_, End::Infinite { negative }) => far(!negative),
        }
    }
    fn end_sign(x: &End) -> Ordering {
        match x {
            End::Finite(x) if x.is_zero() => Ordering::Equal,
            End::Finite(Dyadic { negative: true, .. }) | End::Infinite { negative: true } => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
    fn end_is_infinite(x: &End) -> bool {
        matches!(x, End::Infinite { .. })
    }
    fn end_add(&self, a: &End, b: &End, up: bool) -> End {
        match (a, b) {
            (End::Finite(a), End::Finite(b)) => End::Finite(a.sum(b, self.precision, up)),
            (End::Infinite { .. }, _) => a.clone(),
            _ => b.clone(),
        }
    }
    fn end_mul(&self, a: &End, b: &End, up: bool) -> End {
        if Self::end_sign(a).is_eq() || Self::end_sign(b).is_eq() {
            return End::Finite(Dyadic::ZERO);
        }
        match (a, b) {
            (End::Finite(a), End::Finite(b)) => End::Finite(a.exact_product(b).rounded(self.precision, false, up)),
            _ => End::Infinite { negative: Self::end_sign(a) != Self::end_sign(b) },
        }
    }
    fn end_div(&self, a: &End, b: &End, up: bool) -> End {
        let negative = Self::end_sign(a).is_lt();
        match (a, b) {
            _ if Self::end_sign(a).is_eq() => a.clone(),
            (End::Finite(a), End::Finite(b)) if !b.is_zero() => End::Finite(a.quotient(b, self.precision, up)),
            (End::Finite(_), End::Infinite { .. }) => End::Finite(Dyadic::ZERO),
            _ => End::Infinite { negative },
        }
    }
    fn end_sqrt(&self, x: &End, up: bool) -> End {
        match x {
            End::Finite(x) if !x.is_zero() => End::Finite(x.sqrt(self.precision, up)),
            _ => x.clone(),
        }
    }
    fn pi(&mut self) -> (End, End) {
        let (lo, hi) = self.pi_bounds();
        (End::Finite(lo), End::Finite(hi))
    }
    fn ends_of(&mut self, f: Function, x: &End) -> (End, End) {
        let End::Finite(x) = x else { return (End::Infinite { negative: true }, End::Infinite { negative: false }) };
        // Intermediate results have more bits, so that the ends are off by less than their last
        // bit.
        let precision = self.precision;
        self.precision += 64;
        let (lo, hi) = self.function(f, x);
        self.precision = precision;
        let rounded = |e: End, up| match e {
            End::Finite(x) => End::Finite(x.rounded(precision, false, up)),
            infinite @ End::Infinite { .. } => infinite,
        };
        (rounded(lo, false), rounded(hi, true))
    }
}
