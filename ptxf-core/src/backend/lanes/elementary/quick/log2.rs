//! `log₂ x = k − log₂ r + log₂ (1 + u)`, where `x = 2^k · m`, 3/4 ≤ m < 3/2, r is near 1/m and one
//! of 32 numbers, and `1 + u = m · r`. Where the CPU's instruction looks up one of eight entries, r
//! is one of 16 numbers, which takes two of them.
//!
//! If m is next to 1, r is 1. Then nothing cancels, and the error is relative to the result. The r
//! have so few bits that u is exact: a multiple of 2^-29, |u| ≤ 1/32, or of 2^-28, |u| ≤ 1/16.
//!
//! *Error bound of the second number*, relative to `u² · q` of `log₂ (1 + u) = u / ln 2 + u² · q`,
//! 0.69 < |q| < 0.76: u² by 1; q by 1.2 (the interpolation) and 1.2 (a sum and a coefficient); the
//! product by 1; the sum with it by 1. The bound is 5.5. The coefficients are smaller by it
//! already. If `k − log₂ r` is not zero it is above 1/23, and its second part is below 2^-17, with
//! three roundings of 2^-42. The bound for these is as if u² were larger by 2^-13 of `k − log₂ r`:
//! 2^-35 of it.
//!
//! For k = 0, r = 1 and |u| < 2^-20 a rounding of 2^-24 · |u| remains, which is 2^-25 of the
//! result's last place. No such result is that near to a midpoint, which the test of all 2^32
//! operands shows.

use super::super::super::engine::{Engine, Floats as _, Ints as _, M32, Pieces as _, V32, Words as _};
use super::{between, entry, linear, magnitude, polynomial};

/// Returns u, `k − log₂ r` without its second part, and the index of r in the last bits.
pub(in super::super) type Reduced<E> = (V32<E>, V32<E>, V32<E>);

#[inline_in_release]
pub(in super::super) fn reduced<E: Engine>(e: E, x: V32<E>) -> Option<Reduced<E>> {
    let f = e.f32();
    let (k, m, index) = parts(e, x)?;
    let u = f.mul_add(m, entry(e, &RECIPROCALS_32, &RECIPROCALS_16, index)?, f.splat(-1.0));
    // Exact, and zero or at least twice what will be added.
    let base = f.add(k, entry(e, &LOGARITHMS_32, &LOGARITHMS_16, index)?);
    Some((u, base, index))
}

/// k, m, and the first bits of its significand.
#[inline_in_release]
fn parts<E: Engine>(e: E, x: V32<E>) -> Option<(V32<E>, V32<E>, V32<E>)> {
    let (f, ints) = (e.f32(), e.u32());
    if let Some(pieces) = e.pieces() {
        // An infinity from 1.5 · 2^127 on, which makes the result a NaN, as zero does and what is
        // no number; of negative numbers the significand is a NaN.
        let k = pieces.exponent(f.mul(x, f.splat(4.0 / 3.0)));
        let m = pieces.significand(x);
        return Some((k, m, ints.shr(m, 18)));
    }
    e.lookup()?;
    // The exponent of x over 3/4, biased, above what its significand has more.
    let shifted = ints.add(x, ints.splat((127 << 23) - THREE_QUARTERS));
    let k = f.sub(ints.or(ints.shr(shifted, 23), f.splat(TWO_23)), f.splat(TWO_23 + 127.0));
    let m = ints.add(ints.and(shifted, ints.splat((1 << 23) - 1)), ints.splat(THREE_QUARTERS));
    Some((k, m, ints.shr(m, 19)))
}

