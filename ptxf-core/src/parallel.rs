//! Work on all cores.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Calls `run` with each number below `count`, on several cores.
// Compiled once, and all that spreads work over cores with it. Rayon is generic over what it calls: a program of many kernels was half of
// it, and so was one of many functions of slices.
pub(crate) fn each(count: usize, run: &(dyn Fn(usize) + Send + Sync)) {
    (0..count).into_par_iter().for_each(run);
}

/// Calls `run` with parts of `x` and the index at which each begins, on several cores. All but the last one have `many` elements.
// Compiled once for a type of elements.
pub(crate) fn chunks<T: Send>(x: &mut [T], many: usize, run: &(dyn Fn(usize, &mut [T]) + Send + Sync)) {
    x.par_chunks_mut(many).enumerate().for_each(|(i, part)| run(i * many, part));
}
