//! Functions of binary32 values in binary32 lanes, rounded correctly except in a few doubtful
//! lanes, which a mask reports.
//!
//! A value is the sum of two numbers, the second below the last place of the first. Its parts are:
//!
//! 1. `first + slope · r`, rounded, with `first` and `slope` from a list by the operand's piece.
//! 2. The rounding error of that, which a second multiplication finds.
//! 3. A multiple of r², so small that its roundings matter as little as the second parts of the
//!    list.
//!
//! The error bound of the second number is added to it and subtracted from it. If both sums round
//! to the same number, that is the right result, since rounding keeps the order. Other lanes, and
//! those with special operands, are computed in binary64.
//!
//! *The error bound* is in units of 2^-24, the largest relative change by a rounding. The bound is
//! a multiple of the part with r², whose computation has all roundings except those smaller by
//! another 2^-24. The sum in a header is the bound if all roundings are as bad as possible. Where a
//! smaller bound is used, the test of all 2^32 operands shows that they never are.
//!
//! Each function has two stages: the operand is reduced, and the result is put together. The walk
//! runs each stage over many vectors.

pub(super) mod exp2;
pub(super) mod log2;
pub(super) mod sine;
pub(super) mod tanh;

use super::super::engine::{Engine, Floats as _, Ints as _, Lookup as _, M32, V32};
use super::{magnitude, polynomial};

/// Returns `high + a`, and a mask of the lanes in which `high + b` is another number or one of them
/// is a NaN.
#[inline_in_release]
fn between<E: Engine>(e: E, high: V32<E>, [a, b]: [V32<E>; 2]) -> Option<(V32<E>, M32<E>)> {
    let (a, b) = (e.f32().add(high, a), e.f32().add(high, b));
    Some((a, e.lookup()?.differ(a, b)))
}

/// Returns `first + slope · r` and its rounding error. The sum is between half and twice `first`.
#[inline_in_release]
fn linear<E: Engine>(e: E, first: V32<E>, slope: V32<E>, r: V32<E>) -> [V32<E>; 2] {
    let high = e.f32().mul_add(slope, r, first);
    [high, e.f32().mul_add(slope, r, e.f32().sub(first, high))]
}

#[inline_in_release]
fn negative<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    e.u32().xor(x, e.u32().splat(1 << 31))
}

/// Returns every second entry.
const fn halved<const N: usize, const HALF: usize>(entries: &[f32; N]) -> [f32; HALF] {
    let (mut half, mut j) = ([0.0; HALF], 0);
    while j < HALF {
        half[j] = entries[2 * j];
        j += 1;
    }
    half
}

#[cfg(test)]
mod tests;
