//! The first arithmetic: binary64.
//!
//! Sums, products, quotients and roots rely only on IEEE 754's rounding to nearest, which Rust
//! guarantees. An exact result is recognised; any other lies strictly between its neighbours. The
//! functions are made of these operations, so that no system's library is used. Their relative
//! error is about 2^-48, and the enclosures allow [`CLAIM`]. A needless doubt costs an evaluation
//! in `deep`; a missed one would cost a wrong bit.

mod functions;

use std::cmp::Ordering;

use functions::{
    EVEN_FACTORIALS, FACTORIALS, LN_2, ODD_FACTORIALS, ODD_RECIPROCALS, PI_2_A, PI_2_B, atan, erf, erfcx, exp, exp2,
    horner, ln, sinh, tanh,
};

use super::constants::TwoOverPi;
use super::format::{Format, power_of_two};
use super::number::Rational;
use super::program::Function;
use super::value::{Arithmetic, Known, Value};

/// 2^960. Magnitudes from its inverse to this number neither overflow nor underflow unnoticed.
const LARGE: f64 = f64::from_bits((1023 + 960) << 52);
const SMALL: f64 = f64::from_bits((1023 - 960) << 52);

/// The relative error that enclosures allow a function.
const CLAIM: f64 = f64::from_bits((1023 - 40) << 52);
/// The absolute error that enclosures allow sine and cosine in addition.
const WAVE_CLAIM: f64 = f64::from_bits((1023 - 44) << 52);

/// Binary64.
#[derive(Debug, Default)]
pub(super) struct Fast {
    two_over_pi: TwoOverPi,
}

/// Significant bits of a normal number.
fn length(x: f64) -> u32 {
    53 - ((x.to_bits() & ((1 << 52) - 1)) | 1 << 52).trailing_zeros()
}

fn in_range(x: f64) -> bool {
    let m = x.abs();
    SMALL < m && m < LARGE
}

/// Encloses a product, quotient or root, given the nearest number; `exact` if that is the result
/// itself.
fn classify(negative: bool, near: f64, exact: bool) -> Known<Fast> {
    let m = near.abs();
    let open = |lo: f64, hi: f64| if negative { Value::Open(-hi, -lo) } else { Value::Open(lo, hi) };
    if m >= LARGE {
        open(LARGE.next_down(), f64::INFINITY)
    } else if m <= SMALL {
        open(0.0, SMALL.next_up())
    } else if exact {
        Value::Exact(near)
    } else {
        open(m.next_down(), m.next_up())
    }
}

impl Arithmetic for Fast {
    type Exact = f64;
    type End = f64;

    fn exact_neg(x: &f64) -> f64 {
        -x
    }
    fn exact_is_negative(x: &f64) -> bool {
        *x < 0.0
    }
    fn exact_cmp(&self, a: &f64, b: &f64) -> Ordering {
        a.partial_cmp(b).unwrap_or(Ordering::Equal)
    }
    fn exact_add(&self, a: &f64, b: &f64) -> Known<Self> {
        let (sum, error) = two_sum(*a, *b);
        if sum == 0.0 {
            // A sum this small of two numbers of the format is exact.
            Value::Zero { negative: false }
        } else if error > 0.0 {
            Value::Open(sum, sum.next_up())
        } else if error < 0.0 {
            Value::Open(sum.next_down(), sum)
        } else {
            classify(sum < 0.0, sum, true)
        }
    }
    fn exact_mul(&self, a: &f64, b: &f64) -> Known<Self> {
        classify((*a < 0.0) != (*b < 0.0), a * b, length(*a) + length(*b) <= 53)
    }
    fn exact_div(&self, a: &f64, b: &f64) -> Known<Self> {
        let q = a / b;
        let exact = in_range(q) && length(q) + length(*b) <= 53 && q * b == *a;
        classify((*a < 0.0) != (*b < 0.0), q, exact)
    }
    fn exact_sqrt(&self, x: &f64) -> Known<Self> {
        let r = x.sqrt();
        classify(false, r, length(r) <= 26 && r * r == *x)
    }
    fn bracket(&self, x: &f64) -> (f64, f64) {
        (*x, *x)
    }
    fn angle(&self, x: &f64) -> (f64, f64) {
        (*x, *x)
    }
    fn exact_integer(x: &f64) -> Option<i64> {
        let n = *x as i64;
        (x.abs() < 1073741824.0 && n as f64 == *x).then_some(n)
    }
    fn exact_log2(x: &f64) -> Option<i64> {
        (*x > 0.0 && length(*x) == 1).then(|| (x.to_bits() >> 52) as i64 - 1023)
    }
    fn exp2_of(&self, k: i64) -> Known<Self> {
        match k {
            950.. => Value::Open(power_of_two(949), f64::INFINITY),
            ..=-950 => Value::Open(0.0, power_of_two(-949)),
            _ => Value::Exact(power_of_two(k)),
        }
    }
    fn exact_from(n: i64) -> f64 {
        n as f64
    }

