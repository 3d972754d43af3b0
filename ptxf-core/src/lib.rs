//! Types, instructions and meaning behind the [`ptxf`](https://docs.rs/ptxf) crate.
//!
//! Layers, each using only those above it: [`int`], [`format`](mod@format), [`modifiers`] → [`sem`] (the meaning, integers
//! only) → `backend` (what a build runs) → [`types`] and [`ptx`](mod@ptx), then [`slice`](mod@slice) (all
//! expanded from the table) and [`kernel`] → [`spec`] (the table's reflection). The macro [`ptx!`] stands on top.

#![no_std]
// Device code alone needs what is not stable yet.
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, stdarch_nvptx))]
#![cfg_attr(
    target_arch = "nvptx64",
    allow(dead_code, unused_imports, reason = "how much of the meaning a device needs depends on its target")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use(inline_in_release)]
extern crate ptxf_macros;
#[cfg(feature = "std")]
extern crate std;

mod backend;
mod features;
pub mod format;
pub mod int;
pub mod kernel;
mod level;
pub mod modifiers;
#[cfg(feature = "rayon")]
mod parallel;
pub mod ptx;
pub mod sem;
pub mod slice;
pub mod spec;
pub mod types;

#[cfg(feature = "rand-010")]
pub use features::impl_rand as rand;
#[cfg(feature = "serde")]
pub use features::impl_serde as serde;
#[cfg(feature = "std")]
pub use level::LevelVariableError;
pub use level::{Level, ParseLevelError};
pub use modifiers::{BitComparison, BoolOp, Comparison, Modifiers, Round, SignedComparison, UnsignedComparison};
/// Makes a function one that converted kernels call; see [`kernel`](mod@kernel). Its only options are `keep(…)` and
/// `crate = path`.
pub use ptxf_macros::ptx_fn;
/// Makes a function a kernel, for a GPU, for a CPU, and with two threads in a register; see [`kernel`](mod@kernel).
pub use ptxf_macros::ptx_kernel;
/// Tells the kernels and the functions of a module what else it declares: signatures, constants and structures; see
/// [`kernel`](mod@kernel#modules). It stands on a module whose items are there, `mod kernels { … }`, and has no options; the entries of
/// its kernels have the module's name in front.
pub use ptxf_macros::ptx_module;
pub use types::{
    Bf16, Bf16x2, E2m1, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, F16, F16x2, F32x2, ParseFloatError, S2f6, S2f6x2, Tf32, Ue8m0, Ue8m0x2,
};

/// What the macros expand to, for nobody else.
#[doc(hidden)]
pub mod __private {
    pub use ptxf_macros::ptx;
}

ptxf_macros::callback!();
ptxf_macros::slices_callback!();
ptxf_macros::slice_lanes_callback!();
