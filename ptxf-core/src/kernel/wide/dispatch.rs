//! From a level to its instructions.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "code for one level runs where the CPU has it"))]

#[cfg(target_arch = "x86_64")]
use core::ops::Range;

#[cfg(target_arch = "x86_64")]
use super::Wide;
#[cfg(target_arch = "x86_64")]
use crate::backend::lanes::{avx2::Avx2, avx512::Avx512};
use crate::kernel::block::{Block, BlockBody};
use crate::kernel::ctx::Body;
use crate::kernel::grid::Grid;
use crate::kernel::launch::launch_one;
#[cfg(target_arch = "x86_64")]
use crate::kernel::launch::spread;
#[cfg(target_arch = "x86_64")]
use crate::kernel::plan::{self, Plan};
use crate::level::Level;

/// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
///
/// At [`Level::Portable`](crate::Level::Portable) that is one: without vectors nothing is faster than scalar code.
#[inline]
pub fn launch_wide<B: Body>(grid: impl Into<Grid>, body: B) {
    let grid = grid.into();
    match grid.chosen_level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => {
            let plan = Plan::new(grid, 32, 0);
            // SAFETY: this CPU has the level, or it could not have been chosen.
            spread(grid, &plan, 32, |groups| unsafe { avx512(&plan, &body, groups) });
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => {
            let plan = Plan::new(grid, 16, 0);
            // SAFETY: this CPU has the level, or it could not have been chosen.
            spread(grid, &plan, 16, |groups| unsafe { avx2(&plan, &body, groups) });
        }
        _ => launch_one(grid, body),
    }
}

/// The groups at one level, compiled with its instructions enabled.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled {
    ($name:ident $block:ident $engine:ident $n:literal $features:literal) => {
        #[target_feature(enable = $features)]
        fn $name<B: Body>(plan: &Plan, body: &B, groups: Range<usize>) {
            // SAFETY: the function enables the instructions, so whoever calls it has them.
            let g = unsafe { $engine::new() };
            plan::run(Wide::<_, B::Elem, $n>::new(g), plan, body, groups);
        }

        #[target_feature(enable = $features)]
        fn $block<B: BlockBody>(body: &B, block: Block) {
            // SAFETY: as above.
            let g = unsafe { $engine::new() };
            body.block(Wide::<_, B::Elem, $n>::new(g), block);
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled!(avx512 avx512_block Avx512 32 "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c");
#[cfg(target_arch = "x86_64")]
compiled!(avx2 avx2_block Avx2 16 "avx2,fma,f16c");

/// What runs a block at a level, handed to `spread`.
pub(in crate::kernel) fn each_block<B: BlockBody>(
    level: Level,
    body: B,
    spread: impl FnOnce(&(dyn Fn(Block) + Send + Sync)),
) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this CPU has the level, or it could not have been chosen.
        Level::Avx512 => spread(&|block| unsafe { avx512_block(&body, block) }),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this CPU has the level, or it could not have been chosen.
        Level::Avx2 => spread(&|block| unsafe { avx2_block(&body, block) }),
        _ => spread(&|block| body.block_one(block)),
    }
}
