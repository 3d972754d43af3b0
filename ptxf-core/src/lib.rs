//! Types, instructions and meaning behind the [`ptxf`](https://docs.rs/ptxf) crate.
//!
//! Layers, each using only those above it: [`int`], [`format`](mod@format), [`modifiers`] → [`sem`] (the meaning, integers
//! only) → `backend` (what a build runs) → [`types`] and [`ptx`] (expanded from the table) → [`spec`] (its reflection).

#![no_std]
// Device code alone needs what is not stable yet.
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]
#![cfg_attr(
    target_arch = "nvptx64",
    allow(dead_code, unused_imports, reason = "how much of the meaning a device needs depends on its target")
)]

#[cfg(feature = "std")]
extern crate std;

mod backend;
pub mod format;
pub mod int;
pub mod modifiers;
pub mod ptx;
pub mod sem;
pub mod spec;
pub mod types;

pub use modifiers::{Modifiers, Round};
pub use types::{Bf16, Bf16x2, F16, F16x2, F32x2, ParseFloatError};

ptxf_macros::callback!();
