//! `min` and `max` of vectors.
//!
//! Operands are first selected as if they were numbers: by the CPU's instructions on f32 and on f16
//! if it has some, otherwise as integers. Then one check finds a NaN in a vector or in a pair. Most
//! have none. A NaN yields to the other operand.
//!
//! Under `.ftz` the result is flushed instead of the operands. Flushing keeps the order, since −0
//! is below +0, and both give the same bits.

use super::native_f16;
use crate::backend::lanes::engine::{ArithmeticF16 as _, Floats as _, Ints, Quick, Vectors};
use crate::backend::lanes::format::{LaneFormat, V};
use crate::backend::lanes::op::{self, Extreme};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::modifiers::Modifiers;

/// A truth value per lane of a format.
type M<F, E> = <<F as LaneFormat>::Lanes<E> as Ints<<F as Format>::Bits>>::M;

/// A format whose vectors can be selected from.
#[inline_in_release]
pub(crate) trait Select: LaneFormat {
    /// Returns the larger or the smaller number, with +0 above −0. `.abs` has been applied to the
    /// operands if `m` has it. If an operand is a NaN, the result has any bits.
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E>;
    /// Returns a mask of the lanes in which `x` or `y` is a NaN.
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E>;
    /// Returns a selection that is faster than [`number`](Self::number) and right in most lanes;
    /// `None` if the CPU has none.
    fn quick<E: Vectors>(_: E, _: Extreme, _: V<Self, E>, _: V<Self, E>) -> Option<Quick<V<Self, E>, M<Self, E>>> {
        None
    }
    /// `x` with zeros for its subnormal numbers if `m` has `.ftz`.
    fn flushed<E: Vectors>(e: E, m: Modifiers, x: V<Self, E>) -> V<Self, E> {
        super::flushed::<Self, _>(Self::lanes(e), m, x)
    }
}

#[inline_in_release]
impl Select for Binary16 {
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E> {
        match (e.f16(), which) {
            (None, _) => op::number::<Self, _>(e.u16(), m, which, x, y),
            (Some(f16), Extreme::Min) => f16.min(x, y),
            (Some(f16), Extreme::Max) => f16.max(x, y),
        }
    }
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E> {
        match e.f16() {
            None => op::unordered::<Self, _>(e.u16(), x, y),
            Some(f16) => f16.unordered(x, y),
        }
    }
    fn quick<E: Vectors>(e: E, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> Option<Quick<V<Self, E>, M<Self, E>>> {
        match which {
            Extreme::Min => e.f16()?.quick_min(x, y),
            Extreme::Max => e.f16()?.quick_max(x, y),
        }
    }
    fn flushed<E: Vectors>(e: E, m: Modifiers, x: V<Self, E>) -> V<Self, E> {
        native_f16::flushed(e, m, x)
    }
}

#[inline_in_release]
impl Select for BFloat16 {
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E> {
        op::number::<Self, _>(e.u16(), m, which, x, y)
    }
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E> {
        op::unordered::<Self, _>(e.u16(), x, y)
    }
}

#[inline_in_release]
impl Select for Binary32 {
    // Of two zeros the CPU selects its second operand. Computed in both orders it selects both
    // zeros, and one of them has the right sign.
    fn number<E: Vectors>(e: E, m: Modifiers, which: Extreme, x: V<Self, E>, y: V<Self, E>) -> V<Self, E> {
        let (f, ints) = (e.f32(), e.u32());
        if m.abs() {
            return op::number::<Self, _>(ints, m, which, x, y);
        }
        match which {
            Extreme::Min => ints.or(f.min(x, y), f.min(y, x)),
            Extreme::Max => ints.and(f.max(x, y), f.max(y, x)),
        }
    }
    fn unordered<E: Vectors>(e: E, x: V<Self, E>, y: V<Self, E>) -> M<Self, E> {
        e.f32().unordered(x, y)
    }
}

/// The results of a vector, of its first two operands or of all three.
#[inline_in_release]
pub(in crate::backend::lanes) fn of_vector<F: Select, E: Vectors>(
    e: E,
    m: Modifiers,
    which: Extreme,
    operands: usize,
    [a, b, c]: [V<F, E>; 3],
) -> V<F, E> {
    let d = of_two::<F, E>(e, m, which, a, b);
    if operands == 3 { of_two::<F, E>(e, m, which, d, c) } else { d }
}

#[inline_in_release]
fn of_two<F: Select, E: Vectors>(e: E, m: Modifiers, which: Extreme, a: V<F, E>, b: V<F, E>) -> V<F, E> {
    let ints = F::lanes(e);
    let [x, y] = [op::absolute::<F, _>(ints, m, a), op::absolute::<F, _>(ints, m, b)];
    let (d, is_nan) = (F::number(e, m, which, x, y), F::unordered(e, x, y));
    if !m.nan() && ints.any(is_nan) {
        let (d, both) = op::yielding::<F, _>(ints, x, y, d);
        let d = op::signed::<F, _>(ints, m, [a, b], F::flushed(e, m, d));
        return ints.select(both, ints.splat(F::CANONICAL_NAN), d);
    }
    let d = op::signed::<F, _>(ints, m, [a, b], F::flushed(e, m, d));
    if m.nan() { ints.select(is_nan, ints.splat(F::CANONICAL_NAN), d) } else { d }
}

/// The results of two vectors.
#[inline_in_release]
pub(in crate::backend::lanes) fn of_pair<F: Select, E: Vectors>(
    e: E,
    m: Modifiers,
    which: Extreme,
    operands: usize,
    [x, y]: [[V<F, E>; 3]; 2],
) -> [V<F, E>; 2] {
    let (p, q) = (quick::<F, E>(e, m, which, operands, x), quick::<F, E>(e, m, which, operands, y));
    let ints = F::lanes(e);
    let is_right = !ints.any(ints.mask_or(p.rare, q.rare))
        || !ints.any(ints.mask_or(p.unlike, q.unlike)) && !ints.any(F::unordered(e, p.d, q.d));
    if is_right {
        return [p.d, q.d];
    }
    // Both again, with the code for NaNs and signs of zero.
    [of_vector::<F, E>(e, m, which, operands, x), of_vector::<F, E>(e, m, which, operands, y)]
}

#[inline_in_release]
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

#[inline_in_release]
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
