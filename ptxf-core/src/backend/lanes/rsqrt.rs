//! `1 / √x` of binary32 numbers from an estimate, where division and root take longer.

use super::engine::{Doubles as _, Engine, Floats as _, Ints as _, V32, V64};

/// `1 / √x`, rounded to nearest, from an estimate that is off by 2^-11 of it at most, and right where `x` is no number above zero.
///
/// A step of Newton's in binary32 leaves an error of 2^-21, and one with the next power in binary64 little more than that of its last rounding. No root is that
/// near to a tie of binary32: the tests try all 2^25 significands.
#[allow(dead_code, reason = "a build may have no engine that asks for it")]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn from_estimate<E: Engine>(e: E, x: V32<E>, estimate: V32<E>) -> V32<E> {
    let f = e.f32();
    let minus_x = e.u32().xor(x, e.u32().splat(1 << 31));
    let off = f.mul_add(f.mul(minus_x, estimate), estimate, f.splat(1.0));
    let y = f.mul_add(f.mul(estimate, f.splat(0.5)), off, estimate);
    let [d, _] = e.narrow_f64(refined(e, e.widen_f32(minus_x), e.widen_f32(y)));
    // As it is of zeros and infinities.
    e.u32().select(f.unordered(d, d), estimate, d)
}

/// `y · (1 + r/2 + 3r²/8)` where `r = 1 − x·y²`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn refined<E: Engine>(e: E, minus_x: V64<E>, y: V64<E>) -> V64<E> {
    let f = e.f64();
    let r = f.mul_add(f.mul(minus_x, y), y, f.splat(1.0));
    let factor = f.mul_add(r, f.splat(0.375), f.splat(0.5));
    f.mul_add(f.mul(y, r), factor, y)
}
