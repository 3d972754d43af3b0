//! Work on all cores.
//!
//! Rayon's iterators are generic over the called function, so each function that uses them is
//! compiled with a copy of the distribution code. In a program of many kernels, or of many slice
//! functions, these copies were half of the code. The functions here take `dyn` functions, so there
//! is one copy.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Calls `run` with each number below `count`, on several cores.
pub(crate) fn each(count: usize, run: &(dyn Fn(usize) + Send + Sync)) {
    (0..count).into_par_iter().for_each(run);
}

/// Calls `run` with parts of `x` on several cores. Each part has `many` elements, and the last one
/// may have fewer. `run` also gets the index of the part's first element.
///
/// There is one copy of this function for each element type.
pub(crate) fn chunks<T: Send>(x: &mut [T], many: usize, run: &(dyn Fn(usize, &mut [T]) + Send + Sync)) {
    x.par_chunks_mut(many).enumerate().for_each(|(i, part)| run(i * many, part));
}
