//! Elementary functions in lanes: of 16-bit values in binary32, of binary32 values in sums of two
//! such numbers and in binary64.

pub(super) mod bits16;
pub(super) mod bits32;
mod quick;

#[cfg(test)]
mod interpolation;

use super::engine::{Engine, Floats as _, Ints as _, V32};

/// The operands without their signs.
#[inline_in_release]
pub(super) fn magnitude<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    e.u32().and(x, e.u32().splat(!(1 << 31)))
}

/// The polynomial with these coefficients, that of the highest power first.
#[inline_in_release]
fn polynomial<E: Engine, const N: usize>(e: E, coefficients: &[f32; N], x: V32<E>) -> V32<E> {
    let mut sum = e.f32().splat(coefficients[0]);
    let mut i = 1;
    while i < N {
        sum = e.f32().mul_add(sum, x, e.f32().splat(coefficients[i]));
        i += 1;
    }
    sum
}
