//! `2^x`, `log₂ x`, `sin x`, `cos x` and `tanh x` of binary32 values, rounded correctly, by way of binary64.
//!
//! *Why the bits are right.* Each function is computed with a relative error below 2^-43, and hardware rounds the value to
//! binary32. That is what rounding the exact value gives, unless a midpoint between two binary32 numbers lies between the
//! two or next to them: unless the value's last 29 bits, which rounding takes away, are within 2^10 of a half. Then (one lane
//! of 2^18), and for operands that the computation is not meant for, the meaning decides, lane by lane.
//!
//! The error is that of the polynomial, which the tests measure against 640-bit numbers and which is below 2^-43.1 in
//! every case, and that of at most 20 roundings to 53 bits, none of which is magnified by more than 2, in all below 2^-47.
//! It does not matter whether products are fused with sums. The coefficients interpolate the function at Chebyshev's
//! points; the tests compute them again.
//!
//! A subnormal result has fewer bits, so that the test looks at the wrong ones. Only of `2^x` is it more than the operand once
//! more, which no midpoint is near to.

use super::super::doubles::{Doubles, InDoubles};
use super::super::op::Single;
use super::super::{Engine, Lanes, M, W};
use crate::format::{Binary32, Format as _};

/// A function of f32 values.
pub(crate) trait Function: InDoubles<1> {
    /// The results, and what is in doubt about them.
    fn rounded<E: Engine>(e: E, x: W<E>) -> Single<E>;
    /// The results with those of special operands, which are in doubt before, and where these are.
    #[inline(always)]
    fn special<E: Engine>(_: E, _x: W<E>, d: W<E>) -> Single<E> {
        (d, None)
    }
}

/// Where the meaning has to decide how to round, by the lower halves of the values' bits.
#[inline(always)]
fn near_midpoint<E: Engine>(e: E, low: W<E>) -> M<E> {
    // What 2^-43 of a number is at most, in units of its last place.
    const NEAR: u32 = 1 << 10;
    let from_half = e.sum(low, Lanes::<u32>::splat(e, (1 << 28) + NEAR));
    let far = Lanes::<u32>::and(e, from_half, Lanes::<u32>::splat(e, (1 << 29) - 2 * NEAR));
    Lanes::<u32>::equal(e, far, Lanes::<u32>::splat(e, 0))
}

/// The polynomial with these coefficients, that of the highest power first: the odd powers and the even ones by themselves,
/// so that the chain of operations is half as long.
#[inline(always)]
fn polynomial<E: Doubles, const N: usize>(e: E, coefficients: &[f64; N], x: E::D) -> E::D {
    let square = e.mul(x, x);
    let (mut first, mut second) = (e.float(coefficients[0]), e.float(coefficients[1]));
    let mut i = 2;
    while i + 1 < N {
        first = e.mul_add(first, square, e.float(coefficients[i]));
        second = e.mul_add(second, square, e.float(coefficients[i + 1]));
        i += 2;
    }
    if i < N {
        first = e.mul_add(first, square, e.float(coefficients[i]));
        return e.mul_add(second, x, first);
    }
    e.mul_add(first, x, second)
}

/// 1.5 · 2^52: added to a number below 2^51 it leaves the nearest integer in the last bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// The nearest integer, as a number and in the last bits.
#[inline(always)]
fn nearest<E: Doubles>(e: E, x: E::D) -> (E::D, E::D) {
    let shifted = e.add(x, e.float(SHIFT));
    (e.sub(shifted, e.float(SHIFT)), shifted)
}

#[inline(always)]
fn constant<E: Engine>(e: E, x: f32) -> W<E> {
    Lanes::<u32>::splat(e, x.to_bits())
}

#[inline(always)]
fn magnitude<E: Engine>(e: E, x: W<E>) -> W<E> {
    Lanes::<u32>::and(e, x, Lanes::<u32>::splat(e, !(1 << 31)))
}

/// `2^x = 2^n · 2^r`, |r| ≤ ½.
pub(crate) enum Exp2 {}

impl Function for Exp2 {
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>) -> Single<E> {
        // From 128 on the result is infinite. Below −126 it is subnormal or zero: all of that, and NaN, is left for later.
        let (least, most) = (constant(e, -126.0), constant(e, 128.0));
        let bounded = e.min(most, e.max(x, least));
        // In the sum's last bits stands the nearest integer.
        let shift = constant(e, 12_582_912.0);
        let shifted = e.add(bounded, shift);
        let [d, low] = e.in_doubles::<Self, 1>([e.sub(bounded, e.sub(shifted, shift))]);
        let at_least = Lanes::<u32>::equal(e, bounded, least);
        // Added to the exponent; that of an infinity is only reached by 2^0, which is exact.
        (e.sum(d, e.up(shifted, 23)), Some(Lanes::<u32>::either(e, near_midpoint(e, low), at_least)))
    }
    /// Zeros from −150 on down, and NaN of NaN.
    #[inline(always)]
    fn special<E: Engine>(e: E, x: W<E>, d: W<E>) -> Single<E> {
        let least = constant(e, -150.0);
        let is_zero = Lanes::<u32>::equal(e, e.max(least, x), least);
        let is_nan = Lanes::<u32>::above(e, magnitude(e, x), constant(e, f32::INFINITY));
        let d = Lanes::<u32>::select(e, is_zero, constant(e, 0.0), d);
        let d = Lanes::<u32>::select(e, is_nan, Lanes::<u32>::splat(e, Binary32::CANONICAL_NAN), d);
        (d, Some(Lanes::<u32>::either(e, is_zero, is_nan)))
    }
}

