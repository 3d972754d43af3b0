//! What a programmer writes who packs two elements by hand: every slice is of pairs, every row of a
//! matrix padded to whole ones.
//!
//! The operations are those of the benchmark's text, one by one, so the bits are the same. What a
//! pair has no instruction for happens in f32, one lane after the other.
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
