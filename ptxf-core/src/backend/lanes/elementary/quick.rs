//! `2^x` of binary32 values in binary32 lanes, rounded correctly but for 1 % of the vectors, which are told.
//!
//! `2^x = 2^n · T · (1 + u)`, where T is one of sixteen powers of 2^(1/16), and `1 + u = 2^t`, |t| ≤ 1/32. T and u are sums of
//! two numbers each, of which the second is below the last place of the first, and so is the product, `high + low`. With what
//! `low` may be wrong by added to it and subtracted from it, the sum is the right result if both sums are the same number:
//! rounding keeps the order.
//!
//! For the other functions this takes as many operations as binary64 does.
//!
//! *What it may be wrong by*, in units of 2^-24: a rounded value by that much of itself at most. `u = t · ln 2 + t² · w`,
//! 0.23 < w < 0.25, where t · ln 2 has no error worth mentioning, t² one of t², w one of 0.26 (two sums and a coefficient)
//! and 0.18 (the interpolation), and the sum is rounded: t² · (0.25 + 0.44 + 0.25), which times T < 1.92 is 1.9 · t². Three
//! sums that T · t² · w is in add 3 · 0.48 · t², and the product of both second parts, which is left out, 0.25 · t²: in all
//! 3.6 · t², for which 4.5 · t² is allowed. Roundings of the second parts themselves, which are below 1 unit, add less
//! than 2^-20 units, for which t² is taken to be at least 2^-18.

use core::f32::consts::{self, SQRT_2};

use super::super::engine::{Engine, Floats as _, Ints as _, Lookup as _, M32, V32, Words as _};

/// Results of −64 ≤ x < 63.9, normal numbers, and where they may be wrong.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn ex2<E: Engine>(e: E, x: V32<E>) -> Option<(V32<E>, M32<E>)> {
    // In the sum's last bits stands 16 · (x − t).
    let shifted = e.f32().add(x, e.f32().splat(SHIFT));
    let t = e.f32().sub(x, e.f32().sub(shifted, e.f32().splat(SHIFT)));
    let (first, second) = (e.lookup()?.lookup(&ROOTS, shifted), e.lookup()?.lookup(&ROOTS_LOW, shifted));

    let u = e.f32().mul(t, e.f32().splat(LN_2[0]));
    // Exactly what rounding took away.
    let lost = e.f32().mul_add(t, e.f32().splat(LN_2[0]), negative(e, u));
    let square = e.f32().mul(t, t);
    let [c4, c3, c2] = W_OF_T;
    let w = e.f32().mul_add(square, e.f32().splat(c4), e.f32().mul_add(t, e.f32().splat(c3), e.f32().splat(c2)));
    let u_low = e.f32().mul_add(square, w, e.f32().mul_add(t, e.f32().splat(LN_2[1]), lost));

    let high = e.f32().mul_add(first, u, first);
    let lost = e.f32().mul_add(first, u, e.f32().sub(first, high));
    let low = e.f32().mul_add(first, u_low, e.f32().mul_add(second, u, second));
    let error = e.f32().max(square, e.f32().splat(LEAST_SQUARE));
    let less = e.f32().add(high, e.f32().add(lost, e.f32().mul_add(error, e.f32().splat(-ERROR), low)));
    let more = e.f32().add(high, e.f32().add(lost, e.f32().mul_add(error, e.f32().splat(ERROR), low)));

    // Zero if both are the same and n is one of −64 to 63.
    let n = e.u32().shr(e.u32().add(shifted, e.u32().splat(N_LEAST.wrapping_sub(SHIFT.to_bits()))), 11);
    let doubt = e.u32().gt(e.u32().or(e.u32().xor(less, more), n), e.u32().splat(0));
    let whole = e.u32().and(shifted, e.u32().splat(!15));
    Some((e.u32().add(less, e.u32().shl(whole, 19)), doubt))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn negative<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    e.u32().xor(x, e.u32().splat(1 << 31))
}

/// 1.5 · 2^19: a sum with it is a multiple of 1/16.
const SHIFT: f32 = 786_432.0;
/// 16 · 64
const N_LEAST: u32 = 1024;
/// 4.5 · 2^-24
const ERROR: f32 = 4.5 / 16_777_216.0;
/// 2^-18
const LEAST_SQUARE: f32 = 1.0 / 262_144.0;
/// `2^(j/16)`, rounded.
const ROOTS: [f32; 16] = [
    1.0, 1.0442737, 1.0905077, 1.1387886, 1.1892071, 1.2418578, 1.2968396, 1.3542556, SQRT_2, 1.4768262, 1.5422108,
    1.6104903, 1.6817929, 1.7562522, 1.8340081, 1.9152066,
];
/// What [`ROOTS`] lack.
const ROOTS_LOW: [f32; 16] = [
    0.0,
    4.83347e-08,
    -1.307754e-08,
    5.3862223e-08,
    3.7976353e-08,
    4.496838e-08,
    -4.0189995e-08,
    -1.0123349e-08,
    2.4203235e-08,
    -4.500899e-08,
    8.070905e-09,
    9.836217e-09,
    -2.4755327e-08,
    -9.23577e-09,
    -1.1239278e-08,
    9.845328e-09,
];
/// `ln 2` in two parts.
const LN_2: [f32; 2] = [consts::LN_2, -1.9046542e-09];
/// `(2^t − 1 − t · ln 2) / t²` for |t| ≤ 1/32.
const W_OF_T: [f32; 3] = [0.009618242, 0.055505086, 0.2402265];

#[cfg(test)]
#[path = "quick/tests.rs"]
mod tests;