impl InDoubles<1> for Exp2 {
    #[inline(always)]
    fn evaluate<E: Doubles>(e: E, [r]: [E::D; 1]) -> E::D {
        polynomial(e, &EXP2, r)
    }
}

/// `2^r` for |r| ≤ ½.
const EXP2: [f64; 10] = [
    1.0205905413765595e-07,
    1.325964524488711e-06,
    1.5252672924850737e-05,
    0.0001540343375125101,
    0.0013333558200794592,
    0.009618129193934313,
    0.05550410866465167,
    0.2402265069564034,
    0.6931471805599462,
    1.0000000000000135,
];

/// `log₂ x = k + log₂ m`, √½ ≤ m < √2, and `log₂ m = s · P(s²)`, s = (m − 1)/(m + 1).
pub(crate) enum Log2 {}

impl Function for Log2 {
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>) -> Single<E> {
        let [d, low] = e.in_doubles::<Self, 1>([x]);
        let not_positive = Lanes::<u32>::above(e, Lanes::<u32>::splat(e, 1), x);
        let not_finite = Lanes::<u32>::above(e, x, constant(e, f32::MAX));
        let outside = Lanes::<u32>::either(e, not_positive, not_finite);
        (d, Some(Lanes::<u32>::either(e, near_midpoint(e, low), outside)))
    }
    /// −∞ of zeros, NaN of negative numbers, infinity and NaN of themselves.
    #[inline(always)]
    fn special<E: Engine>(e: E, x: W<E>, d: W<E>) -> Single<E> {
        let zero = Lanes::<u32>::splat(e, 0);
        let (negative, is_zero) = (Lanes::<u32>::above(e, zero, x), Lanes::<u32>::equal(e, magnitude(e, x), zero));
        let not_finite = Lanes::<u32>::above(e, x, constant(e, f32::MAX));
        let nan = Lanes::<u32>::splat(e, Binary32::CANONICAL_NAN);
        let infinity = constant(e, f32::INFINITY);
        let large = Lanes::<u32>::select(e, Lanes::<u32>::above(e, x, infinity), nan, infinity);
        let d = Lanes::<u32>::select(e, not_finite, large, d);
        let d = Lanes::<u32>::select(e, negative, nan, d);
        let d = Lanes::<u32>::select(e, is_zero, constant(e, f32::NEG_INFINITY), d);
        (d, Some(Lanes::<u32>::either(e, Lanes::<u32>::either(e, negative, is_zero), not_finite)))
    }
}

impl InDoubles<1> for Log2 {
    #[inline(always)]
    fn evaluate<E: Doubles>(e: E, [x]: [E::D; 1]) -> E::D {
        // The exponent of x / √½, biased, above the significand of x less that of √½.
        let parts = e.sum(x, e.bits((1023 << 52) - SQRT_HALF));
        // The exponent in the last bits of 2^52.
        let k = e.sub(e.or(e.down(parts, 52), e.bits((1023 + 52) << 52)), e.float((1_u64 << 52) as f64 + 1023.0));
        let m = e.sum(e.and(parts, e.bits((1 << 52) - 1)), e.bits(SQRT_HALF));
        let one = e.float(1.0);
        let s = e.div(e.sub(m, one), e.add(m, one));
        // Without cancellation: |s · P| ≤ ½.
        e.mul_add(s, polynomial(e, &LOG2, e.mul(s, s)), k)
    }
}

/// The bits of √½; where exactly the significands are cut does not matter.
const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
/// `log₂((1 + s)/(1 − s)) / s` in s², s² < 0.0295.
const LOG2: [f64; 6] = [
    0.28293105400823265,
    0.31990375397287574,
    0.412209293900603,
    0.5770779420178984,
    0.96179669411429,
    2.8853900817778495,
];

/// `sin x = ± sin πf`, f = x/π − n, |f| ≤ 0.501.
pub(crate) enum Sin {}

impl Function for Sin {
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>) -> Single<E> {
        turns::<Self, E>(e, x)
    }
}

impl InDoubles<1> for Sin {
    #[inline(always)]
    fn evaluate<E: Doubles>(e: E, [x]: [E::D; 1]) -> E::D {
        let p = e.mul(x, e.float(ONE_OVER_PI[0]));
        let (n, shifted) = nearest(e, p);
        sine(e, x, e.sub(p, n), shifted)
    }
}

