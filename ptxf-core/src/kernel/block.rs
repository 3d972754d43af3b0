//! Kernels whose threads share memory: block by block, and within one from barrier to barrier.
//!
//! The expansion of such a kernel runs the code between two barriers for all groups of a block before it goes on; what a thread's variables
//! hold meanwhile is in a [`Saved`](super::saved::Saved) each. This file says which blocks there are, and which groups a block has.
// Invariant: a body keeps its threads apart between barriers, as it promises.
#![expect(unsafe_code, reason = "a body is trusted to keep its threads apart")]

use core::array;
use core::ops::Range;

use super::ctx::{At, Ctx};
use super::element::Element;
use super::grid::{Grid, Order};
use super::index::Lin;
use super::plan::divided;
use super::two::Two;

/// Threads that a block may have, on a device too.
pub(super) const THREADS: usize = 1024;

/// A kernel with barriers or shared memory, with its arguments.
///
/// # Safety
///
/// What [`Body`](super::ctx::Body) asks for, between two barriers.
pub unsafe trait BlockBody: Copy + Send + Sync {
    /// The element type.
    type Elem: Element;
    /// What it is called.
    const NAME: &'static str;
    /// The axes whose indices it takes.
    const AXES: usize;
    /// One thread at a time, in scalar code.
    fn block_one(&self, block: Block);
    /// As many threads at a time as the context has.
    fn block<C: Ctx<Elem = Self::Elem>>(&self, cx: C, block: Block);
}

/// A block of threads.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    index: [usize; 3],
    /// Its first thread, and how many there are, which at the grid's end may be fewer than elsewhere.
    start: [usize; 3],
    threads: [usize; 3],
    dim: [usize; 3],
    grid: [usize; 3],
    /// Threads by which the first group of a row begins in front of it.
    head: usize,
    order: Order,
}

impl Block {
    fn new(grid: Grid, index: [usize; 3], head: usize) -> Self {
        let (all, dim) = (grid.threads(), grid.block_threads());
        let start = array::from_fn(|i| index[i] * dim[i]);
        let threads = array::from_fn(|i| dim[i].min(all[i] - start[i]));
        Self { index, start, threads, dim, grid: all, head, order: grid.chosen_order() }
    }

    /// Where it stands among the blocks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(&self) -> At {
        let [x, y, z] = self.start;
        At { x: Lin(x), y, z, block: self.index, block_dim: self.dim, grid: self.grid }
    }

    /// The groups of so many threads.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn groups(&self, lanes: usize) -> usize {
        (self.threads[0] + self.head).div_ceil(lanes) * self.threads[1] * self.threads[2]
    }

    /// The first thread of the `i`-th group of so many threads.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn group(&self, lanes: usize, i: usize) -> At {
        self.first(lanes, self.head, i)
    }

    /// Whether all threads of the group exist.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_whole(&self, lanes: usize, group: At) -> bool {
        // A group that begins in front of the first thread has wrapped, and is far behind the last.
        let first = group.x.0.wrapping_sub(self.start[0]);
        first <= self.threads[0] && self.threads[0] - first >= lanes
    }

    /// Which threads of the group exist.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn existing<C: Ctx>(&self, cx: C, group: At) -> C::Mask {
        let [start, ..] = self.start;
        cx.between(group.x, start, start + self.threads[0])
    }

    /// The `i`-th thread.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn thread(&self, i: usize) -> At {
        self.first(1, 0, i)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first(&self, lanes: usize, head: usize, i: usize) -> At {
        let per_row = (self.threads[0] + head).div_ceil(lanes);
        let i = self.order.pick(i, per_row * self.threads[1] * self.threads[2]);
        let (row, i) = divided(i, per_row);
        let (z, y) = divided(row, self.threads[1]);
        let at = self.at();
        At { x: at.x + i * lanes - head, y: at.y + y, z: at.z + z, ..at }
    }
}

/// Runs all blocks, on several cores if the grid says so.
fn spread(grid: Grid, head: usize, run: &(dyn Fn(Block) + Send + Sync)) {
    let (threads, dim) = (grid.threads(), grid.block_threads());
    let most = dim[0].saturating_mul(dim[1]).saturating_mul(dim[2]);
    assert!(most <= THREADS, "a block of {dim:?} has {most} threads; the most that share memory are {THREADS}");
    let blocks: [usize; 3] = array::from_fn(|i| threads[i].div_ceil(dim[i]));
    let count = blocks[0].checked_mul(blocks[1]).and_then(|n| n.checked_mul(blocks[2]));
    let count = count.expect("more blocks of threads than fit into usize");
    let block = |i: usize| {
        let i = grid.chosen_order().pick(i, count);
        Block::new(grid, [i % blocks[0], i / blocks[0] % blocks[1], i / blocks[0] / blocks[1]], head)
    };
    let some = |range: Range<usize>| range.for_each(|i| run(block(i)));
    #[cfg(feature = "rayon")]
    if grid.is_parallel() {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        return (0..count).into_par_iter().for_each(|i| some(i..i + 1));
    }
    some(0..count);
}

/// Runs every thread on its own, in scalar code.
pub fn launch_blocks_one<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    spread(grid, 0, &|block| body.block_one(block));
}

/// Runs two threads at a time.
pub fn launch_blocks_pair<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    spread(grid, grid.has_head() as usize, &|block| body.block(Two::<B::Elem, false>::new(), block));
}

/// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
pub fn launch_blocks_wide<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    let level = grid.chosen_level();
    spread(grid, 0, &|block| super::wide::block(level, &body, block));
}
