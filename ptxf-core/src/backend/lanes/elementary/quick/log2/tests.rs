//! The constants, how good the polynomial is, and that u is exact.

use std::vec::Vec;

use testutil::real::{Number, Real};

use super::super::super::interpolation::{dec, interpolate, nearest_f64, points};
use super::super::tests::{parts, rounded};
use super::*;

/// `1 / ln 2`
fn log2_e() -> Real {
    dec("1") / dec("2").ln()
}

#[test]
fn constants_are_those() {
    assert_eq!(parts(log2_e()), LOG2_E);
    for (j, r) in RECIPROCALS.into_iter().enumerate() {
        let exact = -(Real::from_f64(r.into()).ln() * log2_e());
        let first = (nearest_f64(&exact) * 65_536.0).round() / 65_536.0;
        assert_eq!(f64::from(LOGARITHMS[j]), first, "{j}");
        assert_eq!(rounded(&(exact - Real::from_f64(first))), LOGARITHMS_LOW[j], "{j}");
    }
}

#[test]
fn u_is_exact_and_less_than_what_it_is_added_to() {
    for j in 0..32_u32 {
        let exponent = if j < 16 { 127 } else { 126 };
        for low in [0, 1, 2, 3, 0x1_5555, 0x3_FFFE, 0x3_FFFF] {
            let m = f64::from(f32::from_bits(exponent << 23 | j << 18 | low));
            let u = m * f64::from(RECIPROCALS[j as usize]) - 1.0;
            assert!(u.abs() <= 1.0 / 32.0 && f64::from(u as f32) == u, "{j} {low}");
            // Of the other k it is larger still.
            let base = f64::from(LOGARITHMS[j as usize]).abs();
            assert!(
                base == 0.0 || base > 1.0 / 23.0 && base > 1.01 * (u * core::f64::consts::LOG2_E).abs(),
                "{j} {low}"
            );
        }
    }
}

#[test]
fn the_polynomial_is_that_and_good_enough() {
    let q = |u: Real| (((dec("1") + u.clone()).ln() - u.clone()) * log2_e()) / (u.clone() * u);
    let x = points(["-0.0315", "0.0315"], 4);
    let c: Vec<f32> = interpolate(q, &x).into_iter().map(|c| rounded(&Real::from_f64(c))).collect();
    assert_eq!(c, Q_OF_U);
    for i in (-200..=200).filter(|&i| i != 0) {
        let u = Real::from_f64(f64::from(i) / 6400.0);
        let got = c.iter().fold(dec("0"), |sum, &c| sum * u.clone() + Real::from_f64(c.into()));
        let error = nearest_f64(&(got - q(u))).abs() * 2_f64.powi(24);
        assert!(error < 0.85, "{i}: {error}");
    }
}
