//! `2^x`, `log₂ x`, `sin x`, `cos x` and `tanh x` of binary32 values, rounded correctly, by way of binary64.
//!
//! *Why the bits are right.* Each function is computed with a relative error below 2^-43, and hardware rounds the value to
//! binary32. That is what rounding the exact value gives, unless a midpoint between two binary32 numbers lies between the
//! two or next to them: unless the value's last 29 bits, which rounding takes away, are within 2^10 of a half. Then (one lane
//! of 2^18), and for operands that the computation is not meant for, the meaning decides, lane by lane.
//!
//! The error is that of the polynomial, which the tests measure against 640-bit numbers and which is below 2^-43.1 in
//! every case, and that of at most 20 roundings to 53 bits, none of which is magnified by more than 3, in all below 2^-47.
//! Whether products are fused with sums matters to one reduction, which asks. The coefficients interpolate the function at Chebyshev's
//! points; the tests compute them again.
//!
//! A subnormal result has fewer bits, so that the test looks at the wrong ones. Only of `2^x` is it more than the operand once
//! more, which no midpoint is near to.

use core::f64::consts::FRAC_1_PI;

use super::super::doubles::Doubles;
use super::super::op::Single;
use super::super::{D, Engine, Lanes, M, W};
use super::quick;
use crate::format::{Binary32, Format as _};

