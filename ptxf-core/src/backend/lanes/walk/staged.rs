//! Functions of f32 over some vectors, stage by stage.
//!
//! A function in binary64 is one chain of operations, each waiting for the one before. A CPU looks ahead as far as its
//! schedulers hold operations that wait, which is about two such chains: too few to keep its units busy. Of the shorter
//! chains of a stage it holds more. What a stage hands on to the next passes through the first cache, whose ports are idle.
//!
//! As one chain the functions lost a quarter to a third of AVX2's speed. AVX-512 on a core that executes it in halves gains
//! little, and `tanh` loses a tenth there. To interleave an iteration with the next one gained a tenth.
//!
//! A function that has a way through binary32 lanes takes that first, where the CPU has it, in two stages; 1 to 2 % of the vectors go
//! on to binary64.
// Invariant: scratch is read where it was written.

use core::mem::MaybeUninit;

use super::Job;
use crate::backend::lanes::elementary::bits32::Function;
use crate::backend::lanes::engine::{Ints as _, M32, Memory, V32, V64, Vectors};
use crate::backend::lanes::finish::{self, Lanewise};
use crate::backend::lanes::modifiers::flushed;
use crate::backend::lanes::op::OfFunction;
use crate::format::Binary32;
use crate::modifiers::Modifiers;

/// How many vectors pass the first stage through binary32 lanes before the second begins.
const QUICK: usize = 16;
/// How many vectors of 256 bits pass a stage before the next one begins; longer ones are half as many.
const VECTORS: usize = 64;

/// The function's results from the `done`-th lane on, of `n` vectors or a full set; returns of how many.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn steps<O: OfFunction, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u32>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> usize {
    let lanes = e.u32();
    let step = <E::U32 as Memory<u32>>::N;
    let n = n.min(VECTORS * 8 / step.max(8));
    if let Some(n) = quick::<O, E>(e, m, job, done, n.min(QUICK), stream) {
        return n;
    }
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

/// The same through binary32 lanes, if there is such a way.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    let between = &mut between[..n];
    for (k, between) in between.iter_mut().enumerate() {
        let x = job.load(lanes, 0, done + k * step);
        between.write(O::Function::quick_reduced(e, flushed::<Binary32, _>(lanes, m, x))?);
    }
    for (k, between) in between.iter().enumerate() {
        // No result has been stored over it.
        let x = job.load(lanes, 0, done + k * step);
        // SAFETY: written above.
        let (d, doubt) = O::Function::quick(e, unsafe { between.assume_init() })?;
        let d = if lanes.any(doubt) { again::<O, E>(e, m, x, d, doubt) } else { d };
        job.put(lanes, done + k * step, stream, d);
    }
    Some(n)
}

/// The results of a vector, of which some are in doubt: those of special operands as they are, else by way of binary64.
#[cfg_attr(not(debug_assertions), inline(always))]
fn again<O: OfFunction, E: Vectors>(e: E, m: Modifiers, x: V32<E>, d: V32<E>, doubt: M32<E>) -> V32<E> {
    let lanes = e.u32();
    if let Some((d, special)) = O::Function::special(e, flushed::<Binary32, _>(lanes, m, x), d) {
        let (all, none) = (lanes.splat(!0), lanes.splat(0));
        let left = lanes.select(special, none, lanes.select(doubt, all, none));
        if !lanes.any(lanes.eq(left, all)) {
            return d;
        }
    }
    O::vector(e, m, [x; 3])
}

/// What a stage hands on.
type Between<O, E> = (V64<E>, <<O as OfFunction>::Function as Function>::Kept<E>);
