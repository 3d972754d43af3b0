//! Oracle for expressions in one variable: real numbers to [`PRECISION`] bits, by astro-float.
//!
//! An expression is written once, generic over [`Number`], and evaluated twice: as a [`Real`] for
//! its value, and as an `f64` for signed zeros, infinities and NaNs.

use core::cell::RefCell;
use core::ops::{Add, Div, Mul, Neg, Sub};

use astro_float::{BigFloat, Consts, Radix, RoundingMode, Sign};
use num_bigint::BigUint;

use crate::dyadic::Dyadic;
use crate::form::Rnd;
use crate::layout::Layout;
use crate::round::{self, Exact};

/// Bits of every operation's result.
pub const PRECISION: usize = 640;

/// Relative distance to a number of few bits below which a result is that number: 2^-SNAP.
///
/// The bound replaces a proof that a result is exact. A result that is not exact is very unlikely
/// to be this near. Cancellation loses fewer bits than lie between SNAP and the precision.
const SNAP: u64 = 280;

/// A number that expressions are made of.
pub trait Number:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Parses a decimal.
    fn dec(text: &str) -> Self;
    /// π
    fn pi() -> Self;
    /// Returns `true` below zero.
    fn is_below_zero(&self) -> bool;
    /// √x
    fn sqrt(self) -> Self;
    /// e^x
    fn exp(self) -> Self;
    /// 2^x
    fn exp2(self) -> Self;
    /// ln x
    fn ln(self) -> Self;
    /// log₂ x
    fn log2(self) -> Self;
    /// sin x
    fn sin(self) -> Self;
    /// cos x
    fn cos(self) -> Self;
    /// tanh x
    fn tanh(self) -> Self;
    /// sinh x
    fn sinh(self) -> Self;
    /// cosh x
    fn cosh(self) -> Self;
    /// arctan x
    fn atan(self) -> Self;
    /// erf x
    fn erf(self) -> Self;

    /// |x|
    #[must_use]
    fn abs(self) -> Self {
        if self.is_below_zero() { -self } else { self }
    }
    /// x^n for n > 0
    #[must_use]
    fn powi(self, n: u32) -> Self {
        (1..n).fold(self.clone(), |p, _| p * self.clone())
    }
    /// 1 / (1 + e^−x)
    #[must_use]
    fn sigmoid(self) -> Self {
        Self::dec("1") / (Self::dec("1") + (-self).exp())
    }
    /// The lesser.
    #[must_use]
    fn min(self, other: Self) -> Self {
        if (self.clone() - other.clone()).is_below_zero() { self } else { other }
    }
    /// The greater.
    #[must_use]
    fn max(self, other: Self) -> Self {
        if (self.clone() - other.clone()).is_below_zero() { other } else { self }
    }
}

impl Number for f64 {
    fn dec(text: &str) -> Self {
        text.parse().expect("a decimal")
    }
    fn pi() -> Self {
        core::f64::consts::PI
    }
    fn is_below_zero(&self) -> bool {
        *self < 0.0
    }
    fn abs(self) -> Self {
        Self::abs(self)
    }
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }
    fn exp(self) -> Self {
        Self::exp(self)
    }
    fn exp2(self) -> Self {
        Self::exp2(self)
    }
    fn ln(self) -> Self {
        Self::ln(self)
    }
    fn log2(self) -> Self {
        Self::log2(self)
    }
    fn sin(self) -> Self {
        Self::sin(self)
    }
    fn cos(self) -> Self {
        Self::cos(self)
    }
    fn tanh(self) -> Self {
        Self::tanh(self)
    }
    fn sinh(self) -> Self {
        Self::sinh(self)
    }
    fn cosh(self) -> Self {
        Self::cosh(self)
    }
    fn atan(self) -> Self {
        Self::atan(self)
    }
    /// Only the sign and the limits of this type's results are used.
    fn erf(self) -> Self {
        (self * 1.2).tanh()
    }
}

/// A real number, or astro-float's value for an exception.
#[derive(Clone, Debug)]
pub struct Real(BigFloat);

const NEAREST: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("memory for constants"));
}

fn with<T>(f: impl FnOnce(&mut Consts) -> T) -> T {
    CONSTANTS.with_borrow_mut(f)
}

impl Add for Real {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.add(&other.0, PRECISION, NEAREST))
    }
}
impl Sub for Real {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(&other.0, PRECISION, NEAREST))
    }
}
impl Mul for Real {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(&other.0, PRECISION, NEAREST))
    }
}
impl Div for Real {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(self.0.div(&other.0, PRECISION, NEAREST))
    }
}
impl Neg for Real {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.neg())
    }
}

