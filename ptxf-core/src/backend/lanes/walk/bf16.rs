//! Functions of bf16 values over some vectors.
//!
//! NaNs are searched for once for all of these vectors. No result of a function is a midpoint of
//! two bf16 numbers. So half a unit is added to all results, and the rest is cut off. Vector by
//! vector, rounded to even, `2^x` takes twice as long at AVX2.

use super::Job;
use crate::backend::lanes::engine::{Ints as _, Memory, Vectors, Words as _};
use crate::backend::lanes::format::Format16;
use crate::backend::lanes::op::On16;
use crate::modifiers::Modifiers;

/// Vectors that are searched for NaNs together.
const VECTORS: usize = 16;

/// Computes the function in `F`, which is bf16, from the `done`-th lane on, for `n` vectors or a
/// full set. Returns the number of vectors.
#[inline_in_release]
pub(super) fn steps<F: Format16, O: On16, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u16>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> usize {
    let lanes = e.u16();
    let n = n.min(VECTORS);
    let mut most = lanes.splat(0);
    for k in 0..n {
        let x = job.load(lanes, 0, done + k * <E::U16 as Memory<u16>>::N);
        most = lanes.max(most, lanes.and(x, lanes.splat(!F::sign_mask())));
    }
    // Two loops, each without a branch.
    if lanes.any(lanes.gt(most, lanes.splat(F::infinity()))) {
        results::<F, O, E, true>(e, m, job, done, n, stream);
    } else {
        results::<F, O, E, false>(e, m, job, done, n, stream);
    }
    n
}

/// The results of operands with or without NaNs.
#[inline_in_release]
fn results<F: Format16, O: On16, E: Vectors, const NAN: bool>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u16>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) {
    let lanes = e.u16();
    let half = e.u32().splat(1 << 15);
    for k in 0..n {
        let at = done + k * <E::U16 as Memory<u16>>::N;
        let x = job.load(lanes, 0, at);
        let [a, b] = F::widen(e, x);
        let (a, b) = (O::wide::<F, E>(e, [a; 3]), O::wide::<F, E>(e, [b; 3]));
        let mut d = e.upper_halves([e.u32().add(a, half), e.u32().add(b, half)]);
        if m.ftz() {
            // Only powers are flushed, and they have no sign.
            let normal = lanes.gt(d, lanes.splat((1 << (F::PRECISION - 1)) - 1));
            d = lanes.select(normal, d, lanes.splat(0));
        }
        if NAN {
            let is_nan = lanes.gt(lanes.and(x, lanes.splat(!F::sign_mask())), lanes.splat(F::infinity()));
            d = lanes.select(is_nan, lanes.splat(F::CANONICAL_NAN), d);
        }
        job.put(lanes, at, stream, d);
    }
}
