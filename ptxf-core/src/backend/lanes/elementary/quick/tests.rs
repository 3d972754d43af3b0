//! What the tests of all functions need.

use testutil::real::Real;

use super::super::interpolation::nearest_f64;

#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
pub(super) fn rounded(x: &Real) -> f32 {
    nearest_f64(x) as f32
}

/// A number in two parts.
pub(super) fn parts(x: Real) -> [f32; 2] {
    let first = rounded(&x);
    [first, rounded(&(x - Real::from_f64(first.into())))]
}
