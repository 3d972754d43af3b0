//! Kernels whose threads share memory: block by block, and in a block from barrier to barrier.
//!
//! The expansion of such a kernel runs the code between two barriers for all groups of a block
//! before it continues. Each variable that lives across a barrier is saved in a
//! [`Saved`](super::saved::Saved). This file computes the blocks of a grid and the groups of a
//! block.
// Invariant: between two barriers no thread of a block accesses an element that another thread writes, as the body guarantees.
#![expect(unsafe_code, reason = "bodies guarantee that threads share no written element")]

use core::array;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::ctx::{At, Ctx};
use super::element::Element;
use super::grid::{Grid, Order};
use super::index::Lin;
use super::pairs::Two;
use super::plan::divided;
use super::running::{self, noted};
use super::view::Out;

/// The largest number of threads of a block, which is also the limit of devices.
pub(super) const THREADS: usize = 1024;

/// A kernel with barriers or shared memory, with its arguments.
///
/// # Safety
///
/// Between two barriers the guarantees of [`Body`](super::ctx::Body) hold.
pub unsafe trait BlockBody: Copy + Send + Sync {
    /// The element type.
    type Elem: Element;
    /// The kernel's name.
    const NAME: &'static str;
    /// Number of axes whose indices the kernel takes.
    const AXES: usize;
    /// Runs a block one thread at a time, in scalar code.
    fn block_one(&self, block: Block);
    /// Runs a block `C::LANES` threads at a time.
    fn block<C: Ctx<Elem = Self::Elem>>(&self, cx: C, block: Block);
}

/// An array that a block's threads share. It begins at a cache line, so that aligned vectors do not
/// cross cache lines.
#[derive(Debug)]
#[repr(align(64))]
pub struct InLines<T, const LENGTH: usize>([MaybeUninit<T>; LENGTH]);

#[inline_in_release]
impl<T: Copy + Default, const LENGTH: usize> InLines<T, LENGTH> {
    /// Returns an array that no block has used yet.
    #[must_use]
    pub const fn unset() -> Self {
        Self([MaybeUninit::uninit(); LENGTH])
    }

    /// Returns the array for a block: zeroed, or uninitialized if `filled`, which means that the
    /// block fills it before it reads it.
    ///
    /// # Safety
    ///
    /// Between two barriers the guarantees of [`Out::of_launch`] hold, and all threads of the block
    /// run on one thread of the CPU. If `filled`, every element is written before any element is
    /// read, and before any element is written under a mask.
    #[must_use]
    pub unsafe fn of_block(&mut self, filled: bool) -> Out<'_, T> {
        if !filled {
            self.0.fill(MaybeUninit::new(T::default()));
        }
        // SAFETY: guaranteed by the caller; an array that is not filled was zeroed.
        unsafe { Out::of_block(&mut self.0) }
    }
}

/// A block of threads.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    index: [usize; 3],
    /// The block's first thread along each axis.
    start: [usize; 3],
    /// The block's number of threads along each axis, which may be smaller at the grid's end.
    threads: [usize; 3],
    dim: [usize; 3],
    grid: [usize; 3],
    /// Number of threads by which the first group of a row begins before the row.
    head: usize,
    order: Order,
}

#[inline_in_release]
impl Block {
    // No closures, as in all code that runs for each group: a block may be a few vectors.
    fn new(grid: Grid, index: [usize; 3], head: usize) -> Self {
        let (all, dim) = (grid.threads(), grid.block_threads());
        let start = [index[0] * dim[0], index[1] * dim[1], index[2] * dim[2]];
        let [x, y, z] = [all[0] - start[0], all[1] - start[1], all[2] - start[2]];
        let threads = [dim[0].min(x), dim[1].min(y), dim[2].min(z)];
        Self { index, start, threads, dim, grid: all, head, order: grid.chosen_order() }
    }

    /// Returns the position of the block's first thread.
    pub fn at(&self) -> At {
        let [x, y, z] = self.start;
        At { x: Lin(x), y, z, block: self.index, block_dim: self.dim, grid: self.grid }
    }

    /// Returns the number of groups of `lanes` threads.
    pub fn groups(&self, lanes: usize) -> usize {
        (self.threads[0] + self.head).div_ceil(lanes) * self.threads[1] * self.threads[2]
    }

