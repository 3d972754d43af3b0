//! Functions of f32 over some vectors, stage by stage.
//!
//! A function in binary64 is one chain of operations, each waiting for the one before. A CPU looks ahead as far as its
//! schedulers hold operations that wait, which is about two such chains: too few to keep its units busy. Of the shorter
//! chains of a stage it holds more. What a stage hands on to the next passes through the first cache, whose ports are idle.
//!
//! A function that has a way through binary32 lanes takes that first.
// Invariant: vectors are in bounds from the lane that a call names, and scratch is read where it was written.

use core::mem::MaybeUninit;

use super::elementary::single::Function;
use super::kernel::{self, Job};
use super::op::{self, Operation};
use super::{D, Engine, Lanes, W};
use crate::format::Binary32;
use crate::modifiers::Modifiers;

/// How many vectors of 256 bits pass a stage before the next one begins; longer ones are half as many.
const VECTORS: usize = 64;

/// The function's results from the `done`-th lane on, of `n` vectors or a full set; returns of how many.
///
/// # Safety
/// As [`Operation::some`].
#[inline(always)]
pub(super) unsafe fn some<F: Function, O: Operation, E: Engine>(
    e: E,
    m: Modifiers,
    job: &Job<u32>,
    done: usize,
    n: usize,
    stream: bool,
) -> usize {
    // SAFETY: the caller's.
    let x = unsafe { operand(e, job, done) };
    if let Some((d, doubt)) = F::quick(e, op::flushed::<Binary32, E>(e, m, x)) {
        let d = if Lanes::<u32>::any(e, doubt) { kernel::single::<O, E>(e, m, [x; 3]) } else { d };
        // SAFETY: the caller's.
        unsafe { kernel::put(e, job.out.wrapping_add(done), d, stream) };
        return 1;
    }
    let step = <E as Lanes<u32>>::N;
    let n = n.min(VECTORS * 8 / step.max(8));
    let mut between = [const { MaybeUninit::<(D<E>, F::Kept<E>)>::uninit() }; VECTORS];
    let between = &mut between[..n];
    for (k, between) in between.iter_mut().enumerate() {
        // SAFETY: the caller's.
        let x = unsafe { operand(e, job, done + k * step) };
        between.write(F::reduced(e, op::flushed::<Binary32, E>(e, m, x)));
    }
    for between in &mut *between {
        // SAFETY: written above.
        let reduced = unsafe { between.assume_init() };
        between.write((F::value(e, reduced), reduced.1));
    }
    for (k, between) in between.iter().enumerate() {
        // SAFETY: the caller's; no result has been stored over it.
        let x = unsafe { operand(e, job, done + k * step) };
        // SAFETY: written above.
        let (value, kept) = unsafe { between.assume_init() };
        let d = F::rounded(e, op::flushed::<Binary32, E>(e, m, x), value, kept);
        let d = kernel::settled::<O, E>(e, m, [x; 3], kernel::finished::<O, E>(e, m, d));
        // SAFETY: the caller's.
        unsafe { kernel::put(e, job.out.wrapping_add(done + k * step), d, stream) };
    }
    n
}

/// # Safety
/// A vector of the operand is in bounds from the `i`-th lane on.
#[inline(always)]
unsafe fn operand<E: Engine>(e: E, job: &Job<u32>, i: usize) -> W<E> {
    let [x, ..] = job.sources(i);
    // SAFETY: the caller's.
    unsafe { Lanes::<u32>::load(e, x) }
}
