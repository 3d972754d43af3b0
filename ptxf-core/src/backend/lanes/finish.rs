//! The results of one vector or one lane, from operands to the bits of the meaning.
//!
//! First `.ftz` flushes the operands. Then the operation is computed. Its result gets `.relu` or
//! `.sat`, the canonical NaN, `.ftz` and `.oob`, and is narrowed to its format. If these steps take
//! longer than the operation, pairs of vectors are first checked for lanes that need them: in
//! [`extremes`], [`native_f16`] and [`unflushed`].
//!
//! *Doubt.* An operation on f32 may return a mask of doubtful results. `.ftz` adds the results that
//! may have been tiny before rounding. [`settled`] computes doubtful lanes by the meaning, one by
//! one. A loop of the portable level only records that a lane is doubtful, and the block is settled
//! after the loop, because a branch would prevent vectorization.

pub(super) mod extremes;
mod native_f16;
mod unflushed;

use core::marker::PhantomData;

use super::engine::{End, Engine, Floats as _, Ints as _, Memory as _, V16, V32, Vectors, Work};
use super::format::{Format16, LaneFormat};
use super::modifiers::{self, flushed};
use super::op::{Doubtful, On16, On32, Operation};
use super::portable::Portable;
use crate::format::{Binary16, Binary32, Format as _};
use crate::modifiers::Modifiers;
pub(super) use unflushed::asks_if_ftz_matters;

/// Returns `true` if the CPU's arithmetic on f16 computes the lanes.
#[inline_in_release]
pub(super) fn is_native<F: Format16, O: On16, E: Vectors>(e: E) -> bool {
    F::PRECISION == Binary16::PRECISION && O::ARITHMETIC.is_some() && e.f16().is_some()
}

/// The results of a vector; with `find_nans`, see [`wide`].
#[inline_in_release]
pub(super) fn vector_16<F: Format16, O: On16, E: Vectors>(
    e: E,
    m: Modifiers,
    x: [V16<E>; 3],
    find_nans: bool,
) -> V16<E> {
    let (ints, [a, b, c]) = (e.u16(), x);
    // One by one: `map` is not inlined into functions that enable instructions, and made AVX2
    // fourteen times as slow.
    if !is_native::<F, O, E>(e) {
        let x = [flushed::<F, _>(ints, m, a), flushed::<F, _>(ints, m, b), flushed::<F, _>(ints, m, c)];
        return through_wide::<F, O, E>(e, m, x, find_nans);
    }
    let x = [native_f16::flushed(e, m, a), native_f16::flushed(e, m, b), native_f16::flushed(e, m, c)];
    native_f16::results::<O, E>(e, m, x)
        .unwrap_or_else(|| e.cold_path(ThroughWide::<F, O, E> { m, x, find_nans, of: PhantomData }))
}

/// The results of two vectors.
#[inline_in_release]
pub(super) fn pair_16<F: Format16, O: On16, E: Vectors>(e: E, m: Modifiers, [x, y]: [[V16<E>; 3]; 2]) -> [V16<E>; 2] {
    if is_native::<F, O, E>(e)
        && let Some(d) = native_f16::quick_results::<O, E>(e, m, [x, y])
    {
        return d;
    }
    [vector_16::<F, O, E>(e, m, x, E::FINDS_NANS), vector_16::<F, O, E>(e, m, y, E::FINDS_NANS)]
}

/// Flushed operands whose results are computed in binary32 lanes.
struct ThroughWide<F, O, E: Vectors> {
    m: Modifiers,
    x: [V16<E>; 3],
    find_nans: bool,
    of: PhantomData<(F, O)>,
}

#[inline_in_release]
impl<F: Format16, O: On16, E: Vectors> Work<E> for ThroughWide<F, O, E> {
    type Output = V16<E>;
    fn run(self, e: E) -> V16<E> {
        through_wide::<F, O, E>(e, self.m, self.x, self.find_nans)
    }
}