/// `cos x = ± sin πf`, f = x/π − n − ½, |f| ≤ 0.501.
pub(crate) enum Cos {}

impl Function for Cos {
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>) -> Single<E> {
        turns::<Self, E>(e, x)
    }
}

impl InDoubles<1> for Cos {
    #[inline(always)]
    fn evaluate<E: Doubles>(e: E, [x]: [E::D; 1]) -> E::D {
        let p = e.mul(x, e.float(ONE_OVER_PI[0]));
        // Only the choice of n is inexact. cos(π(f + n + ½)) = −(−1)ⁿ sin πf
        let (n, shifted) = nearest(e, e.sub(p, e.float(0.5)));
        // Exact where it is small.
        let f = e.sub(p, e.add(n, e.float(0.5)));
        sine(e, x, f, e.sum(shifted, e.bits(1)))
    }
}

/// A function of |x| ≤ 2^20.
///
/// Up to there x times either of the first two parts of 1/π is exact, what is left after them is, where it is small, as
/// well, and the third part is 2^-19 of the rest: no binary32 number is nearer than 2^-35 to a multiple of π/2, relative to π.
#[inline(always)]
fn turns<F: InDoubles<1>, E: Engine>(e: E, x: W<E>) -> Single<E> {
    let [d, low] = e.in_doubles::<F, 1>([x]);
    let large = Lanes::<u32>::above(e, magnitude(e, x), constant(e, (1 << 20) as f32));
    (d, Some(Lanes::<u32>::either(e, near_midpoint(e, low), large)))
}

/// `sin πf`, negated where the last bit of `n` is 1; `f` is short of the lower parts of x/π.
#[inline(always)]
fn sine<E: Doubles>(e: E, x: E::D, f: E::D, n: E::D) -> E::D {
    let [_, middle, low] = ONE_OVER_PI;
    let f = e.mul_add(x, e.float(low), e.mul_add(x, e.float(middle), f));
    let d = e.mul(f, polynomial(e, &SIN, e.mul(f, f)));
    e.xor(d, e.up(n, 63))
}

/// 1/π in parts of 29, 29 and 53 bits.
const ONE_OVER_PI: [f64; 3] = [
    f64::from_bits(0x3FD4_5F30_6D00_0000),
    f64::from_bits(0x3E09_3910_5400_0000),
    f64::from_bits(0x3C34_FE13_ABE8_FA9A),
];
/// `sin πf / f` in f², f² < 0.251.
const SIN: [f64; 7] = [
    0.0004474182910008241,
    -0.007363954626794018,
    0.08214478164116357,
    -0.5992644324121142,
    2.5501640358272004,
    -5.167712779986464,
    3.1415926535896306,
];

/// `tanh x = t / (t + 2)`, t = e^2x − 1 for x ≥ 0, and `t = 2^n · (2^r − 1) + (2^n − 1)`.
pub(crate) enum Tanh {}

impl Function for Tanh {
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>) -> Single<E> {
        // From 9.1 on the result is 1. A NaN stays one.
        let bounded = e.min(constant(e, 10.0), magnitude(e, x));
        let [d, low] = e.in_doubles::<Self, 1>([bounded]);
        let sign = Lanes::<u32>::and(e, x, Lanes::<u32>::splat(e, 1 << 31));
        (Lanes::<u32>::or(e, d, sign), Some(near_midpoint(e, low)))
    }
}

impl InDoubles<1> for Tanh {
    #[inline(always)]
    fn evaluate<E: Doubles>(e: E, [x]: [E::D; 1]) -> E::D {
        // Its error of 2^-53 is worth 2^-49 of the power, where that is largest.
        let y = e.mul(x, e.float(TWO_LOG2_E));
        let (n, shifted) = nearest(e, y);
        let r = e.sub(y, n);
        let scale = e.sum(e.up(shifted, 52), e.bits(1023 << 52));
        // For n = 0 nothing is added, so that t is as good as r; else the sum is at least 0.7 of its larger part.
        let t = e.mul_add(scale, e.mul(r, polynomial(e, &EXPM1, r)), e.sub(scale, e.float(1.0)));
        e.div(t, e.add(t, e.float(2.0)))
    }
}

const TWO_LOG2_E: f64 = 2.0 * core::f64::consts::LOG2_E;
/// `(2^r − 1) / r` for |r| ≤ ½.
const EXPM1: [f64; 9] = [
    1.0203121063391729e-07,
    1.3255224878668817e-06,
    1.525268684626772e-05,
    0.00015403455852453838,
    0.0013333558179043112,
    0.009618129159402558,
    0.055504108664760424,
    0.2402265069581299,
    0.6931471805599453,
];

#[cfg(test)]
#[path = "single/tests.rs"]
mod tests;
