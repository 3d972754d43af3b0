//! add, sub, fma of f32 with 16-bit operands. The operands are widened first, which is exact, so
//! the result is rounded once.

use super::{add, convert, fma, sub};
use crate::format::{Binary32, Format};
use crate::modifiers::{Modifiers, Round};

/// Converts a narrow operand to f32, exactly.
fn widened<F: Format>(x: F::Bits) -> u32 {
    convert::<F, Binary32>(Round::Rn, x)
}

/// Computes `a + c`.
#[inline]
pub fn mixed_add<F: Format>(m: Modifiers, a: F::Bits, c: u32) -> u32 {
    add::<Binary32>(m, widened::<F>(a), c)
}

/// Computes `a − c`.
#[inline]
pub fn mixed_sub<F: Format>(m: Modifiers, a: F::Bits, c: u32) -> u32 {
    sub::<Binary32>(m, widened::<F>(a), c)
}

/// Computes `a · b + c`.
#[inline]
pub fn mixed_fma<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: u32) -> u32 {
    fma::<Binary32>(m, widened::<F>(a), widened::<F>(b), c)
}
