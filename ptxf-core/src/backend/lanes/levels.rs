//! From a level to its instructions: what is compiled once for each.
//!
//! A loop over memory or a launch of threads is a [`Task`]. [`run`] compiles its vectors for every
//! engine of the build's CPUs, each with the engine's instructions enabled, and runs those of one
//! level. Engines, instructions and conditions come from the list of levels, so that a level
//! without an engine does not compile.
// Invariant: a level is passed only if the CPU has it, and an engine is made where its instructions are enabled.

use super::engine::{Memory, Vectors};
use crate::level::{Level, for_each_level};

/// Work that is compiled for each level.
pub(crate) trait Task: Sized {
    /// The result of the task.
    type Output;
    /// `true` if the task is faster with the CPU's arithmetic on f16.
    #[allow(dead_code, reason = "on some CPUs no two levels differ in that alone")]
    const IN_F16: bool;
    /// `true` if the portable level runs the task in the vectors that every CPU of the build has.
    #[allow(dead_code, reason = "a build may have none")]
    const IN_SIMD128: bool;
    /// Does the work in vectors, of which one has `LANES` lanes of 16 bits, and `VECTORS` have 32.
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) -> Self::Output;
    /// Does it without vectors.
    fn portable(self) -> Self::Output;
}

/// The work at an engine.
#[allow(dead_code, reason = "a build may have no engine, and all that is written for one hangs on this")]
#[inline_in_release]
fn on<E: Vectors, T: Task, const LANES: usize, const VECTORS: usize>(e: E, task: T) -> T::Output {
    const { assert!(<E::U16 as Memory<u16>>::N == LANES && LANES * VECTORS == 32) };
    const { assert!(<E::U32 as Memory<u32>>::N * 2 == LANES) };
    task.vectors::<E, LANES, VECTORS>(e)
}

/// The work at the portable level.
#[inline]
fn at_portable<T: Task>(task: T) -> T::Output {
    in_simd128! {
        if T::IN_SIMD128 {
            return on::<_, T, 8, 4>(super::simd128::Simd128, task);
        }
    }
    task.portable()
}

macro_rules! engines {
    ($($arch:ident on ($cpu:meta) by $detected:ident {
        $(
            $(#[$doc:meta])*
            $level:ident $name:literal $function:ident [$($feature:tt)*]
            engine ($($engine:tt)*) $lanes:literal $(else $other:ident)?;
        )*
    })*) => {
        /// The work at each level. Methods, not functions: the compiler puts a method into the
        /// module of what it is a method of, so that a program's kernels are compiled side by side,
        /// and again only where they change.
        #[allow(dead_code, reason = "a build may have no engine")]
        trait AtLevels: Task {
            $($(
                #[cfg($cpu)]
                $(#[target_feature(enable = $feature)])*
                /// # Safety
                /// This CPU has the level.
                unsafe fn $function(self) -> Self::Output {
                    // SAFETY: the function enables the instructions, so whoever calls it has them.
                    let e = unsafe { super::arch::$arch::$($engine)*::new() };
                    on::<_, Self, $lanes, { 32 / $lanes }>(e, self)
                }
            )*)*
        }
        impl<T: Task> AtLevels for T {}

        /// The last level of which every CPU of the build has the instructions, on x86-64. On other
        /// CPUs nobody has measured what values gain from vectors.
        #[allow(dead_code, reason = "most builds are for CPUs of which some have no vectors to compute values in")]
        const BASELINE: Level = {
            #[allow(unused_mut, reason = "a build may have no engine")]
            let mut level = Level::Portable;
            $($(
                if cfg!(all(target_arch = "x86_64", $cpu, $(target_feature = $feature),*)) {
                    level = Level::$level;
                }
            )*)*
            level
        };

        /// Runs the task at [`BASELINE`], inlined.
        #[allow(dead_code, reason = "as above")]
        #[inline_in_release]
        pub(crate) fn run_at_baseline<T: Task>(task: T) -> T::Output {
            match BASELINE {
                $($(
                    #[cfg(all($cpu, $(target_feature = $feature),*))]
                    Level::$level => {
                        // SAFETY: the build has the instructions, so whoever runs it has them.
                        let e = unsafe { super::arch::$arch::$($engine)*::new() };
                        on::<_, T, $lanes, { 32 / $lanes }>(e, task)
                    }
                )*)*
                _ => task.portable(),
            }
        }

        /// Lanes of 16 bits that a vector has at a level; one without an engine.
        pub(crate) const fn lanes(level: Level) -> usize {
            match level {
                Level::Portable => 1,
                $($(Level::$level => if cfg!($cpu) { $lanes } else { 1 },)*)*
            }
        }

        /// Runs the task at a level.
        ///
        /// # Safety
        /// This CPU has the level.
        #[inline]
        pub(crate) unsafe fn run<T: Task>(level: Level, task: T) -> T::Output {
            match level {
                Level::Portable => at_portable(task),
                $($(
                    #[cfg($cpu)]
                    $(
                        // SAFETY: this CPU has the level, and so the other one, which only lacks
                        // arithmetic on f16.
                        Level::$level if !T::IN_F16 => unsafe { task.$other() },
                        #[cfg($cpu)]
                    )?
                    // SAFETY: this CPU has the level.
                    Level::$level => unsafe { task.$function() },
                    #[cfg(not($cpu))]
                    Level::$level => at_portable(task),
                )*)*
            }
        }
    };
}

for_each_level!(engines);
