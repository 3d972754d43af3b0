//! Selection of the code for a level.
//!
//! The portable level runs scalar code. Vectors of one lane, without branches, were measured 3
//! times as fast for sums and products of bf16 and f32. For `fma` they were 1.5 times slower than
//! scalar code.
// Invariant: a level is chosen only if the CPU has it.
#![expect(unsafe_code, reason = "code for a level runs if the CPU has it")]

use core::ops::Range;

use crate::backend::lanes::engine::Vectors;
use crate::backend::lanes::levels::{self, Task};
use crate::format::{Binary16, Format as _};
use crate::kernel::block::{BlockBody, Blocks};
use crate::kernel::ctx::Body;
use crate::kernel::element::Element;
use crate::kernel::grid::Grid;
use crate::kernel::launch::spread;
use crate::kernel::plan::{self, Plan};
use crate::kernel::running::{Group, noted};
use crate::kernel::wide::Wide;
use crate::level::Level;

// Tuples, so that the code is instantiated in the module of the kernel: the compiler uses a tuple's
// first type.
/// Groups of threads of a launch, in vectors.
impl<B: Body> Task for (&B, &Plan, &Group, Range<usize>) {
    type Output = ();
    const IN_F16: bool = is_f16::<B::Elem>();
    // Another copy of each kernel in every build would not pay off.
    const IN_SIMD128: bool = false;

    #[inline_in_release]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        let (body, plan, running, groups) = self;
        plan::run(Wide::<E, B::Elem, LANES>::new(e, plan.is_alone()), plan, body, running, groups);
    }

    fn portable(self) {
        let (body, plan, running, groups) = self;
        plan::run_one(plan, body, running, groups);
    }
}

/// Blocks of threads, in vectors.
impl<B: BlockBody> Task for (&B, &Blocks, &Group, Range<usize>) {
    type Output = ();
    const IN_F16: bool = is_f16::<B::Elem>();
    // As above.
    const IN_SIMD128: bool = false;

    #[inline_in_release]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        let (body, blocks, running, some) = self;
        let cx = Wide::<E, B::Elem, LANES>::new(e, blocks.are_alone());
        blocks.run(cx, body, running, some);
    }

    fn portable(self) {
        let (body, blocks, running, some) = self;
        blocks.run_one(body, running, some);
    }
}

/// Returns `true` for f16, which gains from a CPU's f16 arithmetic.
const fn is_f16<E: Element>() -> bool {
    E::PRECISION == Binary16::PRECISION
}

/// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
///
/// At [`Level::Portable`](crate::Level::Portable) it runs one thread at a time, because without
/// vectors nothing is faster than scalar code.
#[inline]
pub fn launch_wide<B: Body>(grid: impl Into<Grid>, body: B) {
    let grid = grid.into();
    grid.require_axes(B::NAME, B::AXES);
    let level = grid.chosen_level();
    let lanes = levels::lanes(level);
    let grid = if B::NAMES_BLOCKS { grid } else { grid.in_rows() };
    let plan = Plan::new(grid, lanes, if grid.is_long(lanes) { body.lead(2 * lanes) % lanes } else { 0 });
    spread(grid, &plan, lanes, &|groups| {
        noted(B::NAME, Some(lanes), &|i| plan.first(i), |running| {
            // SAFETY: this CPU has the level: otherwise it could not have been chosen.
            unsafe { levels::run(level, (&body, &plan, running, groups)) }
        });
    });
}

/// Runs blocks, as many threads at a time as a vector of the level has 16-bit lanes.
pub(in crate::kernel) fn blocks<B: BlockBody>(
    level: Level,
    body: &B,
    blocks: &Blocks,
    running: &Group,
    some: Range<usize>,
) {
    // SAFETY: this CPU has the level: otherwise it could not have been chosen.
    unsafe { levels::run(level, (body, blocks, running, some)) }
}
