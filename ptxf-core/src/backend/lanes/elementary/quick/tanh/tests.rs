//! The constants, and how good the polynomials are.

use oracle::real::{Number, Real};

use super::super::super::interpolation::{dec, nearest_f64};
use super::super::tests::{parts, verify};
use super::*;

/// Returns the beginning of a piece. 2 + x · s has the octave in its exponent, and the eighth of it
/// in the first three bits.
fn beginning(piece: usize) -> Real {
    let octave = 2_f64.powi(piece as i32 / 8 + 1);
    let z = octave * (1.0 + (piece % 8) as f64 / 8.0);
    Real::from_f64(z - 2.0) / Real::from_f64(SCALE.into())
}

#[test]
fn constants_are_those() {
    for j in 0..32 {
        let a = Real::from_f64(MIDDLES[j].into());
        let value = a.tanh();
        let expected = if j == 0 { [0.0; 2] } else { parts(value.clone()) };
        assert_eq!(expected, [VALUES[j], VALUES_LOW[j]], "{j}");
        let slope = dec("1") - value.clone() * value;
        let error = nearest_f64(&(Real::from_f64(SLOPES[j].into()) / slope - dec("1"))).abs();
        assert!(error < 0.5_f64.powi(34), "{j}: {error:e}");
    }
}

/// And everywhere the sum of value and slope times r is between half and twice the value.
#[test]
fn the_last_piece_ends_where_the_result_is_one() {
    assert!(nearest_f64(&beginning(32)) > f64::from(MOST));
    assert!(nearest_f64(&Real::from_f64(MOST.into()).tanh()) > 1.0 - 0.5_f64.powi(25));
    for j in 1..32 {
        for end in [beginning(j), beginning(j + 1)] {
            let r = nearest_f64(&end) - f64::from(MIDDLES[j]);
            let sum = f64::from(VALUES[j]) + f64::from(SLOPES[j]) * r;
            assert!((0.5..2.0).contains(&(sum / f64::from(VALUES[j]))), "{j}");
        }
    }
}

#[test]
fn polynomials_are_those_and_good_enough() {
    for j in 0..32 {
        let a = Real::from_f64(MIDDLES[j].into());
        let value = a.clone().tanh();
        let slope = dec("1") - value.clone() * value.clone();
        let coefficients: [f32; 5] = core::array::from_fn(|k| P[k][j]);
        let ends = [beginning(j) - a.clone(), beginning(j + 1) - a.clone()];
        let less = f32::from(units(j)) / 16_777_216.0;
        let most = [0.9, 1.0, 2.0, 38.0][usize::from(j > 0) + usize::from(j >= 16) + usize::from(j >= 24)];
        if j == 0 {
            // The polynomial is r times this one.
            assert_eq!(coefficients[4], 0.0);
            verify("0", &coefficients[..4], ends, less, most, |r| {
                (r.clone().tanh() / r.clone() - dec("1")) / (r.clone() * r)
            });
            continue;
        }
        verify(&std::format!("{j}"), &coefficients, ends, less, most, |r| {
            ((a.clone() + r.clone()).tanh() - value.clone() - slope.clone() * r.clone()) / (r.clone() * r)
        });
    }
}
