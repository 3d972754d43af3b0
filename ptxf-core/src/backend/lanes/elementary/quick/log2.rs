//! `log₂ x = k − log₂ r + log₂ (1 + u)`, where `x = 2^k · m`, 3/4 ≤ m < 3/2, r is near 1/m and one
//! of 16 numbers, and `1 + u = m · r`.
//!
//! If m is next to 1, r is 1. Then nothing cancels, and the error is relative to the result. The r
//! have so few bits that u is exact: a multiple of 2^-28, |u| ≤ 1/16.
//!
//! *Error bound of the second number*, relative to `u² · q` of `log₂ (1 + u) = u / ln 2 + u² · q`,
//! 0.69 < |q| < 0.76: u² by 1; q by 1.2 (the interpolation) and 1.2 (a sum and a coefficient); the
//! product by 1; the sum with it by 1. That is 5.5 if all were as bad as possible. They never are
//! at once, and the bound is 3.5. (With 2.5 some results are wrong.) The coefficients are smaller
//! by it already. If `k − log₂ r` is not zero it is above 1/23, and its second part is below 2^-17,
//! with three roundings of 2^-42. The bound for these is as if u² were larger by 2^-13 of
//! `k − log₂ r`: 2^-35 of it.
//!
//! For k = 0, r = 1 and |u| < 2^-20 a rounding of 2^-24 · |u| remains, which is 2^-25 of the
//! result's last place. No such result is that near to a midpoint, which the test of all 2^32
//! operands shows.

use super::super::super::engine::{Engine, Floats as _, Ints as _, Lookup as _, M32, Pieces as _, V32, Words as _};
use super::{between, linear, magnitude, polynomial};

/// Returns u, `k − log₂ r` without its second part, and the index of r in the last bits.
pub(in super::super) type Reduced<E> = (V32<E>, V32<E>, V32<E>);

#[inline_in_release]
pub(in super::super) fn reduced<E: Engine>(e: E, x: V32<E>) -> Option<Reduced<E>> {
    let f = e.f32();
    let (k, m, index) = parts(e, x)?;
    let u = f.mul_add(m, e.lookup()?.lookup(&RECIPROCALS, index), f.splat(-1.0));
    // Exact, and zero or at least twice what will be added.
    let base = f.add(k, e.lookup()?.lookup(&LOGARITHMS, index));
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
        return Some((k, m, ints.shr(m, 19)));
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
    let second = f.mul_add(u, f.splat(LOG2_E[1]), e.lookup()?.lookup(&LOGARITHMS_LOW, index));
    let q = polynomial(e, &Q, u);
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
/// 3.5 · 2^-24
const ERROR: f32 = 3.5 / 16_777_216.0;
/// 2^-13
const BASE: f32 = 1.0 / 8192.0;
/// `1 / ln 2` in two parts.
const LOG2_E: [f32; 2] = [core::f32::consts::LOG2_E, 1.925963e-8];
/// `(log₂ (1 + u) − u / ln 2) / u²` for |u| ≤ 0.0625, less [`ERROR`] of it.
const Q: [f32; 5] = [-0.24133244, 0.28954837, -0.36067283, 0.48089725, -0.7213474];
/// Near 1/m, in 64ths, by the first four bits of m's significand.
const R: [u8; 16] = [64, 58, 56, 52, 50, 48, 46, 44, 84, 80, 76, 76, 72, 68, 68, 64];
/// R as numbers.
const RECIPROCALS: [f32; 16] = {
    let (mut reciprocals, mut j) = ([0.0; 16], 0);
    while j < 16 {
        reciprocals[j] = R[j] as f32 / 64.0;
        j += 1;
    }
    reciprocals
};
/// `−log₂ r`, rounded to a multiple of 2^-16.
const LOGARITHMS: [f32; 16] = [
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
/// The rounding errors of [`LOGARITHMS`].
const LOGARITHMS_LOW: [f32; 16] = [
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
