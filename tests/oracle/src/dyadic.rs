//! Exact non-negative numbers `m · 2^e`: every finite float is one, and so are their sums and
//! products.

use core::cmp::Ordering;
use num_bigint::BigUint;

use crate::layout::Layout;

/// `magnitude · 2^exponent`, not normalised: one value has many spellings.
#[derive(Clone, Debug)]
pub struct Dyadic {
    /// The integer factor.
    pub magnitude: BigUint,
    /// The exponent of two.
    pub exponent: i64,
}

impl Dyadic {
    /// `m · 2^e`
    #[must_use]
    pub fn new(m: u64, e: i32) -> Self {
        Self { magnitude: m.into(), exponent: e.into() }
    }

    /// The magnitude of a pattern. Infinity reads as the power of two after the largest finite
    /// number, which is the value that rounding needs.
    #[must_use]
    pub fn of(layout: &Layout, bits: u64) -> Self {
        let (m, e) = layout.decompose(bits);
        Self::new(m, e)
    }

    /// Returns `true` for zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.magnitude.bits() == 0
    }

    /// Returns the product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self { magnitude: &self.magnitude * &other.magnitude, exponent: self.exponent + other.exponent }
    }

    /// `self · 2^k`
    #[must_use]
    pub fn scaled(&self, k: i64) -> Self {
        Self { magnitude: self.magnitude.clone(), exponent: self.exponent + k }
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self { magnitude: a + b, exponent }
    }

    /// Returns the absolute difference.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Self {
        let (a, b, exponent) = self.aligned(other);
        Self { magnitude: if a > b { a - b } else { b - a }, exponent }
    }

    /// Returns half of the sum.
    #[must_use]
    pub fn midpoint(&self, other: &Self) -> Self {
        self.plus(other).scaled(-1)
    }

    /// Three-way comparison of the values.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        if self.is_zero() || other.is_zero() {
            return other.is_zero().cmp(&self.is_zero());
        }
        // Different binades need no alignment, which for an f64's range is a shift by a thousand
        // places.
        let binade = |x: &Self| x.magnitude.bits() as i64 + x.exponent;
        binade(self).cmp(&binade(other)).then_with(|| {
            let (a, b, _) = self.aligned(other);
            a.cmp(&b)
        })
    }

    /// Drops all but the `n` leading bits.
    #[must_use]
    pub fn truncated(&self, n: u64) -> Self {
        let drop = self.magnitude.bits().saturating_sub(n);
        Self { magnitude: &self.magnitude >> drop, exponent: self.exponent + drop as i64 }
    }

    fn aligned(&self, other: &Self) -> (BigUint, BigUint, i64) {
        let e = self.exponent.min(other.exponent);
        let lift = |x: &Self| &x.magnitude << (x.exponent - e) as u64;
        (lift(self), lift(other), e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_in_two_spellings_is_equal() {
        let (a, b) = (Dyadic::new(12, 0), Dyadic::new(3, 2));
        assert_eq!(a.compare(&b), Ordering::Equal);
        assert!(a.distance(&b).is_zero());
        assert_eq!(a.plus(&b).compare(&Dyadic::new(24, 0)), Ordering::Equal);
        assert_eq!(a.compare(&Dyadic::new(25, -1)), Ordering::Less);
        assert_eq!(Dyadic::new(0, 9).compare(&Dyadic::new(0, 0)), Ordering::Equal);
        assert_eq!(Dyadic::new(0, 9).compare(&Dyadic::new(1, -99)), Ordering::Less);
        assert_eq!(Dyadic::new(0b1101, 0).truncated(3).compare(&Dyadic::new(12, 0)), Ordering::Equal);
    }
}
