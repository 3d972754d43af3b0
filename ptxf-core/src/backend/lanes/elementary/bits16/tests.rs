//! The origin of the constants. `tests/slices` checks the results for every operand.

use std::vec::Vec;

use oracle::real::{Number, Real};

use super::super::interpolation::{dec, interpolate_quotient, nearest_f64, points};
use super::*;

#[test]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn roots_are_those() {
    let one = EX2_F16[3];
    for j in 0..8 {
        let exact = (Real::from_f64(j as f64) / dec("8")).exp2();
        assert_eq!(nearest_f64(&exact) as f32, ROOTS[j], "{j}");
        let root = nearest_f64(&(exact / Real::from_f64(one.into()))) as f32;
        assert!(root.to_bits().abs_diff(ROOTS_F16[j].to_bits()) <= 4, "{j}: {root}");
    }
    // A power whose exponent is an integer is exact, so that 2^-25 is a midpoint.
    assert_eq!(ROOTS_F16[0] * one, 1.0);
    assert_eq!(EX2_SHIFT.to_bits() & 7, 0);
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn the_tangent_is_a_quotient_of_interpolations() {
    let most = dec("4.51");
    let x: Vec<Real> = points(["0", "1"], 7).into_iter().map(|z| z * most.clone() * most.clone()).collect();
    let [p, q] = interpolate_quotient(|z| z.clone().sqrt().tanh() / z.sqrt(), &x, 3);
    let rounded = |coefficients: &[f64]| coefficients.iter().map(|c| (c * 1.105) as f32).collect::<Vec<f32>>();
    assert_eq!((rounded(&p), rounded(&q)), (TANH_P.to_vec(), TANH_Q.to_vec()));
}
