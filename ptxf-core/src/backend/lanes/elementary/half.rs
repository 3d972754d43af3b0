//! `2^x` and `tanh x` of 16-bit values in binary32 lanes.
//!
//! Polynomials with an error of a few units in the last place of binary32 round to the right 16-bit result unless the exact
//! one is that near to a tie. Those operands are listed, with their results; that there are no others is a matter of
//! trying all 65,536, at every level, which the tests do.

#![expect(clippy::excessive_precision, reason = "coefficients as they were found")]

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

/// `2^x`: `x` is split into an integer and at most a half.
#[inline(always)]
pub(crate) fn ex2<F: LaneFormat, E: Engine>(e: E, x: W<E>) -> W<E> {
    // A NaN stays one. From 128 on the result is infinite, below −126 a zero (of bf16 because of `.ftz`).
    let bounded = e.min(constant(e, 128.0), e.max(constant(e, -126.0), x));
    // In the sum's last bits stands the nearest integer n.
    let shifted = e.add(bounded, constant(e, SHIFT));
    let rest = e.sub(bounded, e.sub(shifted, constant(e, SHIFT)));
    // 2^(n−1), a zero for n = −126; the other 2 is in the polynomial.
    let scale = e.up(e.sum(shifted, Lanes::<u32>::splat(e, 126)), 23);
    let d = e.mul(polynomial(e, EX2, rest), scale);
    if F::PRECISION == 11 { patched(e, EX2_F16, x, d) } else { patched(e, EX2_BF16, x, d) }
}

/// 1.5 · 2^23, a multiple of 2^9: its own bits vanish in the shift.
const SHIFT: f32 = 12_582_912.0;
/// `2^(1 + x)` in `[−½, ½]`, minimax.
const EX2: [f32; 7] = [3.092_289e-4, 2.680_085_6e-3, 1.923_611_3e-2, 1.110_065_5e-1, 4.804_530_2e-1, 1.386_294_4, 2.0];
// 2^x is 2^-26 above a tie.
const EX2_F16: [(f32, f32); 1] = [(0.000_704_288_5, 1.000_976_6)];
// Where the scale is a zero but the result is not.
const EX2_BF16: [(f32, f32); 2] = [(-126.0, f32::MIN_POSITIVE), (-125.5, 1.662_222_5e-38)];

/// `tanh x = x · p(x²) / q(x²)`.
#[inline(always)]
pub(crate) fn tanh<E: Engine>(e: E, x: W<E>) -> W<E> {
    let bounded = e.min(constant(e, 7.9), e.max(constant(e, -7.9), x));
    let square = e.mul(bounded, bounded);
    e.div(e.mul(bounded, polynomial(e, TANH_P, square)), polynomial(e, TANH_Q, square))
}

// The rational function that Eigen and XLA use for binary32; it needs no list.
const TANH_P: [f32; 7] = [
    -2.760_768_4e-16,
    2.000_187_9e-13,
    -8.604_671_5e-11,
    5.122_297_1e-8,
    1.485_722_4e-5,
    6.372_619_3e-4,
    4.893_524_6e-3,
];
const TANH_Q: [f32; 4] = [1.198_258_4e-6, 1.185_347_1e-4, 2.268_434_6e-3, 4.893_525_2e-3];
