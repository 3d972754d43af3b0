//! Kernels whose threads share memory: block by block, and within one from barrier to barrier.
//!
//! The expansion of such a kernel runs the code between two barriers for all groups of a block before it goes on; what a thread's variables
//! hold meanwhile is in a [`Saved`](super::saved::Saved) each. This file says which blocks there are, and which groups a block has.
// Invariant: a body keeps its threads apart between barriers, as it promises.
#![expect(unsafe_code, reason = "a body is trusted to keep its threads apart")]

use core::array;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::ctx::{At, Ctx};
use super::element::Element;
use super::grid::{Grid, Order};
use super::index::Lin;
use super::plan::divided;
use super::two::Two;
use super::view::Out;

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

/// An array that a block's threads share, from a line of the cache on: a vector that begins at a multiple of its length crosses none.
#[derive(Debug)]
#[repr(align(64))]
pub struct InLines<T, const LENGTH: usize>([MaybeUninit<T>; LENGTH]);

#[inline_in_release]
impl<T: Copy + Default, const LENGTH: usize> InLines<T, LENGTH> {
    /// An array that no block has used yet.
    #[must_use]
    pub const fn unset() -> Self {
        Self([MaybeUninit::uninit(); LENGTH])
    }

    /// The array as the block's threads see it: zeros at first, or nothing if they fill it before they read it.
    ///
    /// # Safety
    ///
    /// What [`Out::of_launch`] asks for, between two barriers, and all of the block's threads run on one thread of the CPU. If the array
    /// is filled, all of its elements are written before any is read, and before any is written under a mask.
    #[must_use]
    pub unsafe fn of_block(&mut self, filled: bool) -> Out<'_, T> {
        if !filled {
            self.0.fill(MaybeUninit::new(T::default()));
        }
        // SAFETY: the caller's; what is not filled is zeros.
        unsafe { Out::of_block(&mut self.0) }
    }
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

#[inline_in_release]
impl Block {
    // Without closures, as everything that a group runs through: a block may be a few vectors.
    fn new(grid: Grid, index: [usize; 3], head: usize) -> Self {
        let (all, dim) = (grid.threads(), grid.block_threads());
        let start = [index[0] * dim[0], index[1] * dim[1], index[2] * dim[2]];
        let [x, y, z] = [all[0] - start[0], all[1] - start[1], all[2] - start[2]];
        let threads = [dim[0].min(x), dim[1].min(y), dim[2].min(z)];
        Self { index, start, threads, dim, grid: all, head, order: grid.chosen_order() }
    }

    /// Where it stands among the blocks.
    pub fn at(&self) -> At {
        let [x, y, z] = self.start;
        At { x: Lin(x), y, z, block: self.index, block_dim: self.dim, grid: self.grid }
    }

    /// The groups of so many threads.
    pub fn groups(&self, lanes: usize) -> usize {
        (self.threads[0] + self.head).div_ceil(lanes) * self.threads[1] * self.threads[2]
    }

    /// The groups of so many threads, as runs of whole ones next to each other.
    pub fn runs(&self, lanes: usize) -> Runs<'_> {
        Runs { block: self, lanes, next: 0, groups: self.groups(lanes) }
    }

    /// Whether its threads, each of which writes the element that its index in the block says, write all of an array: rows of `width`
    /// elements, `length` together. They do so in whole groups of `lanes`, so that nothing is written under a mask, which reads.
    pub fn fills(&self, lanes: usize, width: usize, length: usize) -> bool {
        let [x, y, _] = self.threads;
        self.head == 0 && x.is_multiple_of(lanes) && x >= width && y * width >= length
    }

    /// Which threads of the group exist.
    pub fn existing<C: Ctx>(&self, cx: C, group: At) -> C::Mask {
        let [start, ..] = self.start;
        cx.between(group.x, start, start + self.threads[0])
    }

    /// The `i`-th thread.
    pub fn thread(&self, i: usize) -> At {
        self.first(1, 0, i)
    }

    fn first(&self, lanes: usize, head: usize, i: usize) -> At {
        let per_row = (self.threads[0] + head).div_ceil(lanes);
        let i = self.order.pick(i, per_row * self.threads[1] * self.threads[2]);
        let (row, i) = divided(i, per_row);
        let (z, y) = divided(row, self.threads[1]);
        let at = self.at();
        At { x: at.x + i * lanes - head, y: at.y + y, z: at.z + z, ..at }
    }
}

