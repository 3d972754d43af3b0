//! f16 results on CPUs that compute with f16.
//!
//! Their sums, products and `fma` round once. Under `.ftz` a vector with a result of exactly the smallest normal number takes
//! the way through binary32: the hardware's bits do not say whether it was smaller before it was rounded. If a CPU finds in one
//! step that no result is a NaN, subnormal, or that number, nothing else is done to them.
//! `min` and `max` of NaNs take the way through integers, the CPU's own instructions that of numbers.

use crate::backend::lanes::engine::{ArithmeticF16 as _, End, Ints as _, V16, Vectors};
use crate::backend::lanes::modifiers;
use crate::backend::lanes::op::{self, Arithmetic, Extreme, On16, OnBits};
use crate::format::{Binary16, Format as _};
use crate::modifiers::Modifiers;

/// `.ftz` on operands.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn flushed<E: Vectors>(e: E, m: Modifiers, [a, b, c]: [V16<E>; 3]) -> [V16<E>; 3] {
    match e.f16() {
        Some(f16) if m.ftz => [f16.flushed(a), f16.flushed(b), f16.flushed(c)],
        _ => [a, b, c],
    }
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
    let e = e.u16();
    let (nan, zero) = (e.splat(Binary16::CANONICAL_NAN), e.splat(0));
    let end = modifiers::end(m);
    // As signed integers everything with a sign is below zero.
    let of_numbers = |d| match end {
        End::Plain => d,
        End::Relu => e.max(d, zero),
        End::Sat => f16.saturated(d),
    };
    let mut d = d;
    if m.ftz {
        if let Some(rare) = f16.rare(d, O::ROUNDS_TO_NORMAL)
            && !e.any(rare)
        {
            return Some(of_numbers(d));
        }
        let least = e.splat(1 << Binary16::FRACTION_BITS);
        if O::ROUNDS_TO_NORMAL && e.any(e.eq(e.and(d, e.splat(0x7FFF)), least)) {
            return None;
        }
        d = f16.flushed(d);
    }
    if end == End::Sat {
        return Some(of_numbers(d));
    }
    let is_nan = f16.unordered(d, d);
    // What `.oob` looks for is a NaN, and so is the result.
    if m.oob && !e.any(is_nan) {
        return Some(of_numbers(d));
    }
    let d = e.select(is_nan, nan, of_numbers(d));
    Some(if m.oob { modifiers::without_oob(e, [a, b], d) } else { d })
}

/// The operand that is selected; `None` if the operation or the CPU does not select f16, or if an operand is a NaN that gives way.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn extreme<O: OnBits, E: Vectors>(e: E, m: Modifiers, [a, b, c]: [V16<E>; 3]) -> Option<V16<E>> {
    let d = of_two::<E>(e, m, O::EXTREME?, a, b)?;
    if O::OPERANDS == 3 { of_two::<E>(e, m, O::EXTREME?, d, c) } else { Some(d) }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn of_two<E: Vectors>(e: E, m: Modifiers, which: Extreme, a: V16<E>, b: V16<E>) -> Option<V16<E>> {
    let (f16, e) = (e.f16()?, e.u16());
    let of = |x| op::absolute::<Binary16, _>(e, m, if m.ftz { f16.flushed(x) } else { x });
    let (x, y) = (of(a), of(b));
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
