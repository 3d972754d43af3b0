//! The constants, and how good the polynomials are.

use oracle::real::{Number, Real};

use super::super::super::interpolation::dec;
use super::super::tests::{parts, rounded, verify};
use super::*;

#[test]
fn constants_are_those() {
    for j in 0..16 {
        let root = (Real::from_f64(j as f64) / dec("16")).exp2();
        let [first, _] = parts(root.clone());
        let second = rounded(&(root.clone() - Real::from_f64(first.into()) - Real::from_f64(0.5_f64.powi(46))));
        assert_eq!([first, second], [ROOTS[j], ROOTS_LOW[j]], "{j}");
        assert_eq!(parts(root * dec("2").ln()), [SLOPES[j], SLOPES_LOW[j]], "{j}");
    }
    assert!(SHIFT.to_bits() & 15 == 0 && (2.0 * SHIFT).to_bits() & 7 == 0);
}

#[test]
fn polynomials_are_those_and_good_enough() {
    let w = |t: Real| (t.clone().exp2() - dec("1") - t.clone() * dec("2").ln()) / (t.clone() * t);
    verify("1/32", &W_OF_SIXTEENTH, [dec("-0.03125"), dec("0.03125")], ERROR, 1.0, w);
    verify("1/16", &W_OF_EIGHTH, [dec("-0.0625"), dec("0.0625")], ERROR, 0.4, w);
}
