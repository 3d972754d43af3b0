//! Functions of binary32 values in binary32 lanes, rounded correctly but for a few vectors, which are told.
//!
//! A value is the sum of two numbers, of which the second is below the last place of the first. With what the second may be wrong
//! by added to it and subtracted from it, the sum is the right result if both sums are the same number: rounding keeps the
//! order. Vectors in which that is not so, or whose operands are special, go on to binary64.
//!
//! Each function is computed in two stages, which the walk runs apart: the operand is reduced, and the result is put together.

pub(super) mod exp2;
pub(super) mod log2;

use super::super::engine::{Engine, Ints as _, V32};

#[cfg_attr(not(debug_assertions), inline(always))]
fn negative<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    e.u32().xor(x, e.u32().splat(1 << 31))
}

#[cfg(test)]
#[path = "quick/tests.rs"]
mod tests;
