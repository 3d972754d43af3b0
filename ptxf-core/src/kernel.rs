//! What `#[ptx_kernel]` expands to, and what its expansion runs on: one body, written in scalar floats, for one thread, for
//! two in a register, and for as many as a vector of the CPU holds.
//!
//! A kernel with its arguments is a [`Body`]. The launches run it over a [`Grid`], and all leave the same bits in every
//! buffer:
//!
//! | launch | threads at a time |
//! |---|---|
//! | [`launch_one`] | one, in scalar code: the definition |
//! | [`launch_pair`] | two, in the packed instructions that a GPU runs |
//! | [`launch_wide`] | 16 or 32, in the CPU's vectors |
//!
//! The groups of a launch are its threads in order, none of them across a block's border. Threads that do not exist, or that
//! the code in question is not for, are masked: they touch no memory.

mod convert;
mod ctx;
#[cfg(target_arch = "nvptx64")]
pub mod device;
mod element;
mod grid;
mod index;
mod int;
#[cfg(not(target_arch = "nvptx64"))]
mod launch;
mod pair;
#[cfg(not(target_arch = "nvptx64"))]
mod plan;
#[cfg(feature = "kernel-trace")]
#[cfg_attr(docsrs, doc(cfg(feature = "kernel-trace")))]
pub mod trace;
mod two;
mod view;
#[cfg(not(target_arch = "nvptx64"))]
mod wide;

pub use ctx::*;
pub use element::Element;
pub use grid::{Grid, Order};
pub use index::Lin;
#[cfg(not(target_arch = "nvptx64"))]
pub use launch::{launch_one, launch_pair};
pub use view::{In, Out};
#[cfg(not(target_arch = "nvptx64"))]
pub use wide::launch_wide;

#[cfg(test)]
mod tests;