    fn end_from(n: i64) -> f64 {
        n as f64
    }
    fn end_infinity(negative: bool) -> f64 {
        if negative { f64::NEG_INFINITY } else { f64::INFINITY }
    }
    fn end_neg(x: &f64) -> f64 {
        -x
    }
    fn end_cmp(a: &f64, b: &f64) -> Ordering {
        a.partial_cmp(b).unwrap_or(Ordering::Equal)
    }
    fn end_sign(x: &f64) -> Ordering {
        Self::end_cmp(x, &0.0)
    }
    fn end_is_infinite(x: &f64) -> bool {
        x.is_infinite()
    }
    fn end_add(&self, a: &f64, b: &f64, up: bool) -> f64 {
        if !up {
            return -self.end_add(&-a, &-b, true);
        }
        if a.is_infinite() || b.is_infinite() {
            return a + b;
        }
        let (sum, error) = two_sum(*a, *b);
        if error > 0.0 || sum.is_infinite() { sum.next_up() } else { sum }
    }
    fn end_mul(&self, a: &f64, b: &f64, up: bool) -> f64 {
        if *a == 0.0 || *b == 0.0 {
            return 0.0;
        }
        if !up {
            return -self.end_mul(&-a, b, true);
        }
        let p = a * b;
        let negative = (*a < 0.0) != (*b < 0.0);
        if a.is_infinite() || b.is_infinite() || in_range(p) && length(*a) + length(*b) <= 53 {
            return p;
        }
        // Near zero the products of negative numbers stay below it.
        if negative { p.next_up().min(-0.0) } else { p.next_up() }
    }
    fn end_div(&self, a: &f64, b: &f64, up: bool) -> f64 {
        if *a == 0.0 {
            return 0.0;
        }
        if *b == 0.0 {
            return Self::end_infinity(*a < 0.0);
        }
        if !up {
            return -self.end_div(&-a, b, true);
        }
        if b.is_infinite() || a.is_infinite() {
            return a / b;
        }
        let q = a / b;
        if in_range(q) && length(q) + length(*b) <= 53 && q * b == *a {
            q
        } else if *a < 0.0 {
            q.next_up().min(-0.0)
        } else {
            q.next_up()
        }
    }
    fn end_sqrt(&self, x: &f64, up: bool) -> f64 {
        let r = x.sqrt();
        match (r == 0.0 || r.is_infinite(), up) {
            (true, _) => r,
            (_, true) => r.next_up(),
            (_, false) => r.next_down(),
        }
    }
    fn pi(&mut self) -> (f64, f64) {
        // Nearest, like all of std's constants.
        (std::f64::consts::PI.next_down(), std::f64::consts::PI.next_up())
    }

