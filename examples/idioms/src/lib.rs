//! Everyday CUDA kernels: one file per idiom, with its data and a plain loop in f64.
//!
//! `docs/kernels.md` is the guide. `main.rs` prints each idiom's error in 16-bit floats.

#![allow(missing_docs, unreachable_pub, missing_debug_implementations, reason = "an example is not a library")]

pub mod idiom;
mod kernels;
mod measure;
mod random;
pub mod report;
#[cfg(test)]
mod tests;

use idiom::Idiom;

/// Returns all idioms, in the order of the report.
pub fn all() -> Vec<Box<dyn Idiom>> {
    vec![
        Box::new(kernels::softmax::Softmax::new()),
        Box::new(kernels::layernorm::LayerNorm::new()),
        Box::new(kernels::conv2d::Conv2d::new()),
        Box::new(kernels::nbody::NBody::new()),
        Box::new(kernels::scan::Scan::new()),
        Box::new(kernels::reduction::Reduction::new()),
        Box::new(kernels::transposition::Transposition::new()),
        Box::new(kernels::sort::Sort::new()),
        Box::new(kernels::dequantization::Dequantization::new()),
    ]
}

/// The guide's programs are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/kernels.md")]
struct Guide;
