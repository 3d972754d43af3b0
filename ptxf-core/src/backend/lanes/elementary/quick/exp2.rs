//! `2^x = 2^n · T · 2^t`, where T is one of sixteen powers of 2^(1/16), |t| ≤ 1/32. Where the CPU's
//! instruction looks up one of eight entries, T is one of eight powers of 2^(1/8), |t| ≤ 1/16.
//!
//! `T · 2^t = T + T · ln 2 · t + T · t² · w`, 0.23 < w < 0.25. T and its slope are sums of two
//! numbers each.
//!
//! *Error bound of the second number*, relative to `T · t² · w`: t² by 1; T by 0.5 and the product
//! by 1; w by 1 (a sum and a coefficient) and 1 (the interpolation); the product by 1; and the sum
//! with it by 1. The bound is 6.5. The coefficients are smaller by it already. Roundings of the
//! second parts, which are below 2^-24, are 2^-49 each. The bound for them is 2^-46, by which the
//! list of second parts is smaller, and 2^-45 on the other side.

use core::f32::consts::{LN_2, SQRT_2};

use super::super::super::engine::{Engine, Floats as _, Ints as _, Lookup as _, M32, V32, Words as _};
use super::{between, halved, linear, polynomial};

/// Returns t, and the sum with x − t in its last bits, as a multiple of 1/16 or 1/8.
pub(in super::super) type Reduced<E> = (V32<E>, V32<E>);

#[inline_in_release]
pub(in super::super) fn reduced<E: Engine>(e: E, x: V32<E>) -> Option<Reduced<E>> {
    e.lookup()?;
    let shift = e.f32().splat(if e.pieces().is_some() { SHIFT } else { 2.0 * SHIFT });
    // A NaN stays one.
    let bounded = e.f32().min(e.f32().splat(128.0), x);
    let shifted = e.f32().add(bounded, shift);
    Some((e.f32().sub(bounded, e.f32().sub(shifted, shift)), shifted))
}

/// Returns results for x > −125 (normal numbers and infinities), and a mask of those that may be
/// wrong.
#[inline_in_release]
pub(in super::super) fn rounded<E: Engine>(e: E, x: V32<E>, (t, shifted): Reduced<E>) -> Option<(V32<E>, M32<E>)> {
    let (f, ints) = (e.f32(), e.u32());
    let in_eighths = e.pieces().is_none();
    let root = entry(e, &ROOTS, const { &halved(&ROOTS) }, shifted)?;
    let slope = entry(e, &SLOPES, const { &halved(&SLOPES) }, shifted)?;
    let [high, lost] = linear(e, root, slope, t);
    let root_low = entry(e, &ROOTS_LOW, const { &halved(&ROOTS_LOW) }, shifted)?;
    let slope_low = entry(e, &SLOPES_LOW, const { &halved(&SLOPES_LOW) }, shifted)?;
    let low = f.add(f.mul_add(slope_low, t, root_low), lost);
    let w = if in_eighths { polynomial(e, &W_OF_EIGHTH, t) } else { polynomial(e, &W_OF_SIXTEENTH, t) };
    let less = f.mul(root, f.mul(t, t));
    let more = f.mul_add(less, f.splat(1.0 + 2.0 * ERROR), f.splat(LEAST));
    let (d, doubt) = between(e, high, [f.mul_add(less, w, low), f.mul_add(more, w, low)])?;
    // n is added to the exponent: to that of 1 only for 128, which is infinite.
    let fraction = if in_eighths { 3 } else { 4 };
    let whole = ints.and(shifted, ints.splat(!0 << fraction));
    let d = ints.add(d, ints.shl(whole, 23 - fraction));
    Some((d, ints.mask_or(doubt, f.le(x, f.splat(-125.0)))))
}

#[inline_in_release]
fn entry<E: Engine>(e: E, of_16: &[f32; 16], of_8: &[f32; 8], index: V32<E>) -> Option<V32<E>> {
    if e.pieces().is_none() {
        return Some(e.entry(of_8, index));
    }
    Some(e.lookup()?.lookup(of_16, index))
}

/// 1.5 · 2^19: a sum with it is a multiple of 1/16.
const SHIFT: f32 = 786_432.0;
/// 6.5 · 2^-24
const ERROR: f32 = 6.5 / 16_777_216.0;
/// 2^-43, of which a quarter is added.
const LEAST: f32 = 1.0 / 8_796_093_022_208.0;
/// `2^(j/16)`, rounded.
const ROOTS: [f32; 16] = [
    1.0, 1.0442737, 1.0905077, 1.1387886, 1.1892071, 1.2418578, 1.2968396, 1.3542556, SQRT_2, 1.4768262, 1.5422108,
    1.6104903, 1.6817929, 1.7562522, 1.8340081, 1.9152066,
];
/// The rounding errors of [`ROOTS`], less 2^-46.
const ROOTS_LOW: [f32; 16] = [
    -1.4210855e-14,
    4.8334687e-8,
    -1.3077554e-8,
    5.386221e-8,
    3.797634e-8,
    4.4968367e-8,
    -4.019001e-8,
    -1.01233635e-8,
    2.420322e-8,
    -4.5009003e-8,
    8.070891e-9,
    9.836203e-9,
    -2.4755341e-8,
    -9.235785e-9,
    -1.1239292e-8,
    9.845314e-9,
];
/// `2^(j/16) · ln 2`, rounded.
const SLOPES: [f32; 16] = [
    LN_2, 0.7238354, 0.7558824, 0.7893481, 0.8242956, 0.86079025, 0.8989007, 0.9386984, 0.98025817, 1.0236579,
    1.0689791, 1.1163068, 1.16573, 1.2173412, 1.2712375, 1.32752,
];
/// The rounding errors of [`SLOPES`].
const SLOPES_LOW: [f32; 16] = [
    -1.9046542e-9,
    1.933464e-8,
    -2.2117142e-8,
    5.9775465e-9,
    -2.1521153e-8,
    -1.1590469e-8,
    -6.749587e-9,
    3.1291199e-9,
    -2.3321462e-8,
    -3.8741206e-8,
    -5.8635834e-8,
    5.1140876e-8,
    -4.079008e-8,
    4.8698976e-8,
    4.1657437e-8,
    1.536681e-8,
];
/// `(2^t − 1 − t · ln 2) / t²` for |t| ≤ 1/32, less [`ERROR`] of it.
const W_OF_SIXTEENTH: [f32; 3] = [0.009618239, 0.055505063, 0.24022642];
/// The same for |t| ≤ 1/16.
const W_OF_EIGHTH: [f32; 4] = [0.0013334149, 0.0096187275, 0.055504087, 0.24022642];

#[cfg(test)]
mod tests;
