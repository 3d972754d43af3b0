//! Properties of the constants. `tests/slices` checks the results for every operand.

use oracle::real::{Number, Real};

use super::super::interpolation::{dec, nearest_f64};
use super::*;

#[test]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn roots_are_those() {
    for (j, root) in ROOTS.into_iter().enumerate() {
        let exact = (Real::from_f64(j as f64) / dec("32")).exp2();
        assert_eq!(nearest_f64(&exact) as f32, root, "{j}");
    }
}

#[test]
fn every_operand_has_a_piece() {
    let last = TANH_MOST.mul_add(TANH_PIECES, TANH_SHIFT);
    assert_eq!(last.to_bits() - TANH_SHIFT.to_bits(), 31);
    assert!(TANH_SHIFT.to_bits() & 31 == 0 && EX2_SHIFT.to_bits() & 31 == 0);
}