    fn ends_of(&mut self, f: Function, x: &f64) -> (f64, f64) {
        let (x, m) = (*x, x.abs());
        let mirrored = |(lo, hi): (f64, f64)| if x < 0.0 { (-hi, -lo) } else { (lo, hi) };
        if m < power_of_two(-1000) {
            // Relative errors are useless for such magnitudes.
            match f {
                Function::Sin
                | Function::Tanh
                | Function::Sinh
                | Function::Atan
                | Function::Erf
                | Function::ExpM1
                | Function::Ln1p => {
                    return mirrored((0.0, power_of_two(-999)));
                }
                Function::Ln | Function::Log2 => return (f64::NEG_INFINITY, -690.0),
                _ => {}
            }
        }
        match f {
            Function::Exp => exponential(x, exp(x)),
            Function::Exp2 => exponential(x, exp2(x)),
            Function::Ln => about(ln(x)),
            Function::Log2 => about(ln(x) / LN_2),
            Function::Sin | Function::Cos => {
                let v = self.sin_or_cos(f, x);
                let (lo, hi) = about(v);
                let (lo, hi) = ((lo - WAVE_CLAIM).max(-1.0), (hi + WAVE_CLAIM).min(1.0));
                match f {
                    // Near 0 only a relative error is small enough, and x is an upper bound.
                    Function::Sin if m <= 0.5 => {
                        let (lo, hi) = about(v.abs());
                        mirrored((lo, hi.min(m)))
                    }
                    _ => (lo, hi),
                }
            }
            Function::Tanh => {
                let (lo, hi) = about(tanh(m));
                mirrored((lo, hi.min(1.0).min(m)))
            }
            Function::Sinh if m > 650.0 => mirrored((power_of_two(900), f64::INFINITY)),
            Function::Sinh => {
                let (lo, hi) = about(sinh(m));
                mirrored((lo.max(m), hi))
            }
            Function::Cosh if m > 650.0 => (power_of_two(900), f64::INFINITY),
            Function::Cosh => {
                let e = exp(m);
                let (lo, hi) = about((e + 1.0 / e) * 0.5);
                (lo.max(1.0), hi)
            }
            Function::Sigmoid => {
                let (lo, hi) = if x < -650.0 {
                    (0.0, power_of_two(-900))
                } else {
                    let e = exp(-m);
                    about(if x < 0.0 { e / (1.0 + e) } else { 1.0 / (1.0 + e) })
                };
                if x < 0.0 { (lo, hi.min(0.5)) } else { (lo.max(0.5), hi.min(1.0)) }
            }
            Function::Atan => {
                let (lo, hi) = about(atan(m));
                mirrored((lo, hi.min(m)))
            }
            Function::Erf => {
                let (lo, hi) = about(erf(m));
                mirrored((lo, hi.min(1.0)))
            }
            Function::ExpM1 if x > 650.0 => (power_of_two(640), f64::INFINITY),
            Function::ExpM1 => {
                let (lo, hi) = about(if m < 0.5 { x * horner(&FACTORIALS[1..], x) } else { exp(x) - 1.0 });
                (lo.max(x).max(-1.0), hi)
            }
            Function::Softplus if x < -650.0 => (0.0, power_of_two(-640)),
            Function::Softplus => {
                let t = exp(-m);
                let s = t / (2.0 + t);
                let (lo, hi) = about(x.max(0.0) + 2.0 * s * horner(&ODD_RECIPROCALS, s * s));
                (lo.max(x), hi)
            }
            Function::Sqrt => (self.end_sqrt(&x, false), self.end_sqrt(&x, true)),
            Function::Ln1p => {
                let s = x / (2.0 + x);
                let (lo, hi) = about(2.0 * s * horner(&ODD_RECIPROCALS, s * s));
                (lo, hi.min(x))
            }
            Function::Erfcx => {
                let (lo, hi) = about(erfcx(x));
                (lo, hi.min(1.0))
            }
        }
    }
}

impl Fast {
    /// Encloses a number in binary64.
    pub(super) fn number(x: &Rational) -> Known<Self> {
        match x.to_f64() {
            Some((lo, hi)) if in_range(lo) && in_range(hi) => {
                if lo == hi {
                    Value::Exact(lo)
                } else {
                    Value::Open(lo, hi)
                }
            }
            _ => {
                let m = if x.magnitude() > 0 { f64::INFINITY } else { 0.0 };
                classify(x.is_negative(), m, false)
            }
        }
    }

    pub(super) fn operand(format: Format, bits: u16) -> Known<Self> {
        let x = format.to_f64(bits);
        match () {
            () if x.is_nan() => Value::Nan,
            () if x.is_infinite() => Value::Infinite { negative: x < 0.0 },
            () if x == 0.0 => Value::Zero { negative: x.is_sign_negative() },
            () => Value::Exact(x),
        }
    }

