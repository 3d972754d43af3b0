//! `2^x`, `log₂ x`, `sin x`, `cos x` and `tanh x` of binary32 values, rounded correctly through
//! binary64.
//!
//! *Proof.* Each function is computed with a relative error below 2^-43, and hardware rounds the
//! value to binary32. This is the rounded exact value, unless a midpoint between two binary32
//! numbers is too near: unless the value's last 29 bits, which rounding drops, are within 2^10 of a
//! half. Such values (one of 2^18), and operands outside of the computation's range, are left to
//! the meaning, lane by lane.
//!
//! The error has two parts. The polynomial's error is below 2^-43.1 in every case, which the tests
//! measure in 640-bit numbers. At most 20 roundings to 53 bits, each magnified by at most 3, add
//! less than 2^-47. The quotient of `tanh` counts as four roundings. Only one reduction depends on
//! whether products are fused with sums, and checks for it. The coefficients interpolate the
//! function at Chebyshev points; the tests compute them again.
//!
//! A subnormal result has fewer bits, so that the test of the last 29 bits fails. Subnormal results
//! of `2^x` are left to the meaning. Subnormal results of the other functions have subnormal
//! operands and equal them, far from any midpoint.
//!
//! The meaning also computes sine and cosine of |x| > 2^20. A test tries all 2^32 operands of each
//! function.

use core::f64::consts::FRAC_1_PI;

use super::super::engine::{Doubles, Engine, Floats as _, Ints as _, M32, V32, V64, Words as _};
use super::{magnitude, quick};
use crate::format::{Binary32, Format as _};

/// A function of f32 values, in three stages of similar length. The walk runs each stage over many
/// vectors.
#[inline_in_release]
pub(crate) trait Function {
    /// The part of the operand that the second stage needs besides a binary64 number.
    type Kept<E: Engine>: Copy;
    /// `true` if a NaN is in doubt, so that no other result has to be checked for NaN.
    const NAN_IN_DOUBT: bool;
    /// The polynomial's argument.
    fn reduced<E: Engine>(e: E, x: V32<E>) -> (V64<E>, Self::Kept<E>);
    /// The polynomial's value, and further values from the same stage.
    fn value<E: Engine>(e: E, reduced: (V64<E>, Self::Kept<E>)) -> V64<E>;
    /// The results, and where they are in doubt.
    fn rounded<E: Engine>(e: E, x: V32<E>, value: V64<E>, kept: Self::Kept<E>) -> (V32<E>, M32<E>);
    /// Returns results that include those of special operands, which are doubtful otherwise, and a
    /// mask of these operands; `None` if there are none.
    fn special<E: Engine>(_: E, _: V32<E>, _: V32<E>) -> Option<(V32<E>, M32<E>)> {
        None
    }
    /// The values between two stages through binary32 lanes.
    type Quick<E: Engine>: Copy;
    /// The largest magnitude, of a number or not, for binary32 lanes.
    const QUICK_MOST: Option<f32>;
    /// Returns the values for the second stage; `None` if the function has no stages in binary32.
    fn quick_reduced<E: Engine>(e: E, x: V32<E>) -> Option<Self::Quick<E>>;
    /// Returns the results (the operands if those are subnormal), and a mask of those that may be
    /// wrong.
    fn quick<E: Engine>(e: E, x: V32<E>, reduced: Self::Quick<E>) -> Option<(V32<E>, M32<E>)>;
    /// All stages.
    fn of<E: Engine>(e: E, x: V32<E>) -> (V32<E>, M32<E>) {
        let reduced = Self::reduced(e, x);
        Self::rounded(e, x, Self::value(e, reduced), reduced.1)
    }
}

/// The code for binary32 lanes of this module.
macro_rules! quick {
    ($function:ident $($cosine:literal)? $(up to $most:expr)?) => {
        type Quick<E: Engine> = quick::$function::Reduced<E>;
        const QUICK_MOST: Option<f32> = quick!(@ $($most)?);
        #[inline_in_release]
        fn quick_reduced<E: Engine>(e: E, x: V32<E>) -> Option<Self::Quick<E>> {
            quick::$function::reduced::<E $(, $cosine)?>(e, x)
        }
        #[inline_in_release]
        fn quick<E: Engine>(e: E, x: V32<E>, reduced: Self::Quick<E>) -> Option<(V32<E>, M32<E>)> {
            quick::$function::rounded::<E $(, $cosine)?>(e, x, reduced)
        }
    };
    (@) => {
        None
    };
    (@ $most:expr) => {
        Some($most)
    };
}

