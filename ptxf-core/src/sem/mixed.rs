//! add, sub, fma of f32 with operands of 16 bits, which are widened first, exactly: the result is rounded once.

use super::{add, convert, fma, sub};
use crate::format::{Binary32, Format};
use crate::modifiers::{Modifiers, Round};

/// The value of a narrow operand as an f32.
fn widened<F: Format>(x: F::Bits) -> u32 {
    convert::<F, Binary32>(Round::Rn, x)
}

/// `a + c`.
#[inline]
pub fn mixed_add<F: Format>(m: Modifiers, a: F::Bits, c: u32) -> u32 {
    add::<Binary32>(m, widened::<F>(a), c)
}

/// `a − c`.
#[inline]
pub fn mixed_sub<F: Format>(m: Modifiers, a: F::Bits, c: u32) -> u32 {
    sub::<Binary32>(m, widened::<F>(a), c)
}

/// `a · b + c`.
#[inline]
pub fn mixed_fma<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: u32) -> u32 {
    fma::<Binary32>(m, widened::<F>(a), widened::<F>(b), c)
}