    /// Returns the rounded bits; `None` if the enclosure leaves them in doubt.
    pub(super) fn round(format: Format, v: &Known<Self>) -> Option<u16> {
        match v {
            Value::Exact(x) => Some(round(format, *x, None)),
            Value::Open(lo, hi) => {
                let d = round(format, *lo, Some(true));
                (d == round(format, *hi, Some(false))).then_some(d)
            }
            _ => v.special(format),
        }
    }

    /// Encloses the sine or cosine of an exact number.
    pub(super) fn wave(&mut self, f: Function, x: &Rational) -> (f64, f64) {
        let (quarters, turn) = self.two_over_pi.quarter_turns_of(x);
        // The turn is off by at most 2^-50 of a right angle, and relatively so near 0.
        let v = wave(f, quarters, turn * std::f64::consts::FRAC_PI_2);
        let v = if f == Function::Sin && x.is_negative() { -v } else { v };
        let (lo, hi) = about(v);
        ((lo - WAVE_CLAIM).max(-1.0), (hi + WAVE_CLAIM).min(1.0))
    }

    fn sin_or_cos(&mut self, f: Function, x: f64) -> f64 {
        let m = x.abs();
        // m = q · π/2 + r, |r| a bit more than π/4 at most.
        let (q, r) = if m < std::f64::consts::FRAC_PI_4 {
            (0, m)
        } else if m < 1_048_576.0 {
            let q = (m * std::f64::consts::FRAC_2_PI + 0.5) as i64;
            // The first part of π/2 has 33 bits, so that its product with q is exact, and so is the
            // difference.
            (q, (m - q as f64 * PI_2_A) - q as f64 * PI_2_B)
        } else {
            let (q, turn) = self.two_over_pi.quarter_turns(m);
            (q, turn * std::f64::consts::FRAC_PI_2)
        };
        let v = wave(f, q, r);
        if f == Function::Sin && x < 0.0 { -v } else { v }
    }
}

/// Returns the sine or cosine of q · π/2 + r.
fn wave(f: Function, q: i64, r: f64) -> f64 {
    let z = r * r;
    let q = if f == Function::Sin { q } else { q + 1 };
    let v = if q & 1 == 0 { r * horner(&ODD_FACTORIALS, -z) } else { horner(&EVEN_FACTORIALS, -z) };
    if q & 2 == 0 { v } else { -v }
}

/// Returns the ends around a number whose relative error is at most [`CLAIM`].
fn about(v: f64) -> (f64, f64) {
    let (a, b) = (v * (1.0 - CLAIM), v * (1.0 + CLAIM));
    if v < 0.0 { (b, a) } else { (a, b) }
}

/// Returns the ends around `e^x` or `2^x`, of which `v` is the computed value.
fn exponential(x: f64, v: f64) -> (f64, f64) {
    if x > 650.0 {
        return (power_of_two(640), f64::INFINITY);
    }
    if x < -650.0 {
        return (0.0, power_of_two(-640));
    }
    let (lo, hi) = about(v);
    if x > 0.0 { (lo.max(1.0), hi) } else { (lo, hi.min(1.0)) }
}

/// Rounds x, or a number just above (`Some(true)`) or just below it.
fn round(format: Format, x: f64, above: Option<bool>) -> u16 {
    let negative = match above {
        // Just above 0 is positive, just below it negative.
        Some(above) if x == 0.0 => return if above { 0 } else { super::format::SIGN },
        _ => x < 0.0,
    };
    if x.is_infinite() {
        return format.infinity() | if negative { super::format::SIGN } else { 0 };
    }
    let bits = x.to_bits();
    let field = (bits >> 52 & 0x7FF) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let integer = if field == 0 { fraction } else { fraction | 1 << 52 };
    let shift = integer.leading_zeros();
    let (significand, exponent) = (integer << shift, field.max(1) - 1075 - i64::from(shift));
    match above {
        None => format.round(negative, significand, exponent),
        // At least 11 zeros follow a significand, so that there is room for a bit beyond it.
        Some(above) if above != negative => format.round(negative, significand | 1, exponent),
        Some(_) if significand == 1 << 63 => format.round(negative, u64::MAX, exponent - 1),
        Some(_) => format.round(negative, significand - 1, exponent),
    }
}

/// Returns the rounded sum and its error, which is exact unless the sum overflows.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}
