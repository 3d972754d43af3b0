//! Results of conversions on their way into memory.

use super::Four;
use super::target::Target;
use crate::backend::lanes::engine::{Ints as _, Memory, V32, Vectors, Words as _};
use crate::backend::lanes::walk::Job;
use crate::int::Int;
use crate::modifiers::Modifiers;

/// A width of results in memory.
pub(crate) trait Place: Int {
    /// Rounds lanes, and stores them from the `i`-th on.
    fn put<D: Target, A: Int, E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        x: Four<E>,
    );
}

/// A width of pairs in memory.
pub(crate) trait PairPlace: Int {
    /// Rounds the lanes of pairs, upper ones and lower ones, and stores them from the `i`-th pair on.
    fn put<D: Target, A: Int, E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        x: [Four<E>; 2],
    );
}

impl Place for u16 {
    #[inline(always)]
    fn put<D: Target, A: Int, E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        [a, b, c, d]: Four<E>,
    ) {
        let n = <E::U16 as Memory<Self>>::N;
        job.put(e.u16(), i, stream, D::round_to_halves(e, m, [a, b]));
        job.put(e.u16(), i + n, stream, D::round_to_halves(e, m, [c, d]));
    }
}

impl Place for u32 {
    #[inline(always)]
    fn put<D: Target, A: Int, E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        [a, b, c, d]: Four<E>,
    ) {
        let ([a, b], [c, d]) = (D::round_two(e, m, [a, b]), D::round_two(e, m, [c, d]));
        words(e, job, i, stream, [a, b, c, d]);
    }
}

impl PairPlace for u32 {
    #[inline(always)]
    fn put<D: Target, A: Int, E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        [[a, b, c, d], [p, q, r, s]]: [Four<E>; 2],
    ) {
        let [a, b] = pairs::<D, E>(e, m, [a, b], [p, q]);
        let [c, d] = pairs::<D, E>(e, m, [c, d], [r, s]);
        words(e, job, i, stream, [a, b, c, d]);
    }
}

/// Two halves in each lane.
#[inline(always)]
fn pairs<D: Target, E: Vectors>(e: E, m: Modifiers, high: [V32<E>; 2], low: [V32<E>; 2]) -> [V32<E>; 2] {
    let ([a, b], [p, q]) = (D::round_two(e, m, high), D::round_two(e, m, low));
    let e = e.u32();
    [e.or(e.shl(a, 16), p), e.or(e.shl(b, 16), q)]
}

#[inline(always)]
fn words<A: Int, E: Vectors>(
    e: E,
    job: &mut Job<'_, A, u32>,
    i: usize,
    stream: Option<E::Stream>,
    [a, b, c, d]: Four<E>,
) {
    let (e, n) = (e.u32(), <E::U32 as Memory<u32>>::N);
    job.put(e, i, stream, a);
    job.put(e, i + n, stream, b);
    job.put(e, i + 2 * n, stream, c);
    job.put(e, i + 3 * n, stream, d);
}
