//! Launches on the CPU of single threads and of pairs. `wide` has the launches of vectors, and
//! `block` those of blocks that share memory.

use core::ops::Range;

use super::ctx::{At, Body};
use super::grid::Grid;
use super::pairs::Two;
use super::plain::Thread;
use super::plan::{self, Plan};
use super::running::{Group, noted};

/// Runs one thread at a time, in scalar code.
#[inline]
pub fn launch_one<B: Body>(grid: impl Into<Grid>, body: B) {
    let grid = grid.into();
    grid.require_axes(B::NAME, B::AXES);
    let plan = Plan::new(grid, 1, 0);
    spread(grid, &plan, 1, &|groups| {
        noted(B::NAME, Some(1), &|i| plan.first(i), |running| (&body, &plan, running, groups).one())
    });
}

/// Checks, at the type of a parameter, that every thread may have a copy.
#[inline_in_release]
pub const fn passed<T: Copy + Send + Sync>() {}

/// Runs a kernel without `pair`, one thread at a time, with the arguments. Its body is generic over
/// the lifetime of a thread's run.
///
/// Threads that run at the same time differ in their indices along the first `axes` axes.
#[inline]
pub fn launch_each<A: Copy + Send + Sync>(
    grid: impl Into<Grid>,
    kernel: &str,
    axes: usize,
    arguments: A,
    run: impl for<'t> Fn(Thread<'t>, A) + Send + Sync,
) {
    let grid = grid.into();
    grid.require_axes(kernel, axes);
    each(grid, 1, kernel, arguments, run);
}

/// Runs a warp kernel, one warp at a time, with the arguments, as [`launch_each`] does.
#[inline]
pub fn launch_warps<A: Copy + Send + Sync>(
    grid: impl Into<Grid>,
    kernel: &str,
    arguments: A,
    run: impl for<'t> Fn(Thread<'t>, A) + Send + Sync,
) {
    each(grid.into(), 32, kernel, arguments, run);
}

/// Runs the threads of a grid, each of which computes as much as `lanes`.
#[inline]
fn each<A: Copy + Send + Sync>(
    grid: Grid,
    lanes: usize,
    kernel: &str,
    arguments: A,
    run: impl for<'t> Fn(Thread<'t>, A) + Send + Sync,
) {
    let plan = Plan::new(grid, 1, 0);
    spread(grid, &plan, lanes, &|threads| {
        let run = &|at| run(Thread::new(at, grid.chosen_unit()), arguments);
        noted(kernel, Some(1), &|i| plan.first(i), |running| (run, &plan, running, threads).each())
    });
}

/// Runs two threads at a time, as a GPU's packed instructions do.
#[inline]
pub fn launch_pair<B: Body>(grid: impl Into<Grid>, body: B) {
    let grid = grid.into();
    grid.require_axes(B::NAME, B::AXES);
    let plan = Plan::new(grid, 2, grid.has_head() as usize);
    // On a CPU the alignment is only checked, and only with debug assertions.
    if cfg!(debug_assertions) && grid.pairs_even() && body.aligned() {
        spread(grid, &plan, 2, &|groups| {
            noted(B::NAME, Some(2), &|i| plan.first(i), |running| (&body, &plan, running, groups).pairs::<true>())
        });
    } else {
        spread(grid, &plan, 2, &|groups| {
            noted(B::NAME, Some(2), &|i| plan.first(i), |running| (&body, &plan, running, groups).pairs::<false>())
        });
    }
}

/// Some groups of a launch.
// Implemented for tuples, because the compiler then instantiates the code in the module of the
// kernel: it uses a tuple's first type. So kernels compile in parallel, and again only if they
// change.
trait Groups {
    fn one(self);
    fn pairs<const ALIGNED: bool>(self);
}

impl<B: Body> Groups for (&B, &Plan, &Group, Range<usize>) {
    fn one(self) {
        let (body, plan, running, groups) = self;
        plan::run_one(plan, body, running, groups);
    }
    fn pairs<const ALIGNED: bool>(self) {
        let (body, plan, running, groups) = self;
        plan::run(Two::<B::Elem, ALIGNED>::new(), plan, body, running, groups);
    }
}

/// Some threads of a launch without `pair`.
trait Threads {
    fn each(self);
}

impl<F: Fn(At)> Threads for (&F, &Plan, &Group, Range<usize>) {
    fn each(self) {
        let (run, plan, running, threads) = self;
        plan::run_each(plan, run, running, threads);
    }
}

/// Runs all groups, on several cores if the grid is parallel.
// This is not generic over what it runs, for the reason in `parallel`.
pub(super) fn spread(grid: Grid, plan: &Plan, lanes: usize, run: &(dyn Fn(Range<usize>) + Send + Sync)) {
    let groups = plan.groups();
    #[cfg(feature = "rayon")]
    if grid.is_parallel() {
        // Enough chunks that no core waits for long, and each large enough to pay for its
        // distribution. A thread may run for long, so a few vectors are enough.
        let chunk = groups.div_ceil(8 * rayon::current_num_threads()).max(64_usize.div_ceil(lanes));
        let start = |i: usize| i * chunk;
        return crate::parallel::each(groups.div_ceil(chunk), &|i| run(start(i)..groups.min(start(i + 1))));
    }
    let _ = (grid, lanes);
    run(0..groups);
}