/// Returns results for positive normal numbers, and a mask of those that may be wrong, with all
/// other operands.
#[inline_in_release]
pub(in super::super) fn rounded<E: Engine>(e: E, x: V32<E>, (u, base, index): Reduced<E>) -> Option<(V32<E>, M32<E>)> {
    let (f, ints) = (e.f32(), e.u32());
    let [high, lost] = linear(e, base, f.splat(LOG2_E[0]), u);
    let second = f.mul_add(u, f.splat(LOG2_E[1]), entry(e, &LOGARITHMS_LOW_32, &LOGARITHMS_LOW_16, index)?);
    let q = if e.pieces().is_some() { polynomial(e, &Q_OF_32, u) } else { polynomial(e, &Q_OF_16, u) };
    let low = f.add(second, lost);
    let square = f.mul(u, u);
    let wrong = f.mul(magnitude(e, base), f.splat(ERROR * BASE));
    let less = f.sub(square, wrong);
    let more = f.mul_add(square, f.splat(1.0 + 2.0 * ERROR), wrong);
    let (d, doubt) = between(e, high, [f.mul_add(less, q, low), f.mul_add(more, q, low)])?;
    if e.pieces().is_some() {
        return Some((d, doubt));
    }
    // Normal numbers follow one another, as signed ones from the least on.
    let least = 1_u32 << 31;
    let outside = ints.gt(ints.add(x, ints.splat(least - (1 << 23))), ints.splat(least + (254 << 23) - 1));
    Some((d, ints.mask_or(doubt, outside)))
}

/// The bits of 3/4.
const THREE_QUARTERS: u32 = 126 << 23 | 1 << 22;
/// 2^23, which has an integer below it in its last bits.
const TWO_23: f32 = 8_388_608.0;
/// 5.5 · 2^-24
const ERROR: f32 = 5.5 / 16_777_216.0;
/// 2^-13
const BASE: f32 = 1.0 / 8192.0;
/// `1 / ln 2` in two parts.
const LOG2_E: [f32; 2] = [core::f32::consts::LOG2_E, 1.925963e-8];
/// `(log₂ (1 + u) − u / ln 2) / u²` for |u| ≤ 0.0315, less [`ERROR`] of it.
const Q_OF_32: [f32; 4] = [0.28874356, -0.36091238, 0.48089817, -0.7213473];
/// The same for |u| ≤ 0.0625.
const Q_OF_16: [f32; 5] = [-0.24133241, 0.28954834, -0.36067277, 0.4808972, -0.7213473];
/// Near 1/m, in 64ths, by the first five bits of m's significand.
const R_32: [u8; 32] = [
    64, 61, 59, 58, 56, 55, 53, 52, 51, 49, 48, 47, 46, 45, 44, 43, 84, 82, 82, 80, 78, 76, 76, 74, 72, 72, 70, 68, 68,
    66, 66, 64,
];
/// The same by the first four bits.
const R_16: [u8; 16] = [64, 58, 56, 52, 50, 48, 46, 44, 84, 80, 76, 76, 72, 68, 68, 64];
const RECIPROCALS_32: [f32; 32] = reciprocals(&R_32);
const RECIPROCALS_16: [f32; 16] = reciprocals(&R_16);

const fn reciprocals<const N: usize>(r: &[u8; N]) -> [f32; N] {
    let (mut reciprocals, mut j) = ([0.0; N], 0);
    while j < N {
        reciprocals[j] = r[j] as f32 / 64.0;
        j += 1;
    }
    reciprocals
}

/// `−log₂ r`, rounded to a multiple of 2^-16.
const LOGARITHMS_32: [f32; 32] = [
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
/// The rounding errors of [`LOGARITHMS_32`].
const LOGARITHMS_LOW_32: [f32; 32] = [
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
/// `−log₂ r`, rounded to a multiple of 2^-16.
const LOGARITHMS_16: [f32; 16] = [
    0.0,
    0.14201355,
    0.19264221,
    0.29956055,
    0.35614014,
    0.41503906,
    0.47644043,
    0.5405731,
    -0.39231873,
    -0.32192993,
    -0.2479248,
    -0.2479248,
    -0.16992188,
    -0.08746338,
    -0.08746338,
    0.0,
];
/// The rounding errors of [`LOGARITHMS_16`].
const LOGARITHMS_LOW_16: [f32; 16] = [
    0.0,
    5.455068e-6,
    2.8660284e-6,
    -2.650161e-7,
    3.6735066e-6,
    -1.5632212e-6,
    -2.3857444e-6,
    -4.7387543e-6,
    1.3028072e-6,
    1.8367533e-6,
    -2.708756e-6,
    -2.708756e-6,
    -3.1264424e-6,
    5.376559e-7,
    5.376559e-7,
    0.0,
];

#[cfg(test)]
mod tests;
