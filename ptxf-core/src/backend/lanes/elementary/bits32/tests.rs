//! The coefficients, and how good they are.

use std::println;

use oracle::real::{Number, Real};

use super::super::interpolation::{dec, interpolate, nearest_f64, points};
use super::*;

/// Checks the coefficients, and that the polynomial's relative error in real numbers is below
/// 2^-`bits`.
fn verify(name: &str, coefficients: &[f64], [from, to]: [&str; 2], bits: f64, f: impl Fn(Real) -> Real) {
    let got = interpolate(&f, &points([from, to], coefficients.len()));
    assert_eq!(got, coefficients, "{name}");
    let (a, b) = (dec(from), dec(to));
    let steps = 2048;
    let worst = (1..steps).map(|i| {
        let x = a.clone() + (b.clone() - a.clone()) * Real::from_f64(f64::from(i) / f64::from(steps));
        let value = coefficients.iter().fold(dec("0"), |sum, c| sum * x.clone() + Real::from_f64(*c));
        nearest_f64(&(value / f(x) - dec("1")).abs())
    });
    let worst = worst.fold(0.0, f64::max).log2();
    println!("{name}: 2^{worst:.2}");
    assert!(worst < bits, "{name}: 2^{worst}");
}

#[test]
fn polynomials_are_those_and_good_enough() {
    verify("2^r", &EXP2, ["-0.5", "0.5"], -45.6, Real::exp2);
    // By way of sinh nothing cancels: 2^r − 1 = 2^(r/2) · 2 sinh(r/2 · ln 2).
    verify("(2^r − 1)/r", &EXPM1, ["-0.5", "0.5"], -43.3, |r| {
        let half = r.clone() / dec("2");
        half.clone().exp2() * dec("2") * (half * dec("2").ln()).sinh() / r
    });
    verify("log₂((1 + s)/(1 − s))/s", &LOG2, ["0", "0.0295"], -45.0, |z| {
        let s = z.sqrt();
        ((dec("1") + s.clone()) / (dec("1") - s.clone())).log2() / s
    });
    verify("sin r / r", &SIN, ["0", "2.468"], -43.5, |z| {
        let r = z.sqrt();
        r.clone().sin() / r
    });
}

/// The greatest operand of [`LOG2`] that there is, and of [`SIN`].
#[test]
fn polynomials_are_used_where_they_are_good() {
    let root = f64::from_bits(SQRT_HALF);
    for m in [root, 2.0 * root] {
        assert!(((m - 1.0) / (m + 1.0)).powi(2) < 0.0295);
    }
    // n is nearest to x/π but for the errors of that, and r has rounding errors.
    let most = PI[0] * (0.5 + 1e-6);
    assert!(most * most < 2.468 && most < 1.5709, "{most}");
}

#[test]
fn parts_of_pi_are_its_bits() {
    let mut rest = Real::pi();
    for (part, bits) in PI.into_iter().zip([33, 33, 53]) {
        // Products with 20 bits are exact for the first two.
        assert!(part > 0.0 && part.to_bits().trailing_zeros() >= 53 - bits, "{part:e}");
        let error = nearest_f64(&(rest.clone() / Real::from_f64(part) - dec("1")));
        assert!(error.abs() < 0.5_f64.powi(bits as i32 - 1), "{part:e}: {error:e}");
        rest = rest - Real::from_f64(part);
    }
    assert_eq!(nearest_f64(&(dec("2") / dec("2").ln())), TWO_LOG2_E);
}
