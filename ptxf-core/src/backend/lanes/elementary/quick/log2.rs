//! `log₂ x = k − log₂ r + log₂ (1 + u)`, where `x = 2^k · m`, 3/4 ≤ m < 3/2, r is near 1/m and one of 32, and `1 + u = m · r`.
//!
//! Where m is next to 1, so is r: 1 itself. Then nothing cancels, and the error is relative to the result. The r have so few
//! bits that u is exact: a multiple of 2^-29, |u| ≤ 1/32.
//!
//! *What the second number may be wrong by*, in units of 2^-24: a rounded value by that much of itself at most.
//! `log₂ (1 + u) = u / ln 2 + u² · q`, |q| < 0.75, where u / ln 2 has no error worth mentioning, u² one of 0.73 · u², q one of
//! 0.85 (the interpolation) and 0.8 (its roundings), and three sums that u² · q is in add 0.75 · u² each: in all 4.7 · u², for
//! which 5 · u² is allowed. Where `k − log₂ r` is not zero it is above 1/23 and its second part below 2^-17, whose roundings
//! the allowance of 2^-10 of it covers. For |u| < 2^-20 and k = 0 a rounding of 2^-24 · |u| is left over, which is 2^-25 of the
//! result's last place, and no such result is that near to a midpoint: the test that tries all 2^32 operands says so.

use super::super::super::engine::{Engine, Floats as _, Ints as _, M32, Pieces as _, V32, Words as _};
use super::negative;

/// u, `k − log₂ r` without its second part, and the number of r in the last bits.
pub(in super::super) type Reduced<E> = (V32<E>, V32<E>, V32<E>);

#[cfg_attr(not(debug_assertions), inline(always))]
pub(in super::super) fn reduced<E: Engine>(e: E, x: V32<E>) -> Option<Reduced<E>> {
    let (f, pieces) = (e.f32(), e.pieces()?);
    // An infinity from 1.5 · 2^127 on, which makes the result a NaN, as zero does and what is no number; of negative numbers
    // the significand is a NaN.
    let k = pieces.exponent(f.mul(x, f.splat(4.0 / 3.0)));
    let m = pieces.significand(x);
    // The significand's first five bits: m ≥ 1 comes first.
    let index = e.u32().shr(m, 18);
    let u = f.mul_add(m, pieces.entry(&RECIPROCALS, index), f.splat(-1.0));
    // Exact, and zero or larger than what will be added.
    let base = f.add(k, pieces.entry(&LOGARITHMS, index));
    Some((u, base, index))
}

/// Results of positive finite numbers, and where they may be wrong: for others they are said to be.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in super::super) fn rounded<E: Engine>(e: E, (u, base, index): Reduced<E>) -> Option<(V32<E>, M32<E>)> {
    let (f, pieces) = (e.f32(), e.pieces()?);
    let linear = f.mul(u, f.splat(LOG2_E[0]));
    // Exactly what rounding took away.
    let lost = f.mul_add(u, f.splat(LOG2_E[0]), negative(e, linear));
    let square = f.mul(u, u);
    let [c5, c4, c3, c2] = Q_OF_U;
    let q = f.mul_add(square, f.mul_add(u, f.splat(c5), f.splat(c4)), f.mul_add(u, f.splat(c3), f.splat(c2)));
    let second = f.mul_add(u, f.splat(LOG2_E[1]), pieces.entry(&LOGARITHMS_LOW, index));
    let low = f.add(lost, f.mul_add(square, q, second));

    let high = f.add(base, linear);
    let low = f.add(f.sub(linear, f.sub(high, base)), low);
    let magnitude = e.u32().and(base, e.u32().splat(!(1 << 31)));
    let error = f.mul_add(magnitude, f.splat(BASE_ERROR), f.mul(square, f.splat(ERROR)));
    let (less, more) = (f.add(high, f.sub(low, error)), f.add(high, f.add(low, error)));
    Some((less, pieces.differ(less, more)))
}

/// 5 · 2^-24
const ERROR: f32 = 5.0 / 16_777_216.0;
/// 2^-34
const BASE_ERROR: f32 = 1.0 / 17_179_869_184.0;
/// `1 / ln 2` in two parts.
const LOG2_E: [f32; 2] = [core::f32::consts::LOG2_E, 1.925963e-8];
/// `(log₂ (1 + u) − u / ln 2) / u²` for |u| ≤ 0.0315.
const Q_OF_U: [f32; 4] = [0.28874364, -0.3609125, 0.48089832, -0.7213475];
/// Near 1/m, in 64ths, by the first five bits of m's significand.
const R: [u8; 32] = [
    64, 61, 59, 58, 56, 55, 53, 52, 51, 49, 48, 47, 46, 45, 44, 43, 84, 82, 82, 80, 78, 76, 76, 74, 72, 72, 70, 68, 68,
    66, 66, 64,
];
const RECIPROCALS: [f32; 32] = {
    let (mut reciprocals, mut j) = ([0.0; 32], 0);
    while j < 32 {
        reciprocals[j] = R[j] as f32 / 64.0;
        j += 1;
    }
    reciprocals
};
/// `−log₂ r`, rounded to a multiple of 2^-16.
const LOGARITHMS: [f32; 32] = [
    0.0,
    0.06925964,
    0.11735535,
    0.14201355,
    0.19264221,
    0.21864319,
    0.27207947,
    0.29956055,
    0.32757568,
    0.38528442,
    0.41503906,
    0.44540405,
    0.47644043,
    0.5081482,
    0.5405731,
    0.57373047,
    -0.39231873,
    -0.3575592,
    -0.3575592,
    -0.32192993,
    -0.2854004,
    -0.2479248,
    -0.2479248,
    -0.2094574,
    -0.16992188,
    -0.16992188,
    -0.12928772,
    -0.08746338,
    -0.08746338,
    -0.044387817,
    -0.044387817,
    0.0,
];
/// What [`LOGARITHMS`] lack.
const LOGARITHMS_LOW: [f32; 32] = [
    0.0,
    3.0188824e-6,
    1.6039585e-6,
    5.455068e-6,
    2.8660284e-6,
    -2.9020011e-6,
    7.7663366e-8,
    -2.650161e-7,
    -1.0255652e-6,
    5.7320567e-6,
    -1.5632212e-6,
    7.095588e-6,
    -2.3857444e-6,
    -1.2896891e-6,
    -4.7387543e-6,
    4.776548e-6,
    1.3028072e-6,
    7.1994837e-6,
    7.1994837e-6,
    1.8367533e-6,
    -1.8282373e-6,
    -2.708756e-6,
    -2.708756e-6,
    4.031832e-6,
    -3.1264424e-6,
    -3.1264424e-6,
    4.7027816e-6,
    5.376559e-7,
    5.376559e-7,
    -6.3019756e-6,
    -6.3019756e-6,
    0.0,
];

#[cfg(test)]
#[path = "log2/tests.rs"]
mod tests;