/// Returns a mask of the lanes that the meaning has to round, by the lower halves of the values'
/// bits.
#[inline_in_release]
fn near_midpoint<E: Engine>(e: E, low: V32<E>) -> M32<E> {
    // 2^-43 of a number, at most, in units of its last place.
    const NEAR: u32 = 1 << 10;
    let from_half = e.u32().add(low, e.u32().splat((1 << 28) + NEAR));
    let far = e.u32().and(from_half, e.u32().splat((1 << 29) - 2 * NEAR));
    e.u32().eq(far, e.u32().splat(0))
}

/// Evaluates the polynomial with these coefficients, the highest power first. Odd and even powers
/// are separate, so that the chain of operations is half as long.
#[inline_in_release]
fn polynomial<E: Doubles, const N: usize>(e: E, coefficients: &[f64; N], x: E::V) -> E::V {
    let square = e.mul(x, x);
    let (mut first, mut second) = (e.splat(coefficients[0]), e.splat(coefficients[1]));
    let mut i = 2;
    while i + 1 < N {
        first = e.mul_add(first, square, e.splat(coefficients[i]));
        second = e.mul_add(second, square, e.splat(coefficients[i + 1]));
        i += 2;
    }
    if i < N {
        first = e.mul_add(first, square, e.splat(coefficients[i]));
        return e.mul_add(second, x, first);
    }
    e.mul_add(first, x, second)
}

/// 1.5 · 2^52: a sum with it has the nearest integer in its last bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// `2^x = 2^n · 2^r`, |r| ≤ ½.
pub(crate) enum Exp2 {}

