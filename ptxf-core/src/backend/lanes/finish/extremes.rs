//! `min` and `max` of vectors.
//!
//! Most vectors have no NaN. Numbers are selected by the CPU's own instructions on f32, on f16 where it has any, or as integers, and a vector
//! with a NaN, which gives way to the other operand, is looked at once more. Operands are not flushed: flushed ones are in the same order,
//! −0 being below +0, so that what has been selected is flushed.

use super::native_f16;
use crate::backend::lanes::engine::{ArithmeticF16 as _, Floats as _, Ints, Quick, Vectors};
use crate::backend::lanes::format::{LaneFormat, V};
use crate::backend::lanes::op::{self, Extreme};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::modifiers::Modifiers;

/// A truth value per lane of a format.
type M<F, E> = <<F as LaneFormat>::Lanes<E> as Ints<<F as Format>::Bits>>::M;

/// A format whose numbers are selected.
pub(crate) trait Select: LaneFormat {
    /// One of numbers that are as `m` says, +0 above −0; where one is a NaN, any bits.
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E>;
    /// Whether one of them is a NaN.
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E>;
    /// The same by a single instruction, which is right in most lanes, where there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quick<E: Vectors>(_: E, _: Extreme, _: V<Self, E>, _: V<Self, E>) -> Option<Quick<V<Self, E>, M<Self, E>>> {
        None
    }
    /// `.ftz`
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flushed<E: Vectors>(e: E, m: Modifiers, x: V<Self, E>) -> V<Self, E> {
        super::flushed::<Self, _>(Self::lanes(e), m, x)
    }
}

impl Select for Binary16 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E> {
        match (e.f16(), which) {
            (None, _) => op::number::<Self, _>(e.u16(), m, which, x, y),
            (Some(f16), Extreme::Min) => f16.min(x, y),
            (Some(f16), Extreme::Max) => f16.max(x, y),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E> {
        match e.f16() {
            None => op::unordered::<Self, _>(e.u16(), x, y),
            Some(f16) => f16.unordered(x, y),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quick<E: Vectors>(e: E, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> Option<Quick<V<Self, E>, M<Self, E>>> {
        match which {
            Extreme::Min => e.f16()?.quick_min(x, y),
            Extreme::Max => e.f16()?.quick_max(x, y),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flushed<E: Vectors>(e: E, m: Modifiers, x: V<Self, E>) -> V<Self, E> {
        native_f16::flushed(e, m, x)
    }
}

impl Select for BFloat16 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E> {
        op::number::<Self, _>(e.u16(), m, which, x, y)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E> {
        op::unordered::<Self, _>(e.u16(), x, y)
    }
}

impl Select for Binary32 {
    // Of two zeros the second one is selected: of both of them, that has the sign that counts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E> {
        let (f, ints) = (e.f32(), e.u32());
        if m.abs {
            return op::number::<Self, _>(ints, m, which, x, y);
        }
        match which {
            Extreme::Min => ints.or(f.min(x, y), f.min(y, x)),
            Extreme::Max => ints.and(f.max(x, y), f.max(y, x)),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E> {
        e.f32().unordered(x, y)
    }
}

/// The results of a vector, of the first two operands or of three.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_vector<F: Select, E: Vectors>(
    e: E,
    m: Modifiers,
    which: Extreme,
    operands: usize,
    [a, b, c]: [V<F, E>; 3],
) -> V<F, E> {
    let d = of_two::<F, E>(e, m, which, a, b);
    if operands == 3 { of_two::<F, E>(e, m, which, d, c) } else { d }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn of_two<F: Select, E: Vectors>(e: E, m: Modifiers, which: Extreme, a: V<F, E>, b: V<F, E>) -> V<F, E> {
    let ints = F::lanes(e);
    let [x, y] = [op::absolute::<F, _>(ints, m, a), op::absolute::<F, _>(ints, m, b)];
    let (d, is_nan) = (F::number(e, m, which, x, y), F::unordered(e, x, y));
    if !m.nan && ints.any(is_nan) {
        let (d, both) = op::yielding::<F, _>(ints, x, y, d);
        let d = op::signed::<F, _>(ints, m, [a, b], F::flushed(e, m, d));
        return ints.select(both, ints.splat(F::CANONICAL_NAN), d);
    }
    let d = op::signed::<F, _>(ints, m, [a, b], F::flushed(e, m, d));
    if m.nan { ints.select(is_nan, ints.splat(F::CANONICAL_NAN), d) } else { d }
}

/// The same of two vectors.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_pair<F: Select, E: Vectors>(
    e: E,
    m: Modifiers,
    which: Extreme,
    operands: usize,
    [x, y]: [[V<F, E>; 3]; 2],
) -> [V<F, E>; 2] {
    let (p, q) = (quick::<F, E>(e, m, which, operands, x), quick::<F, E>(e, m, which, operands, y));
    let ints = F::lanes(e);
    // Operands that are equal are mostly one number, as zeros are after `.relu`.
    let is_right = !ints.any(ints.mask_or(p.rare, q.rare))
        || !ints.any(ints.mask_or(p.unlike, q.unlike)) && !ints.any(F::unordered(e, p.d, q.d));
    if is_right {
        return [p.d, q.d];
    }
    [of_vector::<F, E>(e, m, which, operands, x), of_vector::<F, E>(e, m, which, operands, y)]
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn quick<F: Select, E: Vectors>(
    e: E,
    m: Modifiers,
    which: Extreme,
    operands: usize,
    [a, b, c]: [V<F, E>; 3],
) -> Quick<V<F, E>, M<F, E>> {
    let first = quick_of_two::<F, E>(e, m, which, a, b);
    if operands == 2 {
        return first;
    }
    let (ints, second) = (F::lanes(e), quick_of_two::<F, E>(e, m, which, first.d, c));
    let (rare, unlike) = (ints.mask_or(first.rare, second.rare), ints.mask_or(first.unlike, second.unlike));
    Quick { d: second.d, rare, unlike }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn quick_of_two<F: Select, E: Vectors>(
    e: E,
    m: Modifiers,
    which: Extreme,
    a: V<F, E>,
    b: V<F, E>,
) -> Quick<V<F, E>, M<F, E>> {
    let ints = F::lanes(e);
    let [x, y] = [op::absolute::<F, _>(ints, m, a), op::absolute::<F, _>(ints, m, b)];
    let quick = if let Some(quick) = F::quick(e, which, x, y) {
        quick
    } else {
        let (d, rare) = (F::number(e, m, which, x, y), F::unordered(e, x, y));
        Quick { d, rare, unlike: rare }
    };
    Quick { d: op::signed::<F, _>(ints, m, [a, b], F::flushed(e, m, quick.d)), ..quick }
}
