//! The walk over memory: one loop for every computation, of vectors or lane by lane.
//!
//! ```text
//! run(level, job):
//!     f64, or no vectors:          one lane after another                     (one_by_one)
//!     the portable level:          blocks of 32 lanes, without branches       (blocks)
//!     otherwise, for each engine:                                             (vectors)
//!         if results go past the caches:  a part of a step, up to an aligned address
//!         whole steps
//!         what is left, in a part of a step
//! ```
//!
//! A computation says what a step is: [`apply`] an operation of the table, to one vector, or to
//! pairs if the work is small, or to up to 256 in stages; [`convert`](super::convert) four vectors
//! of 32-bit lanes from one format to another. All of it is generic, so that a build pays for the
//! forms that it calls. A pair is two lanes, and a slice of pairs the same loop over twice the
//! lanes.
// Invariant: a level is passed only if the CPU has it; a job over arrays has no more lanes than they.

mod apply;
mod bf16;
mod job;
mod list;
mod staged;
mod way;

pub(crate) use apply::Apply;
pub(crate) use job::{BLOCK, Job, Operand};
pub(crate) use way::{Anywhere, Lanewise, Way};

use list::List;

use super::engine::{Lists, Stream, V32, Vectors};
use super::levels::Task;
use super::portable::HAS_FLOATS;
use crate::int::Int;
use crate::level::Level;

/// A computation of results from up to three operands, lane by lane.
pub(crate) trait Compute: Copy + Sync {
    const OPERANDS: usize;
    /// A lane of an operand.
    type From: Int;
    /// A result.
    type To: Int;
    /// The [`Route`] that runs the computation.
    type Route;
    /// The meaning. Operands beyond [`OPERANDS`](Self::OPERANDS) are ignored.
    fn scalar(self, x: [Self::From; 3]) -> Self::To;
    /// Returns `true` if vectors would compute other bits.
    fn is_scalar(self) -> bool {
        false
    }
}

/// A computation with a loop for each level.
pub(crate) trait Run: Compute<Route: Route<Self>> {
    /// Runs a job at a level.
    ///
    /// # Safety
    /// This CPU has `level`.
    #[inline]
    unsafe fn run(self, level: Level, job: Job<'_, Self::From, Self::To>) {
        // SAFETY: the caller's.
        unsafe { Self::Route::run(self, level, job) }
    }
}
impl<C: Compute<Route: Route<C>>> Run for C {}

/// A way to run a computation: with vectors or without.
pub(crate) trait Route<C: Compute> {
    /// # Safety
    /// This CPU has `level`.
    unsafe fn run(compute: C, level: Level, job: Job<'_, C::From, C::To>);
}

/// A computation that has vectors.
#[inline_in_release]
pub(crate) trait Steps: Compute {
    /// `true` if it is faster with the CPU's arithmetic on f16.
    const IN_F16: bool = false;
    /// `true` if looking results up is faster than computing them with AVX2.
    const LISTED: bool = false;
    /// `true` if [`lane`](Self::lane) may leave a result in doubt.
    const DOUBTS: bool = false;
    /// The results of a step.
    fn step<E: Vectors>(e: E) -> usize;
    /// The results from the `done`-th on, of one step or more, but at most `n`; returns how many
    /// steps those were.
    fn steps<E: Vectors>(
        self,
        e: E,
        job: &mut Job<'_, Self::From, Self::To>,
        done: usize,
        n: usize,
        stream: Option<E::Stream>,
    ) -> usize;
    /// `n` results from the `done`-th on, fewer than a step has.
    fn part<E: Vectors>(self, e: E, job: &mut Job<'_, Self::From, Self::To>, done: usize, n: usize);
    /// The result of a lane at the portable level, and whether it is in doubt.
    fn lane(self, x: [Self::From; 3]) -> (Self::To, bool);
}

/// Implements [`Route`] for ways that have vectors, and for those without.
macro_rules! routes {
    (vectors: $($vectors:ty),*; scalar: $($scalar:ty),*) => {
        $(impl<C: $crate::backend::lanes::walk::Steps> $crate::backend::lanes::walk::Route<C> for $vectors {
            #[inline]
            unsafe fn run(compute: C, level: Level, job: Job<'_, C::From, C::To>) {
                if compute.is_scalar() {
                    return $crate::backend::lanes::walk::one_by_one(compute, job);
                }
                // SAFETY: the caller's.
                unsafe { $crate::backend::lanes::levels::run(level, $crate::backend::lanes::walk::Loop { compute, job }) }
            }
        })*
        $(impl<C: $crate::backend::lanes::walk::Compute> $crate::backend::lanes::walk::Route<C> for $scalar {
            #[inline]
            unsafe fn run(compute: C, _: Level, job: Job<'_, C::From, C::To>) {
                $crate::backend::lanes::walk::one_by_one(compute, job);
            }
        })*
    };
}
pub(super) use routes;

/// A job with its computation.
pub(super) struct Loop<'a, C: Compute> {
    pub(super) compute: C,
    pub(super) job: Job<'a, C::From, C::To>,
}

#[inline_in_release]
impl<C: Steps> Task for Loop<'_, C> {
    type Output = ();
    const IN_F16: bool = C::IN_F16;
    const IN_SIMD128: bool = true;

    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        let is_listed = match E::LISTS {
            Lists::None => false,
            Lists::OfSome => C::LISTED,
            Lists::OfAllBytes => true,
        };
        if is_listed && list::has_list::<C>(&self.job) {
            let mut list = List::<C>::new();
            vectors(self.compute, e, list.job());
            list.look_up(self.job);
        } else {
            vectors(self.compute, e, self.job);
        }
    }

    #[inline]
    fn portable(self) {
        if !HAS_FLOATS {
            one_by_one(self.compute, self.job);
        } else if list::has_list::<C>(&self.job) {
            let mut list = List::<C>::new();
            blocks(self.compute, list.job());
            list.look_up(self.job);
        } else {
            blocks(self.compute, self.job);
        }
    }
}

