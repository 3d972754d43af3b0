//! The origin of the coefficients.

use std::vec::Vec;

use oracle::real::{Number, Real};

use super::super::interpolation::{dec, interpolate, interpolate_quotient, points};
use super::*;

/// Rounded, multiplied before.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn rounded(coefficients: &[f64], factor: f64) -> Vec<f32> {
    coefficients.iter().map(|c| (c * factor) as f32).collect()
}

#[test]
fn the_power_is_exact_at_zero_and_interpolated_elsewhere() {
    // Not quite symmetrical, so that no point is 0.
    let x: Vec<Real> = points(["-0.5", "0.5"], 5).into_iter().map(|x| x + dec("1e-30")).collect();
    let mut c = rounded(&interpolate(|r| (r.clone().exp2() - dec("1")) / r, &x), 1.0);
    c.push(1.0);
    assert_eq!(c, EX2);
}

#[test]
fn the_tangent_is_a_quotient_of_interpolations() {
    let most = dec("4.51");
    let x: Vec<Real> = points(["0", "1"], 7).into_iter().map(|z| z * most.clone() * most.clone()).collect();
    let [p, q] = interpolate_quotient(|z| z.clone().sqrt().tanh() / z.sqrt(), &x, 3);
    assert_eq!((rounded(&p, 1.105), rounded(&q, 1.105)), (TANH_P.to_vec(), TANH_Q.to_vec()));
}
