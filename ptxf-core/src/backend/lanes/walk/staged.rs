//! Functions of f32 over some vectors, stage by stage.
//!
//! A function in binary64 is one chain of dependent operations. A CPU's schedulers hold about two
//! such chains, too few to keep its units busy. They hold more of the shorter chains of a stage.
//! The values between stages pass through the first cache, whose ports are idle.
//!
//! As one chain the functions lost a quarter to a third of AVX2's speed. On a core that executes
//! AVX-512 in two halves stages gain little, and `tanh` loses a tenth. Interleaving two iterations
//! gained a tenth.
//!
//! Some functions are first computed in binary32 lanes in two stages, if the CPU can. A few lanes
//! in a thousand are in doubt, in up to one of 16 vectors. They are put off until they fill a
//! vector, and are then computed in binary64. That code is separate from the loop, whose registers
//! hold the function's lists.
// Invariant: scratch is read where it was written.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::{Job, Lanewise as _};
use crate::backend::lanes::elementary::bits32::Function;
use crate::backend::lanes::elementary::magnitude;
use crate::backend::lanes::engine::{Floats as _, Ints as _, M32, Memory, V32, V64, Vectors, Work};
use crate::backend::lanes::finish;
use crate::backend::lanes::modifiers::flushed;
use crate::backend::lanes::op::OfFunction;
use crate::format::Binary32;
use crate::modifiers::Modifiers;

/// Vectors that pass the first stage through binary32 lanes before the second begins.
const QUICK: usize = 16;
/// Vectors that go through binary32 lanes before the remaining lanes that were put off are
/// computed.
const MOST_QUICK: usize = 256;
/// Vectors of 256 bits that pass a stage before the next begins; half as many of longer vectors.
const VECTORS: usize = 64;

/// Computes the function from the `done`-th lane on, for `n` vectors or a full set. Returns the
/// number of vectors.
#[inline_in_release]
pub(super) fn steps<O: OfFunction, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u32>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> usize {
    match quick::<O, E>(e, m, job, done, n.min(MOST_QUICK), stream) {
        Some(0) => e.cold_path(Whole::<O, E> { m, job, done, n, stream, of: PhantomData }),
        Some(n) => n,
        None => Whole::<O, E> { m, job, done, n, stream, of: PhantomData }.run(e),
    }
}

/// The same in binary64.
struct Whole<'a, 'b, O, E: Vectors> {
    m: Modifiers,
    job: &'a mut Job<'b, u32>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
    of: PhantomData<O>,
}

#[inline_in_release]
impl<O: OfFunction, E: Vectors> Work<E> for Whole<'_, '_, O, E> {
    type Output = usize;
    fn run(self, e: E) -> usize {
        let Self { m, job, done, n, stream, .. } = self;
        let lanes = e.u32();
        let step = <E::U32 as Memory<u32>>::N;
        let n = n.min(VECTORS * 8 / step.max(8));
        let mut between = [const { MaybeUninit::<Between<O, E>>::uninit() }; VECTORS];
        let between = &mut between[..n];
        for (k, between) in between.iter_mut().enumerate() {
            let x = job.load(lanes, 0, done + k * step);
            between.write(O::Function::reduced(e, flushed::<Binary32, _>(lanes, m, x)));
        }
        for between in &mut *between {
            // SAFETY: written above.
            let reduced = unsafe { between.assume_init() };
            between.write((O::Function::value(e, reduced), reduced.1));
        }
        for (k, between) in between.iter().enumerate() {
            // No result has been stored over it.
            let x = job.load(lanes, 0, done + k * step);
            // SAFETY: written above.
            let (value, kept) = unsafe { between.assume_init() };
            let (d, doubt) = O::Function::rounded(e, flushed::<Binary32, _>(lanes, m, x), value, kept);
            let d = finish::settled::<O, E>(e, m, [x; 3], finish::finished::<O, E>(e, m, (d, Some(doubt))));
            job.put(lanes, done + k * step, stream, d);
        }
        n
    }
}

