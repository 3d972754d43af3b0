//! Launches on a device: the part of the current thread, for the entry that `#[ptx_kernel]` makes.
//!
//! Along x a launch has the number of threads that the entry is passed, in blocks of any size.
//! Along y and z it has the threads of its blocks.
//!
//! Two threads of a pair run without masks as long as they take the same branches. At an edge, or
//! if the guard stops one of the threads, the other runs the scalar body. So an entry has one
//! paired body and no second one under masks. A group of `per_thread` runs without masks, too. At
//! an edge, its pairs run one after another.
// Invariant: on a device the threads of a block reach a barrier together, and write shared memory before they read it.
#![expect(unsafe_code, reason = "barriers and shared memory")]

use super::ctx::{All, At, Body, Ctx};
use super::index::Lin;
pub use super::pairs::{Alignment, Pairs, Pairs2, Pairs4, Pairs8};
use super::pairs::{Many, Two};
use super::plain::Thread;
use super::row;
use super::view::Out;
use crate::backend::nvptx::special;

/// Runs this thread's part of a launch of single threads.
#[inline_in_release]
pub fn one<B: Body>(body: B, threads: u32) {
    let at = place(1, 0, threads);
    let is_in_grid = at.x.0 < at.grid[0];
    // One question for nearly all threads. The compiler makes a single comparison of those of one
    // index with several bounds.
    if !(is_in_grid & last_passes(body, at, 1) & body.in_range(at, 1)) {
        if is_in_grid {
            body.one(at);
        }
        return;
    }
    body.one(At { in_range: true, ..at });
}

/// Runs this thread's part of a launch of pairs; the first pair begins `head` threads before the
/// first thread.
#[inline_in_release]
pub fn pair<B: Body>(body: B, threads: u32, head: u32) {
    let at = place(2, head as usize, threads);
    let is_aligned = (head == 0) & body.aligned();
    // One question for nearly all pairs. An aligned pair begins at an even thread, so its last
    // thread has the larger index.
    let fits = is_aligned
        && ((at.x + 1).0 < at.grid[0])
            & passes(Two::<B::Elem, true>::new(), body, at)
            & (!B::CHECKS_BEFORE || body.in_range(at, 2));
    if fits {
        return body.run(Two::<B::Elem, true>::new(), At { in_range: B::CHECKS_BEFORE, ..at }, All);
    }
    // An odd row has a pair for the thread before it, too.
    let rows = B::HEADS && !is_aligned & (head == 0) & (threads % 2 == 1) & body.has_odd_rows();
    two(body, At { x: at.x - row::head(at.y, rows), ..at }, rows, || false);
}

/// Runs this thread's part of a launch of `N` pairs per thread; the first group begins `head`
/// threads before the first thread.
///
/// A group that is whole, aligned and past the guard runs together. Others, at the edges of the
/// grid, run pair by pair.
#[inline_in_release]
pub fn many<N: Pairs, B: Body>(body: B, threads: u32, head: u32) {
    let (cx, lanes, head) = (Many::<B::Elem, N, true>::new(), 2 * N::COUNT, head as usize);
    let at = place(lanes as u32, head, threads);
    // The first thread of a group before the grid wraps.
    let is_whole = (at.x.0 < at.grid[0]) & ((at.x + (lanes - 1)).0 < at.grid[0]);
    if is_whole && body.aligned_by(head) && passes(cx, body, at) && (!B::CHECKS_BEFORE || body.in_range(at, lanes)) {
        return body.run(cx, At { in_range: B::CHECKS_BEFORE, ..at }, All);
    }
    let aligned = head % 2 == 0 && body.aligned();
    let mut lane = 0;
    while lane < lanes {
        two(body, At { x: at.x + lane, ..at }, false, || aligned);
        lane += 2;
    }
}

/// Returns `true` if all threads of a whole group pass the guard.
#[inline_in_release]
fn passes<C: Ctx, B: Body<Elem = C::Elem>>(cx: C, body: B, at: At) -> bool {
    if B::UP_TO { last_passes(body, at, C::LANES) } else { cx.all(body.guard(cx, at, All)) }
}