/// Groups next to each other: whole ones, and then perhaps one of which some threads do not exist.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The next group's first thread.
    pub at: At,
    /// Which of the block's groups it is.
    pub group: usize,
    /// How many whole groups are left.
    pub whole: usize,
    /// Whether there is another one behind them.
    pub rest: bool,
}

#[inline_in_release]
impl Run {
    /// Goes on to the next group.
    pub fn step(&mut self, lanes: usize) {
        self.at.x = self.at.x + lanes;
        self.group += 1;
        self.whole -= 1;
    }
}

/// The groups of a block.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'b> {
    block: &'b Block,
    lanes: usize,
    next: usize,
    groups: usize,
}

#[inline_in_release]
impl Runs<'_> {
    /// The next ones.
    // No iterator, whose `next` would be a closure's business: see `backend::lanes::engine`.
    pub fn following(&mut self) -> Option<Run> {
        if self.next == self.groups {
            return None;
        }
        let &Block { start, threads, head, order, .. } = self.block;
        let (at, group) = (self.block.first(self.lanes, head, self.next), self.next);
        // A group that begins in front of the first thread has wrapped, and is far behind the last.
        let left = threads[0].checked_sub(at.x.0.wrapping_sub(start[0]));
        let (mut whole, mut rest) = match left {
            Some(left) => (left / self.lanes, !left.is_multiple_of(self.lanes)),
            None => (0, true),
        };
        if order != Order::Serial && whole != 0 {
            (whole, rest) = (1, false);
        }
        self.next += whole + rest as usize;
        Some(Run { at, group, whole, rest })
    }
}

/// The blocks of a launch.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    grid: Grid,
    head: usize,
    along: [usize; 3],
    count: usize,
}

impl Blocks {
    /// The `i`-th block.
    #[inline_in_release]
    pub(super) fn block(&self, i: usize) -> Block {
        let i = self.grid.chosen_order().pick(i, self.count);
        let (row, x) = divided(i, self.along[0]);
        let (z, y) = divided(row, self.along[1]);
        Block::new(self.grid, [x, y, z], self.head)
    }

    /// Whether they run on one thread of the CPU.
    pub(super) fn are_alone(&self) -> bool {
        !self.grid.is_parallel()
    }
}

/// Runs all blocks, on several cores if the grid says so.
fn spread(grid: Grid, head: usize, run: &(dyn Fn(&Blocks, Range<usize>) + Send + Sync)) {
    let (threads, dim) = (grid.threads(), grid.block_threads());
    let most = dim[0].saturating_mul(dim[1]).saturating_mul(dim[2]);
    assert!(most <= THREADS, "a block of {dim:?} has {most} threads; the most that share memory are {THREADS}");
    let along: [usize; 3] = array::from_fn(|i| threads[i].div_ceil(dim[i]));
    let count = along[0].checked_mul(along[1]).and_then(|n| n.checked_mul(along[2]));
    let count = count.expect("more blocks of threads than fit into usize");
    let blocks = Blocks { grid, head, along, count };
    #[cfg(feature = "rayon")]
    if grid.is_parallel() {
        return crate::parallel::each(count, &|i| run(&blocks, i..i + 1));
    }
    run(&blocks, 0..count);
}

/// Runs every thread on its own, in scalar code.
pub fn launch_blocks_one<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    spread(grid, 0, &|blocks, some| some.for_each(|i| body.block_one(blocks.block(i))));
}

/// Runs two threads at a time.
pub fn launch_blocks_pair<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    spread(grid, grid.has_head() as usize, &|blocks, some| {
        some.for_each(|i| body.block(Two::<B::Elem, false>::new(), blocks.block(i)));
    });
}

/// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
pub fn launch_blocks_wide<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    let level = grid.chosen_level();
    spread(grid, 0, &|blocks, some| super::wide::blocks(level, &body, blocks, some));
}
