//! From a level to its instructions.
// Invariant: a level is chosen only if the CPU has it.
#![cfg_attr(
    any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")),
    expect(unsafe_code, reason = "code for one level runs where the CPU has it")
)]

use crate::kernel::block::{Block, BlockBody};
use crate::kernel::ctx::Body;
use crate::kernel::grid::Grid;
use crate::kernel::launch::launch_one;
use crate::level::Level;

/// The launches of every level that has an engine, with its instructions enabled.
macro_rules! levels {
    ($(#[cfg($cpu:meta)] $level:pat $(if $when:ident)?, $name:ident $engine:ty, $features:literal;)*) => {
        $(
            #[cfg($cpu)]
            mod $name {
                use core::ops::Range;

                use crate::backend::lanes::{self, Lanes};
                use crate::kernel::block::{Block, BlockBody};
                use crate::kernel::ctx::Body;
                use crate::kernel::grid::Grid;
                use crate::kernel::launch::spread;
                use crate::kernel::plan::{self, Plan};
                use crate::kernel::wide::Wide;

                const LANES: usize = <$engine as Lanes<u16>>::N;

                /// # Safety
                /// This CPU has the level.
                #[inline]
                pub(super) unsafe fn launch<B: Body>(grid: Grid, body: B) {
                    let plan = Plan::new(grid, LANES, 0);
                    // SAFETY: the caller's.
                    spread(grid, &plan, LANES, |groups| unsafe { run(&plan, &body, groups) });
                }

                #[target_feature(enable = $features)]
                fn run<B: Body>(plan: &Plan, body: &B, groups: Range<usize>) {
                    // SAFETY: the function enables the instructions, so whoever calls it has them.
                    let g = unsafe { <$engine>::new() };
                    plan::run(Wide::<_, B::Elem, LANES>::new(g), plan, body, groups);
                }

                #[target_feature(enable = $features)]
                pub(super) fn block<B: BlockBody>(body: &B, block: Block) {
                    // SAFETY: as above.
                    let g = unsafe { <$engine>::new() };
                    body.block(Wide::<_, B::Elem, LANES>::new(g), block);
                }
            }
        )*

        /// Runs as many threads at a time as a vector of the CPU has 16-bit lanes.
        ///
        /// At [`Level::Portable`](crate::Level::Portable) that is one: without vectors nothing is faster than scalar code.
        #[inline]
        pub fn launch_wide<B: Body>(grid: impl Into<Grid>, body: B) {
            let grid = grid.into();
            match grid.chosen_level() {
                $(
                    #[cfg($cpu)]
                    // SAFETY: this CPU has the level, or it could not have been chosen.
                    $level $(if $when::<B::Elem>())? => unsafe { $name::launch(grid, body) },
                )*
                _ => launch_one(grid, body),
            }
        }

        /// What runs a block at a level, handed to `spread`.
        pub(in crate::kernel) fn each_block<B: BlockBody>(
            level: Level,
            body: B,
            spread: impl FnOnce(&(dyn Fn(Block) + Send + Sync)),
        ) {
            match level {
                $(
                    #[cfg($cpu)]
                    // SAFETY: this CPU has the level, or it could not have been chosen.
                    $level $(if $when::<B::Elem>())? => spread(&|block| unsafe { $name::block(&body, block) }),
                )*
                _ => spread(&|block| body.block_one(block)),
            }
        }
    };
}

levels! {
    #[cfg(target_arch = "x86_64")]
    Level::Avx512, avx512 lanes::avx512::Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c";
    #[cfg(target_arch = "x86_64")]
    Level::Avx2, avx2 lanes::avx2::Avx2, "avx2,fma,f16c";
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Level::NeonFp16 if is_f16, neon_fp16 lanes::neon::Neon<true>, "neon,fp16";
    // The levels differ in f16's arithmetic alone.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Level::Neon | Level::NeonFp16, neon lanes::neon::Neon<false>, "neon";
}

/// Whether a CPU's arithmetic on f16 is of use.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
const fn is_f16<E: crate::kernel::element::Element>() -> bool {
    use crate::format::{Binary16, Format as _};
    E::PRECISION == Binary16::PRECISION
}
