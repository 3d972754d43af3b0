//! From a level to its instructions: what is compiled once for each.
//!
//! A loop is a [`Task`]. [`at`] compiles its vectors for every engine of the build's CPUs, each with the engine's instructions
//! enabled, and runs those of one level. The engines come from the list of levels, so that a level without one does not
//! compile.
// Invariant: a level is passed only if the CPU has it, and an engine is made where its instructions are enabled.

use super::Lanes;
use super::mask::Masks;
use crate::level::{Level, for_each_level};

/// Work that is compiled for each level.
pub(crate) trait Task: Sized {
    /// What it returns.
    type Output;
    /// Whether a CPU's arithmetic on f16 is of use.
    #[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "no level of these CPUs has any"))]
    const IN_F16: bool = false;
    /// Does the work in vectors, of which one has `LANES` lanes of 16 bits, and `VECTORS` have 32.
    fn vectors<E: Masks, const LANES: usize, const VECTORS: usize>(self, e: E) -> Self::Output;
    /// Does it without an engine.
    fn portable(self) -> Self::Output;
}

macro_rules! engines {
    ($(
        $(#[$doc:meta])*
        $level:ident $name:literal $function:ident on ($cpu:meta) by $detected:ident [$($feature:tt)*]
        engine ($($engine:tt)*) $lanes:literal $(else $other:ident)?;
    )*) => {
        $(
            #[cfg($cpu)]
            $(#[target_feature(enable = $feature)])*
            fn $function<T: Task>(task: T) -> T::Output {
                // SAFETY: the function enables the instructions, so whoever calls it has them.
                let e = unsafe { <$($engine)*>::new() };
                const { assert!(<$($engine)* as Lanes<u16>>::N == $lanes) };
                task.vectors::<_, $lanes, { 32 / $lanes }>(e)
            }
        )*

        /// Lanes of 16 bits that a vector has at a level; one without an engine.
        pub(crate) const fn lanes(level: Level) -> usize {
            match level {
                Level::Portable => 1,
                $(Level::$level => if cfg!($cpu) { $lanes } else { 1 },)*
            }
        }

        /// Runs the task at a level.
        ///
        /// # Safety
        /// This CPU has the level.
        #[inline]
        pub(crate) unsafe fn at<T: Task>(level: Level, task: T) -> T::Output {
            match level {
                Level::Portable => task.portable(),
                $(
                    #[cfg($cpu)]
                    $(
                        // SAFETY: this CPU has the level, and so the other one, which only lacks arithmetic on f16.
                        Level::$level if !T::IN_F16 => unsafe { $other(task) },
                        #[cfg($cpu)]
                    )?
                    // SAFETY: this CPU has the level.
                    Level::$level => unsafe { $function(task) },
                    #[cfg(not($cpu))]
                    Level::$level => task.portable(),
                )*
            }
        }
    };
}

for_each_level!(engines);
