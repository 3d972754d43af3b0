//! f16 results on CPUs that compute with f16.
//!
//! Sums, products and `fma` of the CPU round once. Under `.ftz` a vector with a result of exactly
//! the smallest normal number is computed through binary32, since the hardware's bits do not show
//! if it was smaller before rounding. If the CPU finds NaNs, subnormal results and that number in
//! one step, a vector without them is finished.

use crate::backend::lanes::engine::{ArithmeticF16 as _, End, Ints as _, V16, Vectors};
use crate::backend::lanes::modifiers;
use crate::backend::lanes::op::{Arithmetic, On16};
use crate::format::{Binary16, Format as _};
use crate::modifiers::Modifiers;

/// `.ftz` on an operand or a result, by the CPU's own instructions where they are shorter.
#[inline_in_release]
pub(super) fn flushed<E: Vectors>(e: E, m: Modifiers, x: V16<E>) -> V16<E> {
    if m.ftz()
        && let Some(f16) = e.f16()
        && let Some(flushed) = f16.flushed(x)
    {
        return flushed;
    }
    modifiers::flushed::<Binary16, _>(e.u16(), m, x)
}

/// Returns the results of flushed operands; `None` if the CPU lacks the arithmetic, or if its
/// result does not show whether to flush.
#[inline_in_release]
pub(super) fn results<O: On16, E: Vectors>(e: E, m: Modifiers, [a, b, c]: [V16<E>; 3]) -> Option<V16<E>> {
    let f16 = e.f16()?;
    let d = computed::<O, E>(f16, [a, b, c])?;
    let ints = e.u16();
    let end = modifiers::end(m);
    if m.ftz() {
        if let Some(rare) = f16.rare(d, O::ROUNDS_TO_NORMAL)
            && !ints.any(rare)
        {
            return Some(ended(e, f16, end, d));
        }
        let (magnitude, least) = (ints.and(d, ints.splat(0x7FFF)), ints.splat(1 << Binary16::FRACTION_BITS));
        if O::ROUNDS_TO_NORMAL && ints.any(ints.eq(magnitude, least)) {
            return None;
        }
    }
    let d = flushed(e, m, d);
    // `.sat` turns a NaN into a zero, as `.oob` does. An operand with the OOB NaN gives a NaN
    // result.
    if end == End::Sat {
        return Some(ended(e, f16, end, d));
    }
    let is_nan = f16.unordered(d, d);
    if m.oob() && !ints.any(is_nan) {
        return Some(ended(e, f16, end, d));
    }
    let d = ints.select(is_nan, ints.splat(Binary16::CANONICAL_NAN), ended(e, f16, end, d));
    Some(if m.oob() { modifiers::without_oob(ints, [a, b], d) } else { d })
}

/// Returns the CPU's results; `None` if it does not compute the operation.
#[inline_in_release]
fn computed<O: On16, E: Vectors>(f16: E::F16, [a, b, c]: [V16<E>; 3]) -> Option<V16<E>> {
    Some(match O::ARITHMETIC? {
        Arithmetic::Add => f16.add(a, b),
        Arithmetic::Sub => f16.sub(a, b),
        Arithmetic::Mul => f16.mul(a, b),
        Arithmetic::Fma => f16.fma(a, b, c),
    })
}

/// `.relu` and `.sat`.
#[inline_in_release]
fn ended<E: Vectors>(e: E, f16: E::F16, end: End, d: V16<E>) -> V16<E> {
    match end {
        End::Plain => d,
        // As signed integers, negative numbers are below zero.
        End::Relu => e.u16().max(d, e.u16().splat(0)),
        End::Sat => f16.saturated(d),
    }
}

/// Returns the results of a pair of vectors in which no lane needs more than the CPU's arithmetic
/// and `.relu` or `.sat`, as in most pairs; `None` for other pairs.
#[inline_in_release]
pub(super) fn quick_results<O: On16, E: Vectors>(e: E, m: Modifiers, [x, y]: [[V16<E>; 3]; 2]) -> Option<[V16<E>; 2]> {
    let f16 = if E::FINDS_NANS { e.f16()? } else { return None };
    let ([a, b, c], [p, q, r]) = (x, y);
    let x = [flushed(e, m, a), flushed(e, m, b), flushed(e, m, c)];
    let y = [flushed(e, m, p), flushed(e, m, q), flushed(e, m, r)];
    let [x, y] = [computed::<O, E>(f16, x)?, computed::<O, E>(f16, y)?];
    let (ints, end) = (e.u16(), modifiers::end(m));
    let rare = if m.ftz() {
        ints.any(ints.mask_or(f16.rare(x, O::ROUNDS_TO_NORMAL)?, f16.rare(y, O::ROUNDS_TO_NORMAL)?))
    } else {
        // `.sat` turns a NaN into zero, as it has to.
        end != End::Sat && ints.any(f16.unordered(x, y))
    };
    (!rare).then(|| [ended(e, f16, end, x), ended(e, f16, end, y)])
}
