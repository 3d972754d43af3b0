//! Functions of 16-bit values over some vectors, in two stages as those of f32 in
//! [`staged`](super::staged).
// Invariant: scratch is read where it was written.

use core::mem::MaybeUninit;

use super::Job;
use crate::backend::lanes::elementary::eighths::{self, Function as _, Reduced};
use crate::backend::lanes::engine::{Ints as _, Memory, Vectors};
use crate::backend::lanes::format::Format16;
use crate::backend::lanes::op::OfHalf;
use crate::modifiers::Modifiers;

/// Vectors that pass the first stage before the second begins.
const VECTORS: usize = 16;

/// Computes the function from the `done`-th lane on, for `n` vectors or a full set. Returns the
/// number of vectors.
#[inline_in_release]
pub(super) fn steps<O: OfHalf, F: Format16, E: Vectors>(
    e: E,
    of: E::Eighths,
    m: Modifiers,
    job: &mut Job<'_, u16>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> usize {
    let lanes = e.u16();
    let step = <E::U16 as Memory<u16>>::N;
    let mut between = [const { MaybeUninit::<[Reduced<E>; 2]>::uninit() }; VECTORS];
    let between = &mut between[..n.min(VECTORS)];
    let (magnitude, infinity) = (lanes.splat(!F::sign_mask()), lanes.splat(F::infinity()));
    let mut most = lanes.splat(0);
    for (k, between) in between.iter_mut().enumerate() {
        let at = done + k * step;
        let [a, b] = job.load_wide::<F, E>(e, 0, at);
        between.write([O::InEighths::reduced::<F, E>(e, a), O::InEighths::reduced::<F, E>(e, b)]);
        most = lanes.max(most, lanes.and(job.load(lanes, 0, at), magnitude));
    }
    // Two loops, each without a branch.
    if lanes.any(lanes.gt(most, infinity)) {
        second::<O, F, E, true>(e, of, m, job, done, between, stream);
    } else {
        second::<O, F, E, false>(e, of, m, job, done, between, stream);
    }
    between.len()
}

/// The second stage, for operands with or without NaNs.
#[inline_in_release]
fn second<O: OfHalf, F: Format16, E: Vectors, const NAN: bool>(
    e: E,
    of: E::Eighths,
    m: Modifiers,
    job: &mut Job<'_, u16>,
    done: usize,
    between: &[MaybeUninit<[Reduced<E>; 2]>],
    stream: Option<E::Stream>,
) {
    let lanes = e.u16();
    let step = <E::U16 as Memory<u16>>::N;
    for (k, between) in between.iter().enumerate() {
        // SAFETY: the first stage wrote it.
        let [a, b] = unsafe { between.assume_init() };
        let wide = [O::InEighths::value::<F, E>(e, of, a), O::InEighths::value::<F, E>(e, of, b)];
        let mut d = eighths::narrowed::<F, E>(e, of, m, wide);
        if NAN {
            // No result has been stored over it.
            let x = job.load(lanes, 0, done + k * step);
            let is_nan = lanes.gt(lanes.and(x, lanes.splat(!F::sign_mask())), lanes.splat(F::infinity()));
            d = lanes.select(is_nan, lanes.splat(F::CANONICAL_NAN), d);
        }
        job.put(lanes, done + k * step, stream, d);
    }
}
