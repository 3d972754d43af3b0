//! f16 results on CPUs that compute with f16.
//!
//! Their sums, products and `fma` round once. Under `.ftz` a vector with a result of exactly the smallest normal number takes
//! the way through binary32: the hardware's bits do not say whether it was smaller before it was rounded. Where the CPU finds
//! NaNs, subnormal results and that number in one step, a vector without any of them is finished after it.
//! `min` and `max` of NaNs take the way through integers, the CPU's own instructions that of numbers.

use crate::backend::lanes::engine::{ArithmeticF16 as _, End, Ints as _, V16, Vectors};
use crate::backend::lanes::modifiers;
use crate::backend::lanes::op::{self, Arithmetic, Extreme, On16, OnBits};
use crate::format::{Binary16, Format as _};
use crate::modifiers::Modifiers;

/// `.ftz` on an operand or a result, by the CPU's own instructions where they are shorter.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn flushed<E: Vectors>(e: E, m: Modifiers, x: V16<E>) -> V16<E> {
    if m.ftz
        && let Some(f16) = e.f16()
        && let Some(flushed) = f16.flushed(x)
    {
        return flushed;
    }
    modifiers::flushed::<Binary16, _>(e.u16(), m, x)
}

/// The results of flushed operands; `None` if the CPU has no such arithmetic, or whether to flush a result cannot be told
/// from it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn results<O: On16, E: Vectors>(e: E, m: Modifiers, [a, b, c]: [V16<E>; 3]) -> Option<V16<E>> {
    let (what, f16) = (O::ARITHMETIC?, e.f16()?);
    let d = match what {
        Arithmetic::Add => f16.add(a, b),
        Arithmetic::Sub => f16.sub(a, b),
        Arithmetic::Mul => f16.mul(a, b),
        Arithmetic::Fma => f16.fma(a, b, c),
    };
    let ints = e.u16();
    let end = modifiers::end(m);
    // As signed integers everything with a sign is below zero.
    let ended = |d| match end {
        End::Plain => d,
        End::Relu => ints.max(d, ints.splat(0)),
        End::Sat => f16.saturated(d),
    };
    if m.ftz {
        if let Some(rare) = f16.rare(d, O::ROUNDS_TO_NORMAL)
            && !ints.any(rare)
        {
            return Some(ended(d));
        }
        let (magnitude, least) = (ints.and(d, ints.splat(0x7FFF)), ints.splat(1 << Binary16::FRACTION_BITS));
        if O::ROUNDS_TO_NORMAL && ints.any(ints.eq(magnitude, least)) {
            return None;
        }
    }
    let d = flushed(e, m, d);
    // Of a NaN `.sat` makes a zero, as `.oob` does: what that looks for is a NaN, and so is a result that has it for a factor.
    if end == End::Sat {
        return Some(ended(d));
    }
    let is_nan = f16.unordered(d, d);
    if m.oob && !ints.any(is_nan) {
        return Some(ended(d));
    }
    let d = ints.select(is_nan, ints.splat(Binary16::CANONICAL_NAN), ended(d));
    Some(if m.oob { modifiers::without_oob(ints, [a, b], d) } else { d })
}

/// The operand that is selected; `None` if the operation or the CPU does not select f16, or if an operand is a NaN that gives way.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn extreme<O: OnBits, E: Vectors>(e: E, m: Modifiers, [a, b, c]: [V16<E>; 3]) -> Option<V16<E>> {
    let d = of_two::<E>(e, m, O::EXTREME?, a, b)?;
    if O::OPERANDS == 3 { of_two::<E>(e, m, O::EXTREME?, d, c) } else { Some(d) }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn of_two<E: Vectors>(e: E, m: Modifiers, which: Extreme, a: V16<E>, b: V16<E>) -> Option<V16<E>> {
    let f16 = e.f16()?;
    let [x, y] = [flushed(e, m, a), flushed(e, m, b)];
    let e = e.u16();
    let [x, y] = [op::absolute::<Binary16, _>(e, m, x), op::absolute::<Binary16, _>(e, m, y)];
    let is_nan = f16.unordered(x, y);
    if !m.nan && e.any(is_nan) {
        return None;
    }
    let d = match which {
        Extreme::Min => f16.min(x, y),
        Extreme::Max => f16.max(x, y),
    };
    let d = op::signed::<Binary16, _>(e, m, [a, b], d);
    Some(if m.nan { e.select(is_nan, e.splat(Binary16::CANONICAL_NAN), d) } else { d })
}
