//! What a named device returns, where the manual leaves it open.
//!
//! The functions of `ptxf` follow the default model: approximate instructions return the correctly rounded result, which
//! lies inside every documented bound. A *device model* returns what silicon returns, bit for bit, even where that is
//! outside the bound (as `cos.approx.f32` is near 0x409CCDB6 by what is published about older devices). It is a value, [`Model`], that the caller chooses; nothing
//! chooses one silently.
//!
//! A model exists if its device was measured and the data is committed, and else not: there is no guess and no neighbour's
//! data in its place. **No device has been measured so far**, so that [`Model::Reference`] is the only one. What is here is
//! what a measurement needs to become a model:
//!
//! | module | is |
//! |---|---|
//! | [`delta`] | a dump of 65,536 results of a 16-bit form, stored as differences from the default model |
//! | [`unit`](mod@unit) | the function unit behind the f32 forms and the instructions around it, coefficients an argument |
//!
//! `cargo xtask gpu capture` measures, `cargo xtask fit` turns samples into coefficients.

pub mod delta;
mod model;
pub mod unit;

pub use model::{Model, ModelError};