impl Number for Real {
    fn dec(text: &str) -> Self {
        Self(with(|c| BigFloat::parse(text, Radix::Dec, PRECISION, NEAREST, c)))
    }
    fn pi() -> Self {
        Self(with(|c| c.pi(PRECISION, NEAREST)))
    }
    fn is_below_zero(&self) -> bool {
        self.0.is_negative() && !self.0.is_zero()
    }
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(PRECISION, NEAREST))
    }
    fn exp(self) -> Self {
        Self(with(|c| self.0.exp(PRECISION, NEAREST, c)))
    }
    fn exp2(self) -> Self {
        Self(with(|c| BigFloat::from_u8(2, PRECISION).pow(&self.0, PRECISION, NEAREST, c)))
    }
    fn ln(self) -> Self {
        Self(with(|c| self.0.ln(PRECISION, NEAREST, c)))
    }
    fn log2(self) -> Self {
        Self(with(|c| self.0.log2(PRECISION, NEAREST, c)))
    }
    fn sin(self) -> Self {
        Self(with(|c| self.0.sin(PRECISION, NEAREST, c)))
    }
    fn cos(self) -> Self {
        Self(with(|c| self.0.cos(PRECISION, NEAREST, c)))
    }
    fn tanh(self) -> Self {
        Self(with(|c| self.0.tanh(PRECISION, NEAREST, c)))
    }
    fn sinh(self) -> Self {
        Self(with(|c| self.0.sinh(PRECISION, NEAREST, c)))
    }
    fn cosh(self) -> Self {
        Self(with(|c| self.0.cosh(PRECISION, NEAREST, c)))
    }
    fn atan(self) -> Self {
        Self(with(|c| self.0.atan(PRECISION, NEAREST, c)))
    }
    /// Sums the alternating series, which cancels some 2.9 x² bits; beyond 14 the result is ±1 to
    /// nearly 290 bits.
    fn erf(self) -> Self {
        let fourteen = Self::dec("14");
        if (fourteen - self.clone().abs()).is_below_zero() {
            return if self.is_below_zero() { -Self::dec("1") } else { Self::dec("1") };
        }
        let p = 2 * PRECISION;
        let square = self.0.mul(&self.0, p, NEAREST).neg();
        let (mut term, mut sum, mut n) = (self.0.clone(), self.0, 0_u32);
        loop {
            n += 1;
            term = term.mul(&square, p, NEAREST).div(&BigFloat::from_u32(n, p), p, NEAREST);
            let part = term.div(&BigFloat::from_u32(2 * n + 1, p), p, NEAREST);
            sum = sum.add(&part, p, NEAREST);
            let small = match (part.exponent(), sum.exponent()) {
                (Some(a), Some(b)) => a < b - p as i32,
                _ => true,
            };
            if small || part.is_zero() {
                break;
            }
        }
        let root = with(|c| c.pi(p, NEAREST)).sqrt(p, NEAREST);
        Self(sum.mul(&BigFloat::from_u8(2, p), p, NEAREST).div(&root, PRECISION, NEAREST))
    }
}

impl Real {
    /// Returns the number itself.
    #[must_use]
    pub fn from_f64(x: f64) -> Self {
        Self(BigFloat::from_f64(x, PRECISION))
    }

    /// Returns the nearest pattern, ties to even; a NaN becomes the canonical one. `zero_sign` is
    /// the sign of a result that is zero before rounding.
    #[must_use]
    pub fn round(&self, layout: &Layout, zero_sign: bool) -> u64 {
        let signed = |negative: bool, d: u64| if negative { d | layout.sign_bit() } else { d };
        if self.0.is_nan() {
            return layout.canonical_nan;
        }
        if self.0.is_inf() {
            return signed(self.0.is_negative(), layout.infinity());
        }
        let Some((words, _, sign, exponent, _)) = self.0.as_raw_parts().filter(|_| !self.0.is_zero()) else {
            return signed(zero_sign, 0);
        };
        let digits: Vec<u32> = words.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect();
        let value = Dyadic {
            magnitude: BigUint::new(digits),
            exponent: i64::from(exponent) - (words.len() * usize::BITS as usize) as i64,
        };
        let negative = sign == Sign::Neg;
        signed(negative, round::round(layout, &Exact::dyadic(snap(value)), negative, Rnd::Rn))
    }
}

/// Returns the number of at most 40 bits that is within [`SNAP`], else the number itself.
fn snap(x: Dyadic) -> Dyadic {
    let below = x.truncated(40);
    let above = below.plus(&Dyadic { magnitude: 1_u32.into(), exponent: below.exponent });
    let near = x.scaled(-(SNAP as i64));
    for short in [below, above] {
        if x.distance(&short).compare(&near).is_lt() {
            return short;
        }
    }
    x
}

/// Returns the result of `f` for a 16-bit operand, rounded once.
#[must_use]
pub fn unary(from: &Layout, to: &Layout, operand: u64, real: fn(Real) -> Real, float: fn(f64) -> f64) -> u64 {
    let x = from.to_f64(operand);
    let special = float(x);
    if x == 0.0 || !x.is_finite() {
        // Infinities and zeros are the same in every format; any other value is a real number.
        if special.is_nan() {
            return to.canonical_nan;
        }
        if special == 0.0 || special.is_infinite() {
            let sign = if special.is_sign_negative() { to.sign_bit() } else { 0 };
            return sign | if special == 0.0 { 0 } else { to.infinity() };
        }
    }
    real(Real::from_f64(x)).round(to, special.is_sign_negative())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Ty;

    #[test]
    fn ties_are_seen_through_inexact_constants() {
        let layout = Layout::of(Ty::F16);
        let tenth = |x: f64| (Real::from_f64(x) * Real::dec("0.1")).round(layout, false);
        // 5 · 2^-24 / 10 and 15 · 2^-24 / 10: half a unit, and one and a half.
        assert_eq!((tenth(layout.to_f64(5)), tenth(layout.to_f64(15))), (0, 2));
    }

    #[test]
    fn erf_has_published_digits() {
        let text = format!("{}", Real::dec("0.5").erf().0);
        assert!(text.starts_with("5.2049987781304653768274665389196452873645157575796370005880"), "{text}");
        let text = format!("{}", (Real::dec("1") - Real::dec("10").erf()).0);
        assert!(text.starts_with("2.0884875837625447570007862949577886115608181193211"), "{text}");
    }
}