/// One result after another.
#[inline_in_release]
pub(super) fn one_by_one<C: Compute>(compute: C, mut job: Job<'_, C::From, C::To>) {
    if list::has_list::<C>(&job) {
        let mut list = List::<C>::new();
        list.fill(compute);
        return list.look_up(job);
    }
    for i in 0..job.lanes() {
        let mut x = [C::From::ZERO; 3];
        for (k, x) in x.iter_mut().enumerate().take(C::OPERANDS) {
            *x = job.lane(k, i);
        }
        job.set(i, compute.scalar(x));
    }
}

/// Whole steps, and the rest as a part of one.
#[inline_in_release]
fn vectors<C: Steps, E: Vectors>(compute: C, e: E, mut job: Job<'_, C::From, C::To>) {
    let step = C::step(e);
    // Streaming needs whole vectors at aligned addresses.
    let (stream, mut part) = job.streamed(e, size_of::<V32<E>>());
    let mut done = 0;
    loop {
        if part > 0 {
            compute.part(e, &mut job, done, part);
            done += part;
        }
        while job.lanes() - done >= step {
            let n = (job.lanes() - done) / step;
            done += step * compute.steps(e, &mut job, done, n, stream);
        }
        part = job.lanes() - done;
        if part == 0 {
            break;
        }
    }
    if let Some(stream) = stream {
        Stream::<u16, _>::fence(stream);
    }
}

/// Block by block, each in a loop that has no branch and no overlap, and so becomes one of vectors.
#[inline_in_release]
fn blocks<C: Steps>(compute: C, mut job: Job<'_, C::From, C::To>) {
    const LANES: usize = BLOCK / 4;
    let (mut results, mut doubts) = ([C::To::ZERO; LANES], [0_u32; LANES]);
    let mut done = 0;
    while done < job.lanes() {
        let n = LANES.min(job.lanes() - done);
        let a = job.slice(0, done, n);
        let b = if C::OPERANDS > 1 { job.slice(1, done, n) } else { a };
        let c = if C::OPERANDS > 2 { job.slice(2, done, n) } else { b };
        for i in 0..n {
            let (d, doubt) = compute.lane([a[i], b[i], c[i]]);
            results[i] = d;
            if C::DOUBTS {
                doubts[i] = doubt.into();
            }
        }
        if C::DOUBTS && doubts.iter().take(n).fold(0, |any, doubt| any | doubt) != 0 {
            settle(compute, [a, b, c], &doubts[..n], &mut results);
        }
        job.write(done, &results[..n]);
        done += n;
    }
}

/// The results of one block that are in doubt.
#[cold]
#[inline(never)]
fn settle<C: Compute>(compute: C, x: [&[C::From]; 3], doubts: &[u32], results: &mut [C::To]) {
    for i in (0..doubts.len()).filter(|&i| doubts[i] != 0) {
        results[i] = compute.scalar(x.map(|x| x[i]));
    }
}
