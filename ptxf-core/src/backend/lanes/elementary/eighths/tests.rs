//! Properties of the constants. `tests/slices` checks the results for every operand.

use oracle::real::{Number, Real};

use super::super::interpolation::{dec, nearest_f64};
use super::*;

#[test]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn roots_are_those() {
    for j in 0..8 {
        let exact = (Real::from_f64(j as f64) / dec("8")).exp2();
        assert_eq!(nearest_f64(&exact) as f32, ROOTS[j], "{j}");
        let root = nearest_f64(&(exact / Real::from_f64(ONE_F16.into()))) as f32;
        assert!(root.to_bits().abs_diff(ROOTS_F16[j].to_bits()) <= 4, "{j}: {root}");
    }
    // A power whose exponent is an integer is exact, so that 2^-25 is a midpoint.
    assert_eq!(ROOTS_F16[0] * ONE_F16, 1.0);
}

#[test]
fn every_operand_has_a_piece() {
    assert_eq!(EX2_SHIFT.to_bits() & 7, 0);
    let last = TANH_MOST.mul_add(TANH_MOST, TANH_FIRST);
    assert_eq!(last.to_bits() >> 22, (TANH_FIRST.to_bits() >> 22) + 7);
}