    /// Returns the groups of `lanes` threads, as runs of consecutive whole groups.
    pub fn runs(&self, lanes: usize) -> Runs<'_> {
        Runs { block: self, lanes, next: 0, groups: self.groups(lanes) }
    }

    /// Returns `true` if the block's threads fill an array: each writes the element at its index,
    /// and these are all of the `length` elements, in rows of `width`. They do so in whole groups
    /// of `lanes`, because a write under a mask reads the element first.
    pub fn fills(&self, lanes: usize, width: usize, length: usize) -> bool {
        let [x, y, _] = self.threads;
        self.head == 0 && x.is_multiple_of(lanes) && x >= width && y * width >= length
    }

    /// Returns the mask of the group's threads that exist.
    pub fn existing<C: Ctx>(&self, cx: C, group: At) -> C::Mask {
        let [start, ..] = self.start;
        cx.between(group.x, start, start + self.threads[0])
    }

    /// Returns the `i`-th thread.
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

/// Consecutive groups: whole ones, and then at most one group of which some threads do not exist.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// First thread of the next group.
    pub at: At,
    /// Index of the next group in the block.
    pub group: usize,
    /// Number of whole groups left.
    pub whole: usize,
    /// `true` if a partial group follows.
    pub rest: bool,
}

#[inline_in_release]
impl Run {
    /// Advances to the next group.
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
    /// Returns the next run of groups, or `None` at the end.
    // This is not an iterator, because closures would call its `next`: see
    // `backend::lanes::engine`.
    pub fn following(&mut self) -> Option<Run> {
        if self.next == self.groups {
            return None;
        }
        let &Block { start, threads, head, order, .. } = self.block;
        let (at, group) = (self.block.first(self.lanes, head, self.next), self.next);
        // The index of a group that begins before the first thread has wrapped, and exceeds the
        // last.
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
    /// Returns the `i`-th block.
    #[inline_in_release]
    pub(super) fn block(&self, i: usize) -> Block {
        let i = self.grid.chosen_order().pick(i, self.count);
        let (row, x) = divided(i, self.along[0]);
        let (z, y) = divided(row, self.along[1]);
        Block::new(self.grid, [x, y, z], self.head)
    }

    /// Runs `run` as [`noted`] does.
    fn noted(&self, kernel: &str, run: impl FnOnce(&running::Group)) {
        noted(kernel, None, &|i| self.block(i).at(), run);
    }

    /// Runs the given blocks, whose numbers it sets in `running`.
    // No closures: see `backend::lanes::engine`.
    #[inline_in_release]
    pub(super) fn run<C: Ctx, B: BlockBody<Elem = C::Elem>>(
        &self,
        cx: C,
        body: &B,
        running: &running::Group,
        some: Range<usize>,
    ) {
        for i in some {
            running.set(i);
            body.block(cx, self.block(i));
        }
    }

    /// Runs the given blocks one thread at a time, and sets their numbers in `running`.
    pub(super) fn run_one<B: BlockBody>(&self, body: &B, running: &running::Group, some: Range<usize>) {
        for i in some {
            running.set(i);
            body.block_one(self.block(i));
        }
    }

    /// Returns `true` if all blocks run on one thread of the CPU.
    pub(super) fn are_alone(&self) -> bool {
        !self.grid.is_parallel()
    }
}

/// Runs all blocks, on several cores if the grid is parallel.
fn spread(grid: Grid, head: usize, run: &(dyn Fn(&Blocks, Range<usize>) + Send + Sync)) {
    let (threads, dim) = (grid.threads(), grid.block_threads());
    let most = dim[0].saturating_mul(dim[1]).saturating_mul(dim[2]);
    assert!(
        most <= THREADS,
        "a block of {dim:?} has {most} threads, and at most {THREADS} can share memory: choose fewer with `Grid::block`"
    );
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

/// Runs one thread at a time, in scalar code.
pub fn launch_blocks_one<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    spread(grid, 0, &|blocks, some| blocks.noted(B::NAME, |running| blocks.run_one(&body, running, some)));
}

/// Runs two threads at a time.
pub fn launch_blocks_pair<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    spread(grid, grid.has_head() as usize, &|blocks, some| {
        blocks.noted(B::NAME, |running| blocks.run(Two::<B::Elem, false>::new(), &body, running, some));
    });
}

/// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
pub fn launch_blocks_wide<B: BlockBody>(grid: Grid, body: B) {
    grid.require_axes(B::NAME, B::AXES);
    let level = grid.chosen_level();
    spread(grid, 0, &|blocks, some| {
        blocks.noted(B::NAME, |running| super::wide::blocks(level, &body, blocks, running, some))
    });
}