/// Returns `true` if the last of some threads passes the guard.
#[inline_in_release]
fn last_passes<B: Body>(body: B, at: At, lanes: usize) -> bool {
    // The mask of a pair's first thread. The compiler removes what is for the second one.
    body.guard(Two::<B::Elem, false>::new(), At { x: at.x + (lanes - 1), ..at }, All) & 1 != 0
}

/// Runs this thread's part of a launch of single threads that share memory, in whole blocks.
#[inline_in_release]
pub fn block_one<B: Body>(body: B, threads: u32) {
    let at = place(1, 0, threads);
    single(body, at);
}

/// Runs this thread's part of a launch of pairs that share memory, in whole blocks. All of them
/// reach the barriers.
#[inline_in_release]
pub fn block_pair<B: Body>(body: B, threads: u32) {
    both(body, place(2, 0, threads), false, || body.aligned());
}

/// Runs a single thread.
#[inline_in_release]
fn single<B: Body>(body: B, at: At) {
    // Two calls, so that `in_range` is a constant in each.
    if body.in_range(at, 1) {
        body.one(At { in_range: true, ..at });
    } else {
        body.one(at);
    }
}

/// Runs the threads of a pair that are in the grid and pass the guard. If `rows` is `true`, they
/// are aligned along rows of odd length.
#[inline_in_release]
fn two<B: Body>(body: B, at: At, rows: bool, is_aligned: impl FnOnce() -> bool) {
    // The guard is arithmetic, which may run for threads outside of the grid. Branches between the
    // four comparisons would take more instructions than they save.
    let m = body.guard(Two::<B::Elem, false>::new(), at, All);
    let [low_passes, high_passes] = [m & 1 != 0, m >> 31 != 0];
    let (low, high) = (at.x.0 < at.grid[0], (at.x + 1).0 < at.grid[0]);
    // If the guard is `t < n`, a thread passes if the next one does.
    if low & high & high_passes & (B::UP_TO | low_passes) {
        return both(body, at, rows, is_aligned);
    }
    // A single thread checks the guard itself.
    let (low, high) = (low & low_passes, high & high_passes);
    if low | high {
        let x = at.x + !low as usize;
        body.one(At { x, alone: true, in_range: B::UNCHECKED, ..at });
    }
}

/// Runs both threads of a pair, in the body for aligned slices or in the other one. If a check
/// before the body fails, a single body with all checks runs, which tests the alignment of each
/// access.
#[inline_in_release]
fn both<B: Body>(body: B, at: At, rows: bool, is_aligned: impl FnOnce() -> bool) {
    if B::CHECKS_BEFORE && !body.in_range(at, 2) {
        return body.run(Two::<B::Elem, false>::new(), at, All);
    }
    let at = At { in_range: B::CHECKS_BEFORE, ..at };
    if is_aligned() {
        body.run(Two::<B::Elem, true>::new(), at, All);
    } else if B::HEADS && rows {
        body.run(Two::<B::Elem, false, true>::new(), at, All);
    } else {
        body.run(Two::<B::Elem, false>::new(), at, All);
    }
}

/// Runs this thread's part of a launch of `N` pairs per thread that share memory, in whole blocks.
/// All of them reach the barriers.
#[inline_in_release]
pub fn block_many<N: Pairs, B: Body>(body: B, threads: u32) {
    let at = place(2 * N::COUNT as u32, 0, threads);
    if B::CHECKS_BEFORE && !body.in_range(at, 2 * N::COUNT) {
        return body.run(Many::<B::Elem, N, false>::new(), at, All);
    }
    let at = At { in_range: B::CHECKS_BEFORE, ..at };
    if body.aligned_by(0) {
        body.run(Many::<B::Elem, N, true>::new(), at, All);
    } else {
        body.run(Many::<B::Elem, N, false>::new(), at, All);
    }
}

/// Runs this thread of a kernel without `pair`, with the arguments. The grid has the threads of its
/// blocks.
#[inline_in_release]
pub fn each<A>(arguments: A, run: impl for<'t> FnOnce(Thread<'t>, A)) {
    run(Thread::new(place(1, 0, special!("nctaid.x") * special!("ntid.x"))), arguments);
}