/// The same in binary32 lanes, if the function has such code.
#[inline_in_release]
fn quick<O: OfFunction, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u32>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> Option<usize> {
    let lanes = e.u32();
    let step = <E::U32 as Memory<u32>>::N;
    let mut between = [const { MaybeUninit::<<O::Function as Function>::Quick<E>>::uninit() }; QUICK];
    let mut late = Late { n: 0, lanes: [0; 2 * MOST], operands: [0; 2 * MOST] };
    let mut first = 0;
    while first < n {
        let n = QUICK.min(n - first);
        let done = done + first * step;
        let mut most = lanes.splat(0);
        for (k, between) in between.iter_mut().enumerate().take(n) {
            let x = flushed::<Binary32, _>(lanes, m, job.load(lanes, 0, done + k * step));
            between.write(O::Function::quick_reduced(e, x)?);
            if O::Function::QUICK_MOST.is_some() {
                // For a NaN `max` returns its second operand, so that the largest magnitude so far
                // stays.
                most = e.f32().max(magnitude(e, x), most);
            }
        }
        if is_beyond::<O, E>(e, most) {
            break;
        }
        for (k, between) in between.iter().enumerate().take(n) {
            // No result has been stored over it.
            let x = job.load(lanes, 0, done + k * step);
            // SAFETY: written above.
            let reduced = unsafe { between.assume_init() };
            let x = flushed::<Binary32, _>(lanes, m, x);
            debug_assert!(!is_beyond::<O, E>(e, magnitude(e, x)), "a number goes the quick way that is not for it");
            let (mut d, mut doubt) = O::Function::quick(e, x, reduced)?;
            let at = done + k * step;
            if lanes.any(doubt)
                && let Some((known, special)) = O::Function::special(e, x, d)
            {
                let (all, none) = (lanes.splat(!0), lanes.splat(0));
                let left = lanes.select(special, none, lanes.select(doubt, all, none));
                (d, doubt) = (known, lanes.eq(left, all));
            }
            if lanes.any(doubt) {
                e.cold_path(PutOff::<O, E> { late: &mut late, m, job, at, stream, d, doubt, of: PhantomData });
            } else {
                job.put(lanes, at, stream, d);
            }
        }
        first += n;
    }
    if late.n > 0 {
        e.cold_path(Settle::<O> { late: &mut late, m, job, of: PhantomData });
    }
    Some(first)
}

/// Returns `true` if a magnitude is too large for binary32 lanes.
#[inline_in_release]
fn is_beyond<O: OfFunction, E: Vectors>(e: E, magnitudes: V32<E>) -> bool {
    match O::Function::QUICK_MOST {
        Some(limit) => e.u32().any(e.f32().lt(e.f32().splat(limit), magnitudes)),
        None => false,
    }
}

/// Lanes in doubt, whose results are computed later, a vector of them at a time.
struct Late {
    n: usize,
    /// Indices of the lanes in the job.
    lanes: [usize; 2 * MOST],
    operands: [u32; 2 * MOST],
}

/// The most 32-bit lanes of a vector.
const MOST: usize = 16;
/// The most lanes of a vector that are put off. A vector with more is computed at once.
const FEW: u32 = 4;

/// Stores the results `d` of a vector at `at`, some of which are in doubt. If that is faster,
/// doubtful results are computed at once; otherwise they are put off.
struct PutOff<'a, 'b, O, E: Vectors> {
    late: &'a mut Late,
    m: Modifiers,
    job: &'a mut Job<'b, u32>,
    at: usize,
    stream: Option<E::Stream>,
    d: V32<E>,
    doubt: M32<E>,
    of: PhantomData<O>,
}

#[inline_in_release]
impl<O: OfFunction, E: Vectors> Work<E> for PutOff<'_, '_, O, E> {
    type Output = ();
    fn run(self, e: E) {
        let Self { late, m, job, at, stream, d, doubt, .. } = self;
        let lanes = e.u32();
        let none = lanes.gt(lanes.splat(0), lanes.splat(0));
        let mut bits = e.mask_to_bits(e.narrow_mask([doubt, none])) & ((1 << <E::U32 as Memory<u32>>::N) - 1);
        // Results that were stored past the caches are not written again.
        if stream.is_some() || bits.count_ones() > FEW {
            let x = job.load(lanes, 0, at);
            return job.put(lanes, at, stream, O::vector(e, m, [x; 3]));
        }
        if late.n >= MOST {
            e.cold_path(Settle::<O> { late, m, job, of: PhantomData });
        }
        while bits != 0 {
            let lane = at + bits.trailing_zeros() as usize;
            late.lanes[late.n] = lane;
            late.operands[late.n] = job.lane(0, lane);
            late.n += 1;
            bits &= bits - 1;
        }
        job.put(lanes, at, stream, d);
    }
}

/// Computes all that has been put off.
struct Settle<'a, 'b, O> {
    late: &'a mut Late,
    m: Modifiers,
    job: &'a mut Job<'b, u32>,
    of: PhantomData<O>,
}

#[inline_in_release]
impl<O: OfFunction, E: Vectors> Work<E> for Settle<'_, '_, O> {
    type Output = ();
    fn run(self, e: E) {
        let Self { late, m, job, .. } = self;
        let step = <E::U32 as Memory<u32>>::N;
        let mut first = 0;
        while first < late.n {
            // One has no special result.
            let mut operands = [1.0_f32.to_bits(); MOST];
            let n = step.min(late.n - first);
            operands[..n].copy_from_slice(&late.operands[first..][..n]);
            let x = e.u32().read(&operands);
            let mut results = [0; MOST];
            e.u32().write(&mut results, O::vector(e, m, [x; 3]));
            for (lane, d) in late.lanes[first..][..n].iter().zip(results) {
                job.set(*lane, d);
            }
            first += n;
        }
        late.n = 0;
    }
}

/// The values between two stages.
type Between<O, E> = (V64<E>, <<O as OfFunction>::Function as Function>::Kept<E>);
