//! Vectors of lanes: the code that slices and wide kernels run.
//!
//! ```text
//! slice::fma_rn_f16(a, b, c, out)
//!     ─► slice::run    lengths are checked, slices become a job over lanes
//!     ─► walk          a loop over the job, compiled for each level (levels)
//!     ─► finish        one vector: operands flushed, computed, rounded, NaNs canonical
//!     ─► op            what is computed: on bits, in binary32 lanes, in binary64 lanes
//!     ─► engine        the instructions of a CPU: arch::{x86_64, aarch64}, simd128, or portable
//! ```
//!
//! Each layer imports only from those below it. So do conversions ([`convert`]), which the same
//! loop runs, and sums ([`reduce`]), which have a loop of their own. [`format`](mod@format) and
//! [`modifiers`] serve both `op` and `finish`. A wide kernel enters at
//! [`Lanewise`](walk::Lanewise); its memory is not a job.
//!
//! All functions are inlined into the function of a level, since only that enables the CPU's
//! instructions. A build with debug assertions does not inline. It compiles each function once, in
//! a third of the time, and calls instructions as functions.
//!
//! A vector holds 16-bit or 32-bit lanes as integers. Arithmetic on the 16-bit formats happens in
//! binary32 lanes, two vectors of them for one of 16-bit lanes.

#![expect(unsafe_code, reason = "vector instructions and bare pointers, each with its proof")]

/// Compiles an item or a statement only in builds with [`simd128`]. All CPUs of such a build have
/// vectors of 128 bits that the crate `wide` supports, and no engine of [`arch`] exists for them.
macro_rules! in_simd128 {
    ($($one:tt)*) => {
        #[cfg(any(
            all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
            all(target_arch = "wasm32", target_feature = "simd128")
        ))]
        $($one)*
    };
}

pub(crate) mod arch;
pub(crate) mod convert;
mod directed;
mod elementary;
pub(crate) mod engine;
pub(crate) mod finish;
pub(crate) mod form_modifiers;
pub(crate) mod format;
mod in_binary64;
mod lane_memory;
pub(crate) mod levels;
mod modifiers;
pub(crate) mod op;
mod portable;
pub(crate) mod reduce;
mod rounding;
mod rsqrt;
in_simd128! { mod simd128; }
mod subnormal;
pub(crate) mod walk;