/// A function of f32 values, in three stages of about the same length, which [`staged`](super::super::staged) runs apart.
pub(crate) trait Function {
    /// What is left of the operand beside a number in binary64.
    type Kept<E: Engine>: Copy;
    /// The polynomial's argument.
    fn reduced<E: Engine>(e: E, x: W<E>) -> (D<E>, Self::Kept<E>);
    /// The polynomial's value, and what is to be had from it at once.
    fn value<E: Engine>(e: E, reduced: (D<E>, Self::Kept<E>)) -> D<E>;
    /// The results, and what is in doubt about them.
    fn rounded<E: Engine>(e: E, x: W<E>, value: D<E>, kept: Self::Kept<E>) -> Single<E>;
    /// Whether a NaN is in doubt, so that no other has to be made the canonical one.
    const NAN_IN_DOUBT: bool = true;
    /// The results with those of special operands, which are in doubt before, and where these are.
    #[inline(always)]
    fn special<E: Engine>(_: E, _x: W<E>, d: W<E>) -> Single<E> {
        (d, None)
    }
    /// The results in binary32 lanes, normal numbers, and where they may be wrong: if there is such a way.
    #[inline(always)]
    fn quick<E: Engine>(_: E, _x: W<E>) -> Option<(W<E>, M<E>)> {
        None
    }
    /// All stages.
    #[inline(always)]
    fn of<E: Engine>(e: E, x: W<E>) -> Single<E> {
        let reduced = Self::reduced(e, x);
        Self::rounded(e, x, Self::value(e, reduced), reduced.1)
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

/// 1.5 · 2^52: a sum with it has the nearest integer in its last bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

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
    /// In whose last bits stands n.
    type Kept<E: Engine> = W<E>;
    #[inline(always)]
    fn reduced<E: Engine>(e: E, x: W<E>) -> (D<E>, W<E>) {
        // From 128 on the result is infinite. Below −126 it is subnormal or zero: all of that, and NaN, is left for later.
        let bounded = e.min(constant(e, 128.0), e.max(x, constant(e, -126.0)));
        let shifted = e.add(bounded, constant(e, EXP2_SHIFT));
        (e.widen_f32(e.sub(bounded, e.sub(shifted, constant(e, EXP2_SHIFT)))), shifted)
    }
    #[inline(always)]
    fn quick<E: Engine>(e: E, x: W<E>) -> Option<(W<E>, M<E>)> {
        quick::ex2(e, x)
    }
    #[inline(always)]
    fn value<E: Engine>(e: E, (r, _): (D<E>, W<E>)) -> D<E> {
        polynomial(e.doubles(), &EXP2, r)
    }
    #[inline(always)]
    fn rounded<E: Engine>(e: E, _: W<E>, value: D<E>, shifted: W<E>) -> Single<E> {
        let [d, low] = e.narrow_f64(value);
        let least = Lanes::<u32>::equal(e, shifted, constant(e, EXP2_SHIFT - 126.0));
        // Added to the exponent; that of an infinity is only reached by 2^0, which is exact.
        (e.sum(d, e.up(shifted, 23)), Some(Lanes::<u32>::either(e, near_midpoint(e, low), least)))
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

/// 1.5 · 2^23: a sum with it has the nearest integer in its last bits.
const EXP2_SHIFT: f32 = 12_582_912.0;
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
    /// k
    type Kept<E: Engine> = D<E>;
    #[inline(always)]
    fn reduced<E: Engine>(e: E, x: W<E>) -> (D<E>, D<E>) {
        quotient(e.doubles(), e.widen_f32(x))
    }
    #[inline(always)]
    fn value<E: Engine>(e: E, (s, k): (D<E>, D<E>)) -> D<E> {
        let e = e.doubles();
        // Without cancellation: |s · P| ≤ ½.
        e.mul_add(s, polynomial(e, &LOG2, e.mul(s, s)), k)
    }
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>, value: D<E>, _: D<E>) -> Single<E> {
        let [d, low] = e.narrow_f64(value);
        let (zero, infinity) = (Lanes::<u32>::splat(e, 0), 0xFF << 24);
        // Zeros and what is not finite, by twice the magnitude less 1, with 2^31 added for a comparison as signed.
        let twice = e.sum(e.sum(x, x), Lanes::<u32>::splat(e, (1 << 31) - 1));
        let outside = Lanes::<u32>::above(e, twice, Lanes::<u32>::splat(e, infinity - 2 - (1 << 31)));
        let nan = Lanes::<u32>::splat(e, Binary32::CANONICAL_NAN);
        let d = Lanes::<u32>::select(e, Lanes::<u32>::above(e, zero, x), nan, d);
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

/// s and k.
#[inline(always)]
fn quotient<E: Doubles>(e: E, x: E::D) -> (E::D, E::D) {
    // The exponent of x / √½, biased, above the significand of x less that of √½.
    let parts = e.sum(x, e.bits((1023 << 52) - SQRT_HALF));
    // The exponent in the last bits of 2^52.
    let k = e.sub(e.or(e.down(parts, 52), e.bits((1023 + 52) << 52)), e.float((1_u64 << 52) as f64 + 1023.0));
    let m = e.sum(e.and(parts, e.bits((1 << 52) - 1)), e.bits(SQRT_HALF));
    let one = e.float(1.0);
    (e.div(e.sub(m, one), e.add(m, one)), k)
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

/// `sin x = (−1)ⁿ sin r`, r = x − nπ, |r| < 1.5709.
pub(crate) enum Sin {}

impl Function for Sin {
    type Kept<E: Engine> = ();
    #[inline(always)]
    fn reduced<E: Engine>(e: E, x: W<E>) -> (D<E>, ()) {
        let (e, x) = (e.doubles(), e.widen_f32(x));
        let shifted = e.mul_add(x, e.float(FRAC_1_PI), e.float(SHIFT));
        (without_turns(e, x, e.sub(shifted, e.float(SHIFT)), shifted), ())
    }
    #[inline(always)]
    fn value<E: Engine>(e: E, (r, ()): (D<E>, ())) -> D<E> {
        sine(e.doubles(), r)
    }
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>, value: D<E>, (): ()) -> Single<E> {
        turned(e, x, value)
    }
}

/// `cos x = (−1)ⁿ sin r`, r = x − (n − ½)π, |r| < 1.5709.
pub(crate) enum Cos {}

impl Function for Cos {
    type Kept<E: Engine> = ();
    #[inline(always)]
    fn reduced<E: Engine>(e: E, x: W<E>) -> (D<E>, ()) {
        let (e, x) = (e.doubles(), e.widen_f32(x));
        let half = e.float(0.5);
        let shifted = e.add(e.mul_add(x, e.float(FRAC_1_PI), half), e.float(SHIFT));
        (without_turns(e, x, e.sub(e.sub(shifted, e.float(SHIFT)), half), shifted), ())
    }
    #[inline(always)]
    fn value<E: Engine>(e: E, (r, ()): (D<E>, ())) -> D<E> {
        sine(e.doubles(), r)
    }
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>, value: D<E>, (): ()) -> Single<E> {
        turned(e, x, value)
    }
}

/// `x − hπ`, negated where the last bit of `n` is 1; |x| ≤ 2^20, and 2h is an integer that makes the difference small.
///
/// Fused, products are exact, and what is left of π after two parts is 2^-107. Else h times either of the first two parts is
/// exact, the first difference unless it is near π/2, the second unless it is above 2^-12. The errors are those of the
/// last roundings, as no binary32 number is nearer than 2^-34 to a multiple of π/2 but 0.
///
/// All parts are positive, so that a zero keeps its sign.
#[inline(always)]
fn without_turns<E: Doubles>(e: E, x: E::D, h: E::D, n: E::D) -> E::D {
    if E::FUSED {
        let r = e.mul_add(h, e.float(-PI_FUSED[0]), x);
        let r = e.mul_add(h, e.float(-PI_FUSED[1]), r);
        return e.xor(r, e.up(n, 63));
    }
    let [first, second, third] = PI;
    let r = e.mul_add(h, e.float(-first), x);
    let r = e.mul_add(h, e.float(-second), r);
    let r = e.mul_add(h, e.float(-third), r);
    e.xor(r, e.up(n, 63))
}

#[inline(always)]
fn sine<E: Doubles>(e: E, r: E::D) -> E::D {
    e.mul(r, polynomial(e, &SIN, e.mul(r, r)))
}

/// A value for |x| ≤ 2^20, rounded.
#[inline(always)]
fn turned<E: Engine>(e: E, x: W<E>, value: D<E>) -> Single<E> {
    let [d, low] = e.narrow_f64(value);
    let large = Lanes::<u32>::above(e, magnitude(e, x), constant(e, (1 << 20) as f32));
    (d, Some(Lanes::<u32>::either(e, near_midpoint(e, low), large)))
}

/// π in parts of 33, 33 and 53 bits.
const PI: [f64; 3] = [
    f64::from_bits(0x4009_21FB_5440_0000),
    f64::from_bits(0x3DE0_B461_1A60_0000),
    f64::from_bits(0x3BB3_198A_2E03_7073),
];
/// π in parts of 53 bits.
const PI_FUSED: [f64; 2] = [core::f64::consts::PI, f64::from_bits(0x3CA1_A626_3314_5C07)];
/// `sin r / r` in r², r² < 2.468.
const SIN: [f64; 7] = [
    1.5411065520485432e-10,
    -2.5030257720595806e-8,
    2.755695264859688e-6,
    -0.00019841266680086533,
    0.008333333320342692,
    -0.16666666666466382,
    0.9999999999999496,
];

/// `tanh x = t / (t + 2)`, t = e^2x − 1 for x ≥ 0, and `t = 2^n · (2^r − 1) + (2^n − 1)`.
pub(crate) enum Tanh {}

impl Function for Tanh {
    /// 2^n
    type Kept<E: Engine> = D<E>;
    #[inline(always)]
    fn reduced<E: Engine>(e: E, x: W<E>) -> (D<E>, D<E>) {
        // From 9.1 on the result is 1. A NaN stays one.
        let x = e.widen_f32(e.min(constant(e, 10.0), magnitude(e, x)));
        let e = e.doubles();
        // Its error of 2^-53 is worth 2^-49 of the power, where that is largest.
        let y = e.mul(x, e.float(TWO_LOG2_E));
        let shifted = e.add(y, e.float(SHIFT));
        let r = e.sub(y, e.sub(shifted, e.float(SHIFT)));
        (r, e.sum(e.up(shifted, 52), e.bits(1023 << 52)))
    }
    #[inline(always)]
    fn value<E: Engine>(e: E, (r, scale): (D<E>, D<E>)) -> D<E> {
        let e = e.doubles();
        // For n = 0 nothing is added, so that t is as good as r; else the sum is at least 0.7 of its larger part.
        e.mul_add(scale, e.mul(r, polynomial(e, &EXPM1, r)), e.sub(scale, e.float(1.0)))
    }
    #[inline(always)]
    fn rounded<E: Engine>(e: E, x: W<E>, t: D<E>, _: D<E>) -> Single<E> {
        let doubles = e.doubles();
        let [d, low] = e.narrow_f64(doubles.div(t, doubles.add(t, doubles.float(2.0))));
        let sign = Lanes::<u32>::and(e, x, Lanes::<u32>::splat(e, 1 << 31));
        (Lanes::<u32>::or(e, d, sign), Some(near_midpoint(e, low)))
    }
    const NAN_IN_DOUBT: bool = false;
}

const TWO_LOG2_E: f64 = 2.0 * core::f64::consts::LOG2_E;
/// `(2^r − 1) / r` for |r| ≤ ½.
#[expect(clippy::approx_constant, reason = "the interpolation's constant term is ln 2 but for an error of 2^-50")]
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
