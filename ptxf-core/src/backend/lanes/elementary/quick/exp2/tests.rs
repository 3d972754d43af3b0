//! The constants, and how good the polynomial is.

use std::vec::Vec;

use testutil::real::{Number, Real};

use super::super::super::interpolation::{dec, interpolate, nearest_f64, points};
use super::super::tests::{parts, rounded};
use super::*;

#[test]
fn constants_are_those() {
    assert_eq!(parts(dec("2").ln()), LN_2);
    for j in 0..16 {
        let root = (Real::from_f64(j as f64) / dec("16")).exp2();
        assert_eq!(parts(root), [ROOTS[j], ROOTS_LOW[j]], "{j}");
    }
    assert!(N_LEAST == 125 * 16 && SHIFT.to_bits() & 0xFFF == 0);
}

#[test]
fn the_polynomial_is_that_and_good_enough() {
    let w = |t: Real| (t.clone().exp2() - dec("1") - t.clone() * dec("2").ln()) / (t.clone() * t);
    // Not quite symmetrical, so that no point is 0.
    let x: Vec<Real> = points(["-0.03125", "0.03125"], 3).into_iter().map(|x| x + dec("1e-30")).collect();
    let c: Vec<f32> = interpolate(w, &x).into_iter().map(|c| rounded(&Real::from_f64(c))).collect();
    assert_eq!(c, W_OF_T);
    for i in (-200..=200).filter(|&i| i != 0) {
        let t = Real::from_f64(f64::from(i) / 6400.0);
        let got = c.iter().fold(dec("0"), |sum, &c| sum * t.clone() + Real::from_f64(c.into()));
        let error = nearest_f64(&(got - w(t))).abs() * 2_f64.powi(24);
        assert!(error < 0.18, "{i}: {error}");
    }
}