// Not the method above, whose modifiers are in a structure. The inliner folds scalar arguments
// only.
#[inline_in_release]
fn through_wide<F: Format16, O: On16, E: Vectors>(
    e: E,
    m: Modifiers,
    [a, b, c]: [V16<E>; 3],
    find_nans: bool,
) -> V16<E> {
    let d = F::narrow(e, wide::<F, O, E>(e, m, widened::<F, O, E>(e, [a, b, c]), find_nans));
    if m.oob() { modifiers::without_oob(e.u16(), [a, b], d) } else { d }
}

/// Returns the operands in binary32 lanes; the last one stands for those that `O` has not.
#[inline_in_release]
fn widened<F: Format16, O: On16, E: Vectors>(e: E, [a, b, c]: [V16<E>; 3]) -> [[V32<E>; 2]; 3] {
    let a = F::widen(e, a);
    let b = if const { O::OPERANDS > 1 } { F::widen(e, b) } else { a };
    let c = if const { O::OPERANDS > 2 } { F::widen(e, c) } else { b };
    [a, b, c]
}

/// Returns the results in binary32 lanes, ready to be narrowed. With `find_nans` the vectors are
/// checked for NaNs first, and NaNs are made canonical only if there is one.
#[inline_in_release]
pub(super) fn wide<F: Format16, O: On16, E: Vectors>(
    e: E,
    m: Modifiers,
    x: [[V32<E>; 2]; 3],
    find_nans: bool,
) -> [V32<E>; 2] {
    let [[a0, a1], [b0, b1], [c0, c1]] = x;
    let (low, high) = (O::wide::<F, E>(e, [a0, b0, c0]), O::wide::<F, E>(e, [a1, b1, c1]));
    if find_nans && is_plain(m) && !e.u32().any(e.f32().unordered(low, high)) {
        return [low, high];
    }
    [wide_finished::<F, E>(e, m, low), wide_finished::<F, E>(e, m, high)]
}

/// Returns `true` if the modifiers change no result except NaNs, which become canonical.
#[inline_in_release]
fn is_plain(m: Modifiers) -> bool {
    !m.ftz() && modifiers::end(m) == End::Plain
}

/// Applies the modifiers to a result of [`On16::wide`].
#[inline_in_release]
fn wide_finished<F: Format16, E: Engine>(e: E, m: Modifiers, d: V32<E>) -> V32<E> {
    let d = e.f32().finish(modifiers::end(m), F::NAN, d);
    if m.ftz() { modifiers::flushed_wide::<F, E>(e, d) } else { d }
}

#[inline_in_release]
pub(super) fn lane_16<F: Format16, O: On16>(m: Modifiers, x: [u16; 3]) -> u16 {
    let [a, b, c] = x;
    let flushed = [flushed::<F, _>(Portable, m, a), flushed::<F, _>(Portable, m, b), flushed::<F, _>(Portable, m, c)];
    let [a, b, c] = flushed;
    let wide = [F::widen_lane(a), F::widen_lane(b), F::widen_lane(c)];
    let d = F::narrow_lane(wide_finished::<F, _>(Portable, m, O::wide::<F, _>(Portable, wide)));
    if m.oob() { modifiers::without_oob(Portable, [x[0], x[1]], d) } else { d }
}

#[inline_in_release]
pub(super) fn vector_32<O: On32, E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 3]) -> V32<E> {
    if const { !O::DOUBTS } && !m.ftz() {
        return e.f32().finish(modifiers::end(m), Binary32::NAN, O::f32::<E>(e, m, x).0);
    }
    settled::<O, E>(e, m, x, doubtful_32::<O, E>(e, m, x))
}

