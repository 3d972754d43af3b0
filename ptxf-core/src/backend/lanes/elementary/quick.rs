//! Functions of binary32 values in binary32 lanes, rounded correctly but for a few lanes, which are
//! told.
//!
//! A value is the sum of two numbers, of which the second is below the last place of the first:
//! `first + slope · r`, from a list by the operand's piece, is rounded, what rounding took away is
//! what a second multiplication finds, and the rest, a multiple of r², is so much smaller that its
//! own roundings matter as little as the list's second parts. With what the second number may be
//! wrong by added to it and subtracted from it, the sum is the right result if both sums are the
//! same number: rounding keeps the order. Lanes in which that is not so, or whose operands are
//! special, go on to binary64.
//!
//! *What the second number may be wrong by* is told in units of 2^-24, the most that a rounding
//! changes a number by, relative to it: a multiple of the part with r², whose computation has all
//! roundings that are not smaller by another 2^-24. As much as a header adds up is what it is if
//! all roundings are as bad as they can be; where less is allowed for, the test that tries all 2^32
//! operands says that they never are.
//!
//! Each function is computed in two stages, which the walk runs apart: the operand is reduced, and
//! the result is put together.

pub(super) mod exp2;
pub(super) mod log2;
pub(super) mod sine;
pub(super) mod tanh;

use super::super::engine::{Engine, Floats as _, Ints as _, Lookup as _, M32, Pieces as _, V32};
use super::{magnitude, polynomial};

/// `high + a`, and where `high + b` is another number, or one of them is none.
#[inline_in_release]
fn between<E: Engine>(e: E, high: V32<E>, [a, b]: [V32<E>; 2]) -> Option<(V32<E>, M32<E>)> {
    let (a, b) = (e.f32().add(high, a), e.f32().add(high, b));
    Some((a, e.lookup()?.differ(a, b)))
}

/// `first + slope · r`, and what rounding took away, where the sum is between half and twice the
/// first.
#[inline_in_release]
fn linear<E: Engine>(e: E, first: V32<E>, slope: V32<E>, r: V32<E>) -> [V32<E>; 2] {
    let high = e.f32().mul_add(slope, r, first);
    [high, e.f32().mul_add(slope, r, e.f32().sub(first, high))]
}

/// The entries that the last five bits of the lanes name, or the last four of a shorter list.
#[inline_in_release]
fn entry<E: Engine>(e: E, long: &[f32; 32], short: &[f32; 16], index: V32<E>) -> Option<V32<E>> {
    if let Some(pieces) = e.pieces() {
        return Some(pieces.entry(long, index));
    }
    Some(e.lookup()?.lookup(short, index))
}

#[inline_in_release]
fn negative<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    e.u32().xor(x, e.u32().splat(1 << 31))
}

/// Every second entry.
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
