//! The coefficients, and how good they are.

use std::vec::Vec;
use std::{println, vec};

use testutil::Ty;
use testutil::layout::Layout;
use testutil::real::{Number, Real};

use super::*;

fn nearest_f64(x: &Real) -> f64 {
    f64::from_bits(x.round(&Layout::of(Ty::F64), false))
}

fn dec(text: &str) -> Real {
    Real::dec(text)
}

/// Chebyshev's points of the interval, as many as asked for.
fn points(from: &str, to: &str, n: usize) -> Vec<Real> {
    let (a, b, two) = (dec(from), dec(to), dec("2"));
    let (middle, half) = ((a.clone() + b.clone()) / two.clone(), (b - a) / two);
    let angle = |j: usize| Real::pi() * Real::from_f64((2 * j + 1) as f64) / Real::from_f64((2 * n) as f64);
    (0..n).map(|j| middle.clone() + half.clone() * angle(j).cos()).collect()
}

/// The polynomial through the function's values at some points, that of the highest power first: Newton's divided
/// differences, multiplied out.
fn interpolate(f: impl Fn(Real) -> Real, x: &[Real]) -> Vec<f64> {
    let mut differences: Vec<Real> = x.iter().cloned().map(f).collect();
    for k in 1..x.len() {
        for j in (k..x.len()).rev() {
            let rise = differences[j].clone() - differences[j - 1].clone();
            differences[j] = rise / (x[j].clone() - x[j - k].clone());
        }
    }
    let mut sum: Vec<Real> = Vec::new();
    for (x, difference) in x.iter().zip(differences).rev() {
        // sum · (t − x) + difference
        let mut next = vec![dec("0"); sum.len() + 1];
        for (i, c) in sum.into_iter().enumerate() {
            next[i] = next[i].clone() + c.clone();
            next[i + 1] = next[i + 1].clone() - c * x.clone();
        }
        let last = next.len() - 1;
        next[last] = next[last].clone() + difference;
        sum = next;
    }
    sum.iter().map(nearest_f64).collect()
}

/// That the coefficients are those, and that the polynomial's relative error, in real numbers, stays below 2^-`bits`.
fn verify(name: &str, coefficients: &[f64], [from, to]: [&str; 2], bits: f64, f: impl Fn(Real) -> Real) {
    let got = interpolate(&f, &points(from, to, coefficients.len()));
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
    verify("sin(πf)/f", &SIN, ["0", "0.251"], -43.5, |z| {
        let f = z.sqrt();
        (Real::pi() * f.clone()).sin() / f
    });
}

/// The greatest operand of [`LOG2`] that there is, and of [`SIN`].
#[test]
fn polynomials_are_used_where_they_are_good() {
    let root = f64::from_bits(SQRT_HALF);
    for m in [root, 2.0 * root] {
        assert!(((m - 1.0) / (m + 1.0)).powi(2) < 0.0295);
    }
    // n is the nearest integer to the first part of x/π; the second part is below 2^-30 of the first.
    let most = 0.5 + f64::from(1 << 20) * ONE_OVER_PI[1] * 1.01;
    assert!(most * most < 0.251, "{most}");
}

#[test]
fn parts_of_one_over_pi_are_its_bits() {
    let mut rest = dec("1") / Real::pi();
    for (part, bits) in ONE_OVER_PI.into_iter().zip([29, 29, 53]) {
        // Products with 24 bits are exact for the first two.
        assert!(part.to_bits().trailing_zeros() >= 53 - bits, "{part:e}");
        let error = nearest_f64(&(rest.clone() / Real::from_f64(part) - dec("1")));
        assert!(error.abs() < 0.5_f64.powi(bits as i32 - 1), "{part:e}: {error:e}");
        rest = rest - Real::from_f64(part);
    }
    assert_eq!(nearest_f64(&(dec("2") / dec("2").ln())), TWO_LOG2_E);
}
