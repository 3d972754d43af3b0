//! Work on all cores.
//!
//! Rayon's iterators are generic over what they call, so that each function that uses them is compiled with a copy of what spreads work over
//! threads. Of a program of many kernels, or of many functions of slices, that was half. What is called here has no type of its own, so
//! that there is one copy.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Calls `run` with each number below `count`, on several cores.
pub(crate) fn each(count: usize, run: &(dyn Fn(usize) + Send + Sync)) {
    (0..count).into_par_iter().for_each(run);
}

/// Calls `run` with parts of `x`, of `many` elements each but for the last one, and with the index at which each begins, on several cores.
///
/// There is a copy of it for each type of elements.
pub(crate) fn chunks<T: Send>(x: &mut [T], many: usize, run: &(dyn Fn(usize, &mut [T]) + Send + Sync)) {
    x.par_chunks_mut(many).enumerate().for_each(|(i, part)| run(i * many, part));
}
