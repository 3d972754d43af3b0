//! The constants, how good the polynomial is, and that u is exact.

use oracle::real::{Number, Real};

use super::super::super::interpolation::{dec, nearest_f64};
use super::super::tests::{parts, rounded, verify};
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
fn u_is_exact_and_the_sum_is_between_half_and_twice_its_base() {
    let length = 1 << 19;
    for j in 0..16 {
        let exponent = if j < 8 { 127 } else { 126 };
        for low in [0, 1, 2, 3, length / 3, length / 2, length - 2, length - 1] {
            let m = f64::from(f32::from_bits(exponent << 23 | (j * length + low)));
            let u = m * f64::from(RECIPROCALS[j as usize]) - 1.0;
            assert!(u.abs() <= 1.0 / 16.0 && f64::from(u as f32) == u, "{j} {low}");
            // Of the other k it is nearer to its base.
            let base = f64::from(LOGARITHMS[j as usize]);
            let sum = base + u * core::f64::consts::LOG2_E;
            assert!(base == 0.0 || base.abs() > 1.0 / 23.0 && (0.5..2.0).contains(&(sum / base)), "{j} {low}");
        }
    }
}

#[test]
fn polynomials_are_those_and_good_enough() {
    let q = |u: Real| (((dec("1") + u.clone()).ln() - u.clone()) * log2_e()) / (u.clone() * u);
    verify("1/16", &Q, [dec("-0.0625"), dec("0.0625")], ERROR, 1.2, q);
}