#[inline_in_release]
impl Function for Exp2 {
    /// In whose last bits stands n.
    type Kept<E: Engine> = V32<E>;
    const NAN_IN_DOUBT: bool = true;
    fn reduced<E: Engine>(e: E, x: V32<E>) -> (V64<E>, V32<E>) {
        // From 128 the result is infinite. Below −126 it is subnormal or zero. These and NaN are
        // computed later.
        let bounded = e.f32().min(e.f32().splat(128.0), e.f32().max(x, e.f32().splat(-126.0)));
        let shifted = e.f32().add(bounded, e.f32().splat(EXP2_SHIFT));
        let r = e.f32().sub(bounded, e.f32().sub(shifted, e.f32().splat(EXP2_SHIFT)));
        (e.widen_f32(r), shifted)
    }
    quick!(exp2);
    fn value<E: Engine>(e: E, (r, _): (V64<E>, V32<E>)) -> V64<E> {
        polynomial(e.f64(), &EXP2, r)
    }
    fn rounded<E: Engine>(e: E, _: V32<E>, value: V64<E>, shifted: V32<E>) -> (V32<E>, M32<E>) {
        let [d, low] = e.narrow_f64(value);
        let least = e.u32().eq(shifted, e.f32().splat(EXP2_SHIFT - 126.0));
        // Added to the exponent; that of an infinity is only reached by 2^0, which is exact.
        (e.u32().add(d, e.u32().shl(shifted, 23)), e.u32().mask_or(near_midpoint(e, low), least))
    }
    /// Zeros from −150 on down, and NaN of NaN.
    fn special<E: Engine>(e: E, x: V32<E>, d: V32<E>) -> Option<(V32<E>, M32<E>)> {
        let least = e.f32().splat(-150.0);
        let is_zero = e.u32().eq(e.f32().max(least, x), least);
        let is_nan = e.u32().gt(magnitude(e, x), e.f32().splat(f32::INFINITY));
        let d = e.u32().select(is_zero, e.f32().splat(0.0), d);
        let d = e.u32().select(is_nan, e.u32().splat(Binary32::CANONICAL_NAN), d);
        Some((d, e.u32().mask_or(is_zero, is_nan)))
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

#[inline_in_release]
impl Function for Log2 {
    /// k
    type Kept<E: Engine> = V64<E>;
    const NAN_IN_DOUBT: bool = true;
    quick!(log2);
    fn reduced<E: Engine>(e: E, x: V32<E>) -> (V64<E>, V64<E>) {
        quotient(e.f64(), e.widen_f32(x))
    }
    fn value<E: Engine>(e: E, (s, k): (V64<E>, V64<E>)) -> V64<E> {
        let e = e.f64();
        // Without cancellation: |s · P| ≤ ½.
        e.mul_add(s, polynomial(e, &LOG2, e.mul(s, s)), k)
    }
    fn rounded<E: Engine>(e: E, x: V32<E>, value: V64<E>, _: V64<E>) -> (V32<E>, M32<E>) {
        let [d, low] = e.narrow_f64(value);
        let (zero, infinity) = (e.u32().splat(0), 0xFF << 24);
        // Zeros and what is not finite, by twice the magnitude less 1, with 2^31 added for a
        // comparison as signed.
        let twice = e.u32().add(e.u32().add(x, x), e.u32().splat((1 << 31) - 1));
        let outside = e.u32().gt(twice, e.u32().splat(infinity - 2 - (1 << 31)));
        let nan = e.u32().splat(Binary32::CANONICAL_NAN);
        let d = e.u32().select(e.u32().gt(zero, x), nan, d);
        (d, e.u32().mask_or(near_midpoint(e, low), outside))
    }
    /// −∞ of zeros, NaN of negative numbers, infinity and NaN of themselves.
    fn special<E: Engine>(e: E, x: V32<E>, d: V32<E>) -> Option<(V32<E>, M32<E>)> {
        let zero = e.u32().splat(0);
        let (negative, is_zero) = (e.u32().gt(zero, x), e.u32().eq(magnitude(e, x), zero));
        let not_finite = e.u32().gt(x, e.f32().splat(f32::MAX));
        let nan = e.u32().splat(Binary32::CANONICAL_NAN);
        let infinity = e.f32().splat(f32::INFINITY);
        let large = e.u32().select(e.u32().gt(x, infinity), nan, infinity);
        let d = e.u32().select(not_finite, large, d);
        let d = e.u32().select(negative, nan, d);
        let d = e.u32().select(is_zero, e.f32().splat(f32::NEG_INFINITY), d);
        Some((d, e.u32().mask_or(e.u32().mask_or(negative, is_zero), not_finite)))
    }
}

/// s and k.
#[inline_in_release]
fn quotient<E: Doubles>(e: E, x: E::V) -> (E::V, E::V) {
    // The exponent of x / √½, biased, above the significand of x less that of √½.
    let parts = e.add_bits(x, e.splat_bits((1023 << 52) - SQRT_HALF));
    // The exponent in the last bits of 2^52.
    let k = e.sub(e.or(e.shr(parts, 52), e.splat_bits((1023 + 52) << 52)), e.splat((1_u64 << 52) as f64 + 1023.0));
    let m = e.add_bits(e.and(parts, e.splat_bits((1 << 52) - 1)), e.splat_bits(SQRT_HALF));
    let one = e.splat(1.0);
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

#[inline_in_release]
impl Function for Sin {
    type Kept<E: Engine> = ();
    const NAN_IN_DOUBT: bool = true;
    quick!(sine false up to quick::sine::MOST);
    fn reduced<E: Engine>(e: E, x: V32<E>) -> (V64<E>, ()) {
        let (e, x) = (e.f64(), e.widen_f32(x));
        let shifted = e.mul_add(x, e.splat(FRAC_1_PI), e.splat(SHIFT));
        (without_turns(e, x, e.sub(shifted, e.splat(SHIFT)), shifted), ())
    }
    fn value<E: Engine>(e: E, (r, ()): (V64<E>, ())) -> V64<E> {
        sine(e.f64(), r)
    }
    fn rounded<E: Engine>(e: E, x: V32<E>, value: V64<E>, (): ()) -> (V32<E>, M32<E>) {
        turned(e, x, value)
    }
}

/// `cos x = (−1)ⁿ sin r`, r = x − (n − ½)π, |r| < 1.5709.
pub(crate) enum Cos {}

#[inline_in_release]
impl Function for Cos {
    type Kept<E: Engine> = ();
    const NAN_IN_DOUBT: bool = true;
    quick!(sine true up to quick::sine::MOST);
    fn reduced<E: Engine>(e: E, x: V32<E>) -> (V64<E>, ()) {
        let (e, x) = (e.f64(), e.widen_f32(x));
        let half = e.splat(0.5);
        let shifted = e.add(e.mul_add(x, e.splat(FRAC_1_PI), half), e.splat(SHIFT));
        (without_turns(e, x, e.sub(e.sub(shifted, e.splat(SHIFT)), half), shifted), ())
    }
    fn value<E: Engine>(e: E, (r, ()): (V64<E>, ())) -> V64<E> {
        sine(e.f64(), r)
    }
    fn rounded<E: Engine>(e: E, x: V32<E>, value: V64<E>, (): ()) -> (V32<E>, M32<E>) {
        turned(e, x, value)
    }
}

/// Returns `x − hπ`, negated if the last bit of `n` is 1. |x| ≤ 2^20, and 2h is an integer that
/// makes the difference small.
///
/// With fused products the part of π beyond two parts is 2^-107. Otherwise h times either of the
/// first two parts is exact. The first difference is exact unless it is near π/2, the second unless
/// it is above 2^-12. The errors are those of the last roundings, since no binary32 number except 0
/// is nearer than 2^-34 to a multiple of π/2.
///
/// All parts are positive, so that a zero keeps its sign.
#[inline_in_release]
fn without_turns<E: Doubles>(e: E, x: E::V, h: E::V, n: E::V) -> E::V {
    if E::FUSED {
        let r = e.mul_add(h, e.splat(-PI_FUSED[0]), x);
        let r = e.mul_add(h, e.splat(-PI_FUSED[1]), r);
        return e.xor(r, e.shl(n, 63));
    }
    let [first, second, third] = PI;
    let r = e.mul_add(h, e.splat(-first), x);
    let r = e.mul_add(h, e.splat(-second), r);
    let r = e.mul_add(h, e.splat(-third), r);
    e.xor(r, e.shl(n, 63))
}

#[inline_in_release]
fn sine<E: Doubles>(e: E, r: E::V) -> E::V {
    e.mul(r, polynomial(e, &SIN, e.mul(r, r)))
}

/// A value for |x| ≤ 2^20, rounded.
#[inline_in_release]
fn turned<E: Engine>(e: E, x: V32<E>, value: V64<E>) -> (V32<E>, M32<E>) {
    let [d, low] = e.narrow_f64(value);
    let large = e.u32().gt(magnitude(e, x), e.f32().splat((1 << 20) as f32));
    (d, e.u32().mask_or(near_midpoint(e, low), large))
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

#[inline_in_release]
impl Function for Tanh {
    /// 2^n
    type Kept<E: Engine> = V64<E>;
    const NAN_IN_DOUBT: bool = false;
    quick!(tanh);
    fn reduced<E: Engine>(e: E, x: V32<E>) -> (V64<E>, V64<E>) {
        // From 9.1 the result is 1. A NaN stays a NaN.
        let x = e.widen_f32(e.f32().min(e.f32().splat(10.0), magnitude(e, x)));
        let e = e.f64();
        // Its error of 2^-53 is worth 2^-49 of the power, where that is largest.
        let y = e.mul(x, e.splat(TWO_LOG2_E));
        let shifted = e.add(y, e.splat(SHIFT));
        let r = e.sub(y, e.sub(shifted, e.splat(SHIFT)));
        (r, e.add_bits(e.shl(shifted, 52), e.splat_bits(1023 << 52)))
    }
    fn value<E: Engine>(e: E, (r, scale): (V64<E>, V64<E>)) -> V64<E> {
        let e = e.f64();
        // For n = 0 nothing is added, so that t is as good as r; else the sum is at least 0.7 of
        // its larger part.
        e.mul_add(scale, e.mul(r, polynomial(e, &EXPM1, r)), e.sub(scale, e.splat(1.0)))
    }
    fn rounded<E: Engine>(e: E, x: V32<E>, t: V64<E>, _: V64<E>) -> (V32<E>, M32<E>) {
        let doubles = e.f64();
        let [d, low] = e.narrow_f64(e.quotient(t, doubles.add(t, doubles.splat(2.0))));
        let sign = e.u32().and(x, e.u32().splat(1 << 31));
        (e.u32().or(d, sign), near_midpoint(e, low))
    }
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
mod tests;
