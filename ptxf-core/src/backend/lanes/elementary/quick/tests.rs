//! Helpers for the tests of all functions.

use std::vec::Vec;

use oracle::real::Real;

use super::super::interpolation::{dec, interpolate, nearest_f64, points_between};

#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
pub(super) fn rounded(x: &Real) -> f32 {
    nearest_f64(x) as f32
}

/// A number in two parts.
pub(super) fn parts(x: Real) -> [f32; 2] {
    let first = rounded(&x);
    [first, rounded(&(x - Real::from_f64(first.into())))]
}

/// Checks that the coefficients interpolate the function less a part of it. Returns the largest
/// distance of their polynomial from that, in units of 2^-24 of the function.
pub(super) fn verify(
    name: &str,
    coefficients: &[f32],
    [from, to]: [Real; 2],
    less: f32,
    most: f64,
    f: impl Fn(Real) -> Real,
) {
    let f = |x: Real| f(x) * Real::from_f64(1.0 - f64::from(less));
    // No point is 0.
    let points = points_between(from.clone(), to.clone(), coefficients.len());
    let points: Vec<Real> = points.into_iter().map(|x| x + dec("1e-30")).collect();
    let got: Vec<f32> = interpolate(f, &points).into_iter().map(|c| rounded(&Real::from_f64(c))).collect();
    assert_eq!(got, coefficients, "{name}");
    for i in 0..=100 {
        let x = from.clone() + (to.clone() - from.clone()) * Real::from_f64(f64::from(i) / 100.0) + dec("1e-30");
        let value = coefficients.iter().fold(dec("0"), |sum, &c| sum * x.clone() + Real::from_f64(c.into()));
        let error = nearest_f64(&(value / f(x) - dec("1"))).abs() * 2_f64.powi(24);
        assert!(error < most, "{name}, {i}: {error}");
    }
}
