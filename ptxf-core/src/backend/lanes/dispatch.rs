//! From a level to its instructions.
// Invariant: a job's pointers are valid for its lanes, and a level is passed only if the CPU has it.

use super::kernel::{self, Job};
use super::op::{Operation, Route};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
use super::portable::Portable;
use super::{LaneFormat, Lanes};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use crate::format::Format as _;
use crate::level::Level;
use crate::modifiers::Modifiers;

/// Runs a job at a level.
pub(crate) trait Dispatch: LaneFormat {
    /// # Safety
    /// The operands and the results of `job` are valid for their lanes, and this CPU has `level`.
    unsafe fn run<O: Operation, const M: u16>(level: Level, job: &Job<Self::Bits>);
}

/// The kernels of one level, compiled with its instructions enabled.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
macro_rules! compiled {
    ($name:ident $engine:ty, $features:literal) => {
        /// # Safety
        /// The operands and the results of `job` are valid for their lanes.
        #[target_feature(enable = $features)]
        unsafe fn $name<F, O: Operation, const M: u16>(job: &Job<F::Bits>)
        where
            F: kernel::Path<$engine>,
            $engine: Lanes<F::Bits>,
        {
            // SAFETY: the function enables the instructions, so whoever calls it has them.
            let e = unsafe { <$engine>::new() };
            // SAFETY: the caller's.
            unsafe { kernel::vectors::<F, O, _>(e, const { Modifiers::decode(M) }, job) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled!(avx512 super::avx512::Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c");
#[cfg(target_arch = "x86_64")]
compiled!(avx2 super::avx2::Avx2, "avx2,fma,f16c");
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
compiled!(neon super::neon::Neon<false>, "neon");
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
compiled!(neon_fp16 super::neon::Neon<true>, "neon,fp16");

/// # Safety
/// The operands and the results of `job` are valid for their lanes.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
unsafe fn portable<F, O: Operation, const M: u16>(job: &Job<F::Bits>)
where
    F: kernel::Path<Portable>,
    Portable: Lanes<F::Bits>,
{
    // SAFETY: the caller's.
    unsafe { kernel::blocks::<F, O, _>(Portable, const { Modifiers::decode(M) }, job) }
}

/// Without floats in hardware a lane's integers are quicker than vectors of soft floats.
///
/// # Safety
/// The operands and the results of `job` are valid for their lanes.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
unsafe fn portable<F: LaneFormat, O: Operation, const M: u16>(job: &Job<F::Bits>) {
    // SAFETY: the caller's.
    unsafe { kernel::scalar::<F, O>(const { Modifiers::decode(M) }, job) }
}

macro_rules! dispatch {
    ($($format:ident)*) => {$(
        impl Dispatch for crate::format::$format {
            #[inline]
            unsafe fn run<O: Operation, const M: u16>(level: Level, job: &Job<Self::Bits>) {
                if matches!(O::ROUTE, Route::Scalar) {
                    // SAFETY: the caller's.
                    return unsafe { kernel::scalar::<Self, O>(const { Modifiers::decode(M) }, job) };
                }
                match level {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the caller's, and this CPU has the level.
                    Level::Avx512 => unsafe { avx512::<Self, O, M>(job) },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the caller's, and this CPU has the level.
                    Level::Avx2 => unsafe { avx2::<Self, O, M>(job) },
                    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
                    // SAFETY: the caller's, and this CPU has the level.
                    Level::NeonFp16 if O::ARITHMETIC.is_some() && Self::PRECISION == 11 => unsafe {
                        neon_fp16::<Self, O, M>(job)
                    },
                    // The levels differ in f16's arithmetic alone.
                    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
                    // SAFETY: the caller's, and this CPU has the level.
                    Level::Neon | Level::NeonFp16 => unsafe { neon::<Self, O, M>(job) },
                    // SAFETY: the caller's.
                    _ => unsafe { portable::<Self, O, M>(job) },
                }
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