/// Runs this lane of a warp kernel, with the arguments. A row of the grid has `warps`.
#[inline_in_release]
pub fn warp<A>(warps: u32, arguments: A, run: impl for<'t> FnOnce(Thread<'t>, A)) {
    let at = place(1, 0, warps);
    let x = Lin(at.x.0 / 32);
    if x.0 < warps as usize {
        run(Thread::new(At { x, ..at }), arguments);
    }
}

/// Waits for the block's other threads.
///
/// # Safety
///
/// All threads of the block reach the call.
#[inline_in_release]
pub unsafe fn sync_threads() {
    // SAFETY: guaranteed by the caller.
    unsafe { core::arch::nvptx::_syncthreads() };
}

/// Defines functions that combine the votes of a block's threads by `bar.red`.
///
/// Each follows a barrier that the compiler recognizes, in the same basic block. So the compiler
/// does not move the instruction to where only some threads reach it.
macro_rules! votes {
    ($($(#[$doc:meta])* $name:ident -> $ty:ty: $lines:expr, |$d:ident| $result:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// All threads of the block reach the call.
        #[inline_in_release]
        pub unsafe fn $name(vote: bool) -> $ty {
            let $d: u32;
            // SAFETY: guaranteed by the caller.
            unsafe {
                sync_threads();
                core::arch::asm!(
                    "{{",
                    ".reg .pred vote, found;",
                    "setp.ne.u32 vote, {x}, 0;",
                    $lines,
                    "}}",
                    d = lateout(reg32) $d,
                    x = in(reg32) u32::from(vote),
                    options(nostack),
                );
            }
            $result
        }
    )*};
}

votes! {
    /// Waits for the block's other threads, and returns `true` if one of the votes is `true`.
    sync_threads_or -> bool: "bar.red.or.pred found, 0, vote; selp.u32 {d}, 1, 0, found;", |d| d != 0;
    /// Waits for the block's other threads, and returns `true` if all votes are `true`.
    sync_threads_and -> bool: "bar.red.and.pred found, 0, vote; selp.u32 {d}, 1, 0, found;", |d| d != 0;
    /// Waits for the block's other threads, and returns the number of votes that are `true`.
    sync_threads_count -> u32: "bar.red.popc.u32 {d}, 0, vote;", |d| d;
}

/// Returns an array that the threads of a block share; each call returns another array.
///
/// # Safety
///
/// Between two barriers the guarantees of [`Out::of_launch`] hold. An element is written before it
/// is read.
#[inline_in_release]
pub unsafe fn shared<T, const N: usize>() -> Out<'static, T> {
    let address: *mut T;
    // SAFETY: only an address in the state space is taken. Without `pure`, two arrays are never
    // merged.
    unsafe {
        core::arch::asm!(
            "{{",
            ".shared .align 16 .b8 ptxf_shared[{bytes}];",
            "mov.u64 {d}, ptxf_shared;",
            "}}",
            bytes = const N * size_of::<T>(),
            d = lateout(reg64) address,
            options(nomem, nostack),
        );
    }
    // SAFETY: the block's memory while the thread runs, which the caller uses as documented.
    unsafe { Out::shared(address, N) }
}

/// Returns the position of the first of the `lanes` threads that this device thread runs.
#[inline_in_release]
fn place(lanes: u32, head: usize, threads: u32) -> At {
    let tid = [special!("tid.x"), special!("tid.y"), special!("tid.z")];
    let block = [special!("ctaid.x"), special!("ctaid.y"), special!("ctaid.z")];
    let dim = [special!("ntid.x"), special!("ntid.y"), special!("ntid.z")];
    let blocks = [special!("nctaid.y"), special!("nctaid.z")];
    let index = |i: usize| block[i] * dim[i] + tid[i];
    At {
        x: Lin((index(0) * lanes) as usize) - head,
        y: index(1) as usize,
        z: index(2) as usize,
        block: block.map(|x| x as usize),
        block_dim: [dim[0] * lanes, dim[1], dim[2]].map(|x| x as usize),
        grid: [threads, blocks[0] * dim[1], blocks[1] * dim[2]].map(|x| x as usize),
        alone: false,
        in_range: false,
    }
}
