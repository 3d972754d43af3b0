//! The meaning of div, rcp and sqrt with IEEE 754 rounding, and the reciprocal square root.

use super::nan::nan;
use super::number::{Finite, Number, flush_input, unpack};
use super::round::round;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::Modifiers;

/// Computes `a / b`.
#[inline]
pub fn div<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    let (a, b) = (flush_input::<F>(m.ftz(), a), flush_input::<F>(m.ftz(), b));
    let negative = F::is_negative(a ^ b);
    match (unpack::<F>(a), unpack::<F>(b)) {
        (Number::Nan, _) | (_, Number::Nan) => nan::<F>(&[a, b]),
        (Number::Infinite { .. }, Number::Infinite { .. }) => nan::<F>(&[]),
        (Number::Infinite { .. }, _) => F::signed(negative, F::infinity()),
        (_, Number::Infinite { .. }) => F::signed(negative, F::Bits::ZERO),
        (Number::Finite(x), Number::Finite(y)) => match (x.is_zero(), y.is_zero()) {
            (true, true) => nan::<F>(&[]),
            (true, false) => F::signed(negative, F::Bits::ZERO),
            (false, true) => F::signed(negative, F::infinity()),
            (false, false) => round::<F>(m.rnd(), m.ftz(), ratio::<F>(x, y)),
        },
    }
}

/// Computes `1 / a`.
#[inline]
pub fn rcp<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    div::<F>(m, F::one(), a)
}

/// Computes `√a`; −0 gives −0, negative numbers NaN.
#[inline]
pub fn sqrt<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    let a = flush_input::<F>(m.ftz(), a);
    match unpack::<F>(a) {
        Number::Nan => nan::<F>(&[a]),
        _ if F::is_zero(a) => a,
        Number::Infinite { negative: true } | Number::Finite(Finite { negative: true, .. }) => nan::<F>(&[]),
        Number::Infinite { .. } => a,
        Number::Finite(x) => round::<F>(m.rnd(), m.ftz(), root::<F>(x)),
    }
}

/// Returns the quotient of nonzero numbers with at least `PRECISION + 2` bits, its remainder
/// jammed.
#[inline]
fn ratio<F: Format>(x: Finite<F::Wide>, y: Finite<F::Wide>) -> Finite<F::Wide> {
    let (x, y) = (x.normalised(F::PRECISION), y.normalised(F::PRECISION));
    let shift = F::PRECISION + 2;
    let (q, rest) = divide(x.sig << shift, y.sig, F::PRECISION + 3);
    Finite {
        negative: x.negative != y.negative,
        sig: q | F::Wide::from_bool(rest != F::Wide::ZERO),
        exp: x.exp - y.exp - shift as i32,
    }
}

/// Returns `√x` of a positive number with `PRECISION + 2` bits, its remainder jammed.
#[inline]
fn root<F: Format>(x: Finite<F::Wide>) -> Finite<F::Wide> {
    // The exponent is made even, and the radicand has 2·PRECISION + 3 or + 4 bits.
    let x = x.normalised(2 * F::PRECISION + 3);
    let odd = x.exp & 1;
    let radicand = x.sig << odd as u32;
    let (q, exact) = isqrt(radicand, F::PRECISION + 2);
    Finite { negative: false, sig: q | F::Wide::from_bool(!exact), exp: (x.exp - odd) / 2 }
}

/// Returns `1 / √x` of a positive number with at least `PRECISION + 2` bits, its remainder jammed.
///
/// The integer part of the reciprocal is enough, because `⌊√⌊n⌋⌋ = ⌊√n⌋`.
#[inline]
pub(super) fn reciprocal_root<F: Format>(x: Finite<F::Wide>) -> Finite<F::Wide> {
    let x = x.normalised(F::PRECISION);
    // 1/x = 2^k / sig · 2^(−k − exp), with an even total exponent and a quotient of 2·PRECISION + 3
    // to + 5 bits.
    let k = 3 * F::PRECISION as i32 + 3 + (x.exp + 3 * F::PRECISION as i32 + 3).rem_euclid(2);
    let bits = k.unsigned_abs() - F::PRECISION + 2;
    let (q, rest) = power_ratio(k.unsigned_abs(), x.sig);
    let (root, exact) = isqrt(q, bits.div_ceil(2));
    let exact = exact && rest == F::Wide::ZERO;
    Finite { negative: false, sig: root | F::Wide::from_bool(!exact), exp: (-k - x.exp) / 2 }
}

/// Returns `2^k / y` and its remainder for `y > 1`, by long division, so that the numerator need
/// not fit.
#[inline]
fn power_ratio<W: Int>(k: u32, y: W) -> (W, W) {
    let (mut q, mut rest) = (W::ZERO, W::ONE);
    for _ in 0..k {
        (q, rest) = (q << 1, rest << 1);
        if rest >= y {
            (q, rest) = (q | W::ONE, rest - y);
        }
    }
    (q, rest)
}

/// Returns `x / y` and its remainder, if the quotient has at most `bits` bits.
#[inline]
fn divide<W: Int>(x: W, y: W, bits: u32) -> (W, W) {
    let (mut q, mut rest) = (W::ZERO, x);
    for i in (0..bits).rev() {
        let step = y << i;
        if rest >= step {
            (q, rest) = (q | (W::ONE << i), rest - step);
        }
    }
    (q, rest)
}

/// Returns `⌊√x⌋` of at most `bits` bits, and `true` if it is exact.
#[inline]
fn isqrt<W: Int>(x: W, bits: u32) -> (W, bool) {
    let (mut root, mut rest) = (W::ZERO, x);
    for i in (0..bits).rev() {
        // (root + 2^i)² − root² = (2·root + 2^i)·2^i
        let step = ((root << 1) | (W::ONE << i)) << i;
        if rest >= step {
            (root, rest) = (root | (W::ONE << i), rest - step);
        }
    }
    (root, rest == W::ZERO)
}
