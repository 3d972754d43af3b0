//! Types, instructions and kernels of the [`ptxf`](https://docs.rs/ptxf) crate, through which
//! programs use them.
//!
//! Each layer uses only the layers above it:
//!
//! | layer | contents |
//! |---|---|
//! | [`int`], [`format`](mod@format), [`modifiers`] | integers of any width, number formats, what an instruction's modifiers ask for |
//! | [`sem`] | the definition of every instruction, in integers: the reference implementation |
//! | `scalar` | the same for one value, on the CPU's floating-point unit |
//! | [`types`] | values |
//! | `backend` | what a build runs: scalar code, the CPU's vectors, a GPU's instructions |
//! | [`ptx`](mod@ptx) | one function for every form; expanded from the table |
//! | [`slice`](mod@slice) | the forms over slices; expanded from the table |
//! | [`kernel`] | kernels, written for one thread |
//! | [`spec`] | the table as data |
//!
//! The macro [`ptx!`] takes PTX's own spelling.

#![no_std]
// Device code alone needs what is not stable yet.
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, stdarch_nvptx))]
#![cfg_attr(
    target_arch = "nvptx64",
    allow(dead_code, unused_imports, reason = "how much of the meaning a device needs depends on its target")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(ptxf_f16, feature(f16))]

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
pub mod matrix;
pub mod modifiers;
#[cfg(feature = "rayon")]
mod parallel;
pub mod ptx;
mod scalar;
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
/// Turns a function into one that converted kernels can call. `ptxf::ptx_fn` has the documentation.
pub use ptxf_macros::ptx_fn;
/// Turns a function that is written for one thread into a kernel. `ptxf::ptx_kernel` has the
/// documentation.
pub use ptxf_macros::ptx_kernel;
/// Shows the kernels of a module what else the module declares. `ptxf::ptx_module` has the
/// documentation.
pub use ptxf_macros::ptx_module;
pub use types::{
    Bf16, Bf16x2, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4,
    E5m2, E5m2x2, E5m2x4, F16, F16x2, F32x2, ParseFloatError, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2,
    Ue8m0x4,
};

/// Names that expansions of the macros use.
#[doc(hidden)]
pub mod __private {
    pub use ptxf_macros::ptx;
}

ptxf_macros::callback!();
ptxf_macros::slices_callback!();
ptxf_macros::slice_lanes_callback!();
