//! `2^x` and `tanh x` of 16-bit values in binary32 lanes.
//!
//! Approximations with an error of a few units in the last place of binary32 round to the right 16-bit result unless the
//! exact one is that near to a tie and on its other side. Those operands are listed, with their results; that there are no
//! others is a matter of trying all 65,536, at every level, which the tests do. They compute the coefficients again, too.

use super::super::{Engine, LaneFormat, Lanes, W};

#[inline(always)]
fn constant<E: Engine>(e: E, x: f32) -> W<E> {
    Lanes::<u32>::splat(e, x.to_bits())
}

/// The polynomial with these coefficients, that of the highest power first.
#[inline(always)]
fn polynomial<E: Engine, const N: usize>(e: E, coefficients: [f32; N], x: W<E>) -> W<E> {
    let mut sum = constant(e, coefficients[0]);
    let mut i = 1;
    while i < N {
        sum = e.mul_add(sum, x, constant(e, coefficients[i]));
        i += 1;
    }
    sum
}

/// `d`, except for the listed operands.
#[inline(always)]
fn patched<E: Engine, const N: usize>(e: E, list: [(f32, f32); N], x: W<E>, mut d: W<E>) -> W<E> {
    let mut i = 0;
    while i < N {
        let hit = Lanes::<u32>::equal(e, x, constant(e, list[i].0));
        d = Lanes::<u32>::select(e, hit, constant(e, list[i].1), d);
        i += 1;
    }
    d
}

/// `2^x = 2^n · 2^r`, |r| ≤ ½.
#[inline(always)]
pub(crate) fn ex2<F: LaneFormat, E: Engine>(e: E, x: W<E>) -> W<E> {
    // A NaN stays one. From 128 on the result is infinite, at −127 a zero; between that and −126 it is subnormal, which
    // f16 narrows to zero and `.ftz` of bf16 flushes.
    let bounded = e.min(constant(e, 128.0), e.max(constant(e, -127.0), x));
    // In the sum's last bits stands the nearest integer n; zeros if it is a NaN, whose payload is that of 16 bits.
    let shifted = e.add(bounded, constant(e, SHIFT));
    let rest = e.sub(bounded, e.sub(shifted, constant(e, SHIFT)));
    // Added to the exponent; 2^0 is exact.
    let d = e.sum(polynomial(e, EX2, rest), e.up(shifted, 23));
    if F::PRECISION == 11 { patched(e, EX2_F16, x, d) } else { d }
}

/// 1.5 · 2^23, a multiple of 2^9: its own bits vanish in the shift.
const SHIFT: f32 = 12_582_912.0;
/// `2^r` in `[−½, ½]`.
const EX2: [f32; 6] = [1.338_130_2e-3, 9.666_368e-3, 5.550_381e-2, 2.402_235e-1, 6.931_472e-1, 1.0];
// 2^x is 2^-26 above a tie.
const EX2_F16: [(f32, f32); 1] = [(0.000_704_288_5, 1.000_976_6)];

/// `tanh x = x · p(x²) / q(x²)`
#[inline(always)]
pub(crate) fn tanh<E: Engine>(e: E, x: W<E>) -> W<E> {
    let bounded = e.min(constant(e, TANH_MOST), e.max(constant(e, -TANH_MOST), x));
    let square = e.mul(bounded, bounded);
    e.div(e.mul(bounded, polynomial(e, TANH_P, square)), polynomial(e, TANH_Q, square))
}

/// From here on the result is 1, in either format.
const TANH_MOST: f32 = 4.51;
// The interpolation of tanh x / x at seven of Chebyshev's points, with an error of 2^-21.7. Both are multiplied by 1.105, a
// factor with which the errors of rounding meet none of the ties that are that near; most others leave one to six.
const TANH_P: [f32; 4] = [5.704_999e-6, 2.765_43e-3, 1.385_720_7e-1, 1.104_999_7];
const TANH_Q: [f32; 4] = [1.861_164e-4, 2.440_225e-2, 5.069_034e-1, 1.105_00];

#[cfg(test)]
#[path = "half/tests.rs"]
mod tests;
