//! Handwritten packed kernels: every slice has pairs, every row of a matrix is padded to whole
//! pairs.
//!
//! The operations are those of the benchmark's text with `fuse`, one by one, so the bits are equal.
//! Operations without a packed instruction are computed in f32, lane by lane.
#![allow(unsafe_code, reason = "threads write at more than their own index, and instructions are named")]

pub mod adjust;
pub mod assign;
pub mod fold;
pub mod forces;
pub mod gain;
pub mod gaussian;
mod lanes;
pub mod matmul;
pub mod nn;
pub mod price;
pub mod step;
