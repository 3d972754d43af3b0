//! Results of conversions on their way into memory.

use super::Four;
use super::target::Target;
use crate::backend::lanes::engine::{Ints as _, Memory, Vectors, Words as _};
use crate::backend::lanes::walk::Job;
use crate::int::Int;
use crate::modifiers::Modifiers;

/// A width of results in memory.
#[inline_in_release]
pub(crate) trait Place: Int {
    /// Stores the lower ends of lanes from the `i`-th on.
    fn put_codes<A: Int, E: Vectors>(e: E, job: &mut Job<'_, A, Self>, i: usize, stream: Option<E::Stream>, x: Four<E>);
    /// Rounds lanes, and stores them from the `i`-th on.
    fn put<D: Target, A: Int, E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        [a, b, c, d]: Four<E>,
    ) {
        let ([a, b], [c, d]) = (D::round_two(e, m, [a, b]), D::round_two(e, m, [c, d]));
        Self::put_codes(e, job, i, stream, [a, b, c, d]);
    }
}

/// Rounds the lanes of pairs, upper ones and lower ones, and stores them from the `i`-th pair on.
#[inline_in_release]
pub(super) fn put_pairs<D: Target, A: Int, P: Place, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, A, P>,
    i: usize,
    stream: Option<E::Stream>,
    x: [Four<E>; 2],
) {
    P::put_codes(e, job, i, stream, pairs::<D, E>(e, m, P::BITS / 2, x));
}

#[inline_in_release]
impl Place for u16 {
    fn put_codes<A: Int, E: Vectors>(
        e: E,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        [a, b, c, d]: Four<E>,
    ) {
        job.put(e.u16(), i, stream, e.narrow_u32([a, b]));
        job.put(e.u16(), i + <E::U16 as Memory<Self>>::N, stream, e.narrow_u32([c, d]));
    }
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

#[inline_in_release]
impl Place for u8 {
    fn put_codes<A: Int, E: Vectors>(
        e: E,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        x: Four<E>,
    ) {
        job.put_bytes(e, i, stream, e.narrow_u8(x));
    }
}

#[inline_in_release]
impl Place for u32 {
    fn put_codes<A: Int, E: Vectors>(
        e: E,
        job: &mut Job<'_, A, Self>,
        i: usize,
        stream: Option<E::Stream>,
        [a, b, c, d]: Four<E>,
    ) {
        let (e, n) = (e.u32(), <E::U32 as Memory<Self>>::N);
        job.put(e, i, stream, a);
        job.put(e, i + n, stream, b);
        job.put(e, i + 2 * n, stream, c);
        job.put(e, i + 3 * n, stream, d);
    }
}

/// Both lanes in each, the upper one from so many bits on.
#[inline_in_release]
fn pairs<D: Target, E: Vectors>(e: E, m: Modifiers, bits: u32, [[a, b, c, d], [p, q, r, s]]: [Four<E>; 2]) -> Four<E> {
    let ([a, b], [c, d]) = (D::round_two(e, m, [a, b]), D::round_two(e, m, [c, d]));
    let ([p, q], [r, s]) = (D::round_two(e, m, [p, q]), D::round_two(e, m, [r, s]));
    let e = e.u32();
    [e.or(e.shl(a, bits), p), e.or(e.shl(b, bits), q), e.or(e.shl(c, bits), r), e.or(e.shl(d, bits), s)]
}
