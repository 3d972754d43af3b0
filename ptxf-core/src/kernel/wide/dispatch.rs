//! From a level to its instructions.
//!
//! The portable level runs scalar code. Vectors of one lane, without branches, were measured 3 times as fast for sums and products of
//! bf16 and f32, and 1.5 times slower than scalar code for `fma`.
// Invariant: a level is chosen only if the CPU has it.
#![expect(unsafe_code, reason = "code for one level runs where the CPU has it")]

use core::ops::Range;

use crate::backend::lanes::engine::Vectors;
use crate::backend::lanes::levels::{self, Task};
use crate::format::{Binary16, Format as _};
use crate::kernel::block::{Block, BlockBody};
use crate::kernel::ctx::Body;
use crate::kernel::element::Element;
use crate::kernel::grid::Grid;
use crate::kernel::launch::spread;
use crate::kernel::plan::{self, Plan};
use crate::kernel::wide::Wide;
use crate::level::Level;

/// Groups of threads of a launch, in vectors.
struct Groups<'a, B: Body> {
    plan: &'a Plan,
    body: &'a B,
    groups: Range<usize>,
}

impl<B: Body> Task for Groups<'_, B> {
    type Output = ();
    const IN_F16: bool = is_f16::<B::Elem>();

    #[inline(always)]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        plan::run(Wide::<E, B::Elem, LANES>::new(e), self.plan, self.body, self.groups);
    }

    fn portable(self) {
        plan::run_one(self.plan, self.body, self.groups);
    }
}

/// One block of threads, in vectors.
struct InBlock<'a, B: BlockBody> {
    body: &'a B,
    block: Block,
}

impl<B: BlockBody> Task for InBlock<'_, B> {
    type Output = ();
    const IN_F16: bool = is_f16::<B::Elem>();

    #[inline(always)]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        self.body.block(Wide::<E, B::Elem, LANES>::new(e), self.block);
    }

    fn portable(self) {
        self.body.block_one(self.block);
    }
}

/// Whether a CPU's arithmetic on f16 is of use.
const fn is_f16<E: Element>() -> bool {
    E::PRECISION == Binary16::PRECISION
}

/// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
///
/// At [`Level::Portable`](crate::Level::Portable) that is one: without vectors nothing is faster than scalar code.
#[inline]
pub fn launch_wide<B: Body>(grid: impl Into<Grid>, body: B) {
    let grid = grid.into();
    grid.require_axes(B::NAME, B::AXES);
    let level = grid.chosen_level();
    let lanes = levels::lanes(level);
    let plan = Plan::new(grid, lanes, 0);
    spread(grid, &plan, lanes, |groups| {
        // SAFETY: this CPU has the level, or it could not have been chosen.
        unsafe { levels::run(level, Groups { plan: &plan, body: &body, groups }) }
    });
}

/// What runs a block at a level, handed to `spread`.
pub(in crate::kernel) fn each_block<B: BlockBody>(
    level: Level,
    body: B,
    spread: impl FnOnce(&(dyn Fn(Block) + Send + Sync)),
) {
    spread(&|block| {
        // SAFETY: this CPU has the level, or it could not have been chosen.
        unsafe { levels::run(level, InBlock { body: &body, block }) }
    });
}
