//! Work on all cores.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Calls `run` with each number below `count`, on several cores.
// Compiled once, and all that spreads work over cores with it. Rayon is generic over what it calls: a program of many kernels was half of
// it, and so was one of many functions of slices.
pub(crate) fn each(count: usize, run: &(dyn Fn(usize) + Send + Sync)) {
    (0..count).into_par_iter().for_each(run);
}
