//! Functions of f32 over some vectors, stage by stage.
//!
//! A function in binary64 is one chain of operations, each waiting for the one before. A CPU looks ahead as far as its
//! schedulers hold operations that wait, which is about two such chains: too few to keep its units busy. Of the shorter
//! chains of a stage it holds more. What a stage hands on to the next passes through the first cache, whose ports are idle.
//!
//! As one chain the functions lost a quarter to a third of AVX2's speed. AVX-512 on a core that executes it in halves gains
//! little, and `tanh` loses a tenth there. To interleave an iteration with the next one gained a tenth.
//!
//! A function that has a way through binary32 lanes takes that first, where the CPU has it; 1 to 2 % of the vectors go on to
//! binary64.
// Invariant: scratch is read where it was written.

use core::mem::MaybeUninit;

use super::Job;
use crate::backend::lanes::elementary::bits32::Function;
use crate::backend::lanes::engine::{Ints as _, Memory, V64, Vectors};
use crate::backend::lanes::finish::{self, Lanewise};
use crate::backend::lanes::modifiers::flushed;
use crate::backend::lanes::op::OfFunction;
use crate::format::Binary32;
use crate::modifiers::Modifiers;

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
    let x = job.load(lanes, 0, done);
    if let Some((d, doubt)) = O::Function::quick(e, flushed::<Binary32, _>(lanes, m, x)) {
        let d = if lanes.any(doubt) { O::vector(e, m, [x; 3]) } else { d };
        job.put(lanes, done, stream, d);
        return 1;
    }
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

/// What a stage hands on.
type Between<O, E> = (V64<E>, <<O as OfFunction>::Function as Function>::Kept<E>);
