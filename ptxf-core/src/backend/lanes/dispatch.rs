//! Runs a job at a level.
// Invariant: a job's pointers are valid for its lanes, and a level is passed only if the CPU has it.

use super::LaneFormat;
use super::kernel::{self, Job};
use super::levels::{self, Task};
use super::mask::Masks;
use super::op::{Operation, Route};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
use super::portable::Portable;
use crate::format::Format as _;
use crate::level::Level;
use crate::modifiers::Modifiers;

/// Runs a job at a level.
pub(crate) trait Dispatch: LaneFormat {
    /// # Safety
    /// The operands and the results of `job` are valid for their lanes, and this CPU has `level`.
    unsafe fn run<O: Operation, const M: u16>(level: Level, job: &Job<Self::Bits>);
}

/// A job whose operands and results are valid for their lanes, of an operation `O` with the modifiers `M`.
struct Over<'a, F: LaneFormat, O, const M: u16> {
    job: &'a Job<F::Bits>,
    of: core::marker::PhantomData<O>,
}

macro_rules! dispatch {
    ($($format:ident)*) => {$(
        impl<O: Operation, const M: u16> Task for Over<'_, crate::format::$format, O, M> {
            type Output = ();
            const IN_F16: bool = O::ARITHMETIC.is_some() && crate::format::$format::PRECISION == 11;

            #[inline(always)]
            fn vectors<E: Masks, const LANES: usize, const VECTORS: usize>(self, e: E) {
                // SAFETY: as whoever made it says.
                unsafe { kernel::vectors::<crate::format::$format, O, E>(e, const { Modifiers::decode(M) }, self.job) }
            }

            #[cfg(any(
                all(target_arch = "x86_64", target_feature = "sse2"),
                all(target_arch = "aarch64", target_feature = "neon")
            ))]
            #[inline]
            fn portable(self) {
                let m = const { Modifiers::decode(M) };
                // SAFETY: as whoever made it says.
                unsafe { kernel::blocks::<crate::format::$format, O, Portable>(Portable, m, self.job) }
            }

            /// Without floats in hardware a lane's integers are quicker than vectors of soft floats.
            #[cfg(not(any(
                all(target_arch = "x86_64", target_feature = "sse2"),
                all(target_arch = "aarch64", target_feature = "neon")
            )))]
            #[inline]
            fn portable(self) {
                // SAFETY: as whoever made it says.
                unsafe { kernel::scalar::<crate::format::$format, O>(const { Modifiers::decode(M) }, self.job) }
            }
        }

        impl Dispatch for crate::format::$format {
            #[inline]
            unsafe fn run<O: Operation, const M: u16>(level: Level, job: &Job<Self::Bits>) {
                if matches!(O::ROUTE, Route::Scalar) {
                    // SAFETY: the caller's.
                    return unsafe { kernel::scalar::<Self, O>(const { Modifiers::decode(M) }, job) };
                }
                let over = Over::<Self, O, M> { job, of: core::marker::PhantomData };
                // SAFETY: the caller's.
                unsafe { levels::at(level, over) }
            }
        }
    )*};
}

dispatch!(Binary16 BFloat16 Binary32);

impl Dispatch for crate::format::Binary64 {
    #[inline]
    unsafe fn run<O: Operation, const M: u16>(_: Level, job: &Job<Self::Bits>) {
        // SAFETY: the caller's.
        unsafe { kernel::scalar::<Self, O>(const { Modifiers::decode(M) }, job) }
    }
}