/// Returns the results of two vectors, which are checked for NaNs together.
#[inline_in_release]
pub(super) fn pair_32<O: On32, E: Vectors>(e: E, m: Modifiers, [x, y]: [[V32<E>; 3]; 2]) -> [V32<E>; 2] {
    if const { !O::DOUBTS } && !m.ftz() {
        let ((p, _), (q, _)) = (O::f32::<E>(e, m, x), O::f32::<E>(e, m, y));
        if E::FINDS_NANS && is_plain(m) && !e.u32().any(e.f32().unordered(p, q)) {
            return [p, q];
        }
        let (f, end) = (e.f32(), modifiers::end(m));
        return [f.finish(end, Binary32::NAN, p), f.finish(end, Binary32::NAN, q)];
    }
    if E::FINDS_NANS && is_plain(m) {
        let (p, q) = (O::f32::<E>(e, m, x), O::f32::<E>(e, m, y));
        let (p, q) = (finished::<O, E>(e, m, p), finished::<O, E>(e, m, q));
        return [settled::<O, E>(e, m, x, p), settled::<O, E>(e, m, y, q)];
    }
    if let Some(d) = unflushed::of_pair::<O, E>(e, m, [x, y]) {
        return d;
    }
    [vector_32::<O, E>(e, m, x), vector_32::<O, E>(e, m, y)]
}

/// The results of f32, with what is in doubt.
#[inline_in_release]
pub(super) fn doubtful_32<O: On32, E: Engine>(e: E, m: Modifiers, [a, b, c]: [V32<E>; 3]) -> Doubtful<E> {
    let ints = e.u32();
    let x =
        [flushed::<Binary32, _>(ints, m, a), flushed::<Binary32, _>(ints, m, b), flushed::<Binary32, _>(ints, m, c)];
    finished::<O, E>(e, m, O::f32::<E>(e, m, x))
}

/// Applies the modifiers to a result of [`On32::f32`].
#[inline_in_release]
pub(super) fn finished<O: On32, E: Engine>(e: E, m: Modifiers, (d, doubt): Doubtful<E>) -> Doubtful<E> {
    let (f, ints) = (e.f32(), e.u32());
    let end = modifiers::end(m);
    if !m.ftz() {
        let d = if O::NAN_IN_DOUBT && end == End::Plain { d } else { f.finish(end, Binary32::NAN, d) };
        return (d, doubt);
    }
    let finished = f.finish(end, Binary32::NAN, flushed::<Binary32, _>(ints, m, d));
    if !O::ROUNDS_TO_NORMAL {
        return (finished, doubt);
    }
    // The rounded value does not show if the exact one was tiny.
    let magnitude = ints.and(d, ints.splat(!(1 << 31)));
    let least = ints.eq(magnitude, ints.splat(1 << 23));
    let doubt = if let Some(doubt) = doubt { ints.mask_or(doubt, least) } else { least };
    (finished, Some(doubt))
}

/// Returns the results, with doubtful ones computed one by one.
#[inline_in_release]
pub(super) fn settled<O: On32, E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 3], (d, doubt): Doubtful<E>) -> V32<E> {
    let Some(doubt) = doubt else { return d };
    let ints = e.u32();
    if !ints.any(doubt) {
        return d;
    }
    let (all, none) = (ints.splat(!0), ints.splat(0));
    let (mut doubt, mut d) = (ints.select(doubt, all, none), d);
    if let Some((known, special)) = O::special(e, flushed::<Binary32, _>(ints, m, x[0]), d) {
        d = known;
        doubt = ints.select(special, none, doubt);
        if !ints.any(ints.eq(doubt, all)) {
            return d;
        }
    }
    let mut lanes = [[0; MOST]; 5];
    for (lanes, x) in lanes.iter_mut().zip([x[0], x[1], x[2], doubt, d]) {
        ints.write(lanes, x);
    }
    settle::<O>(m, &mut lanes);
    ints.read(&lanes[4])
}

/// The most 32-bit lanes of a vector.
const MOST: usize = 16;

/// Replaces the doubtful results by the meaning's. The arrays are three operands, doubts and
/// results.
#[cold]
#[inline(never)]
fn settle<O: Operation>(m: Modifiers, [a, b, c, doubt, d]: &mut [[u32; MOST]; 5]) {
    for i in 0..MOST {
        if doubt[i] != 0 {
            d[i] = O::scalar::<Binary32>(m, [a[i], b[i], c[i]]);
        }
    }
}
