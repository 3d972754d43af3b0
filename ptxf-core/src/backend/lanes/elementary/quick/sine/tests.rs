//! The constants, and how good the polynomials are.

use oracle::real::{Number, Real};

use super::super::super::interpolation::{dec, nearest_f64};
use super::super::tests::{parts, rounded, verify};
use super::*;

#[test]
fn constants_are_those() {
    let piece = Real::pi() / dec("32");
    assert_eq!(rounded(&(dec("1") / piece.clone())), PIECES);
    let rest = piece.clone() - Real::from_f64(PI_32[0].into());
    assert!(PI_32[0] == parts(piece.clone())[0].next_down() && rounded(&rest) == PI_32[1]);
    for j in 0..32 {
        let angle = piece.clone() * Real::from_f64(j as f64);
        let sine = if j == 0 { [0.0; 2] } else { parts(angle.clone().sin()) };
        let cosine = if j == 16 { [0.0; 2] } else { parts(angle.cos()) };
        assert_eq!([sine, cosine], [[SINES[j], SINES_LOW[j]], [COSINES[j], COSINES_LOW[j]]], "{j}");
    }
    // Their last bits name the piece, and 32 pieces are half a turn.
    assert!(shift(false).to_bits() & 63 == 0 && shift(true).to_bits() & 63 == 16);
}

/// r₁ is a multiple of 2^-28 below 2^-4 for every n that there is, and n is exact.
#[test]
fn what_is_left_is_exact() {
    let n = f64::from(MOST) * f64::from(PIECES);
    assert!(n + 16.0 < 2_f64.powi(22));
    let most = std::f64::consts::PI / 64.0 * 1.001 + n * f64::from(PI_32[1]);
    assert!(most < 0.0625, "{most}");
    assert!(PI_32[0].to_bits() >> 23 == 127 - 4, "its last bit is 2^-27");
}

#[test]
fn polynomials_are_those_and_good_enough() {
    // The square of π/64 and a thousandth more.
    let square = [dec("0"), dec("0.0024144")];
    assert!(nearest_f64(&(Real::pi() * dec("1.001") / dec("64"))).powi(2) < 0.002_414_4);
    verify("(cos √z − 1)/z", &A, square.clone(), 0.0, 0.2, |z| (z.clone().sqrt().cos() - dec("1")) / z);
    verify("(sin √z/√z − 1)/z", &B, square, 0.0, 0.6, |z| {
        let root = z.clone().sqrt();
        (root.clone().sin() / root - dec("1")) / z
    });
}
