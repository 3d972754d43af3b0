//! What a named device returns, where the manual leaves it open.
//!
//! The functions of `ptxf` follow the default model: approximate instructions return the correctly rounded result, which
//! lies inside every documented bound. A *device model* returns what silicon returns, bit for bit, even where that is
//! outside the bound (as `cos.approx.f32` is near 0x409CCDB6 by what is published about older devices). It is a value,
//! [`Model`], that the caller chooses; nothing chooses one silently.
//!
//! A model exists if its device was measured and the data is committed, and else not: there is no guess and no neighbour's
//! data in its place. **No device has been measured so far**, so that [`Model::Reference`] is the only one. A device's model
//! may know some forms only; for the others it returns an error, [`Unmeasured`], that says what is missing.
//!
//! | module | is |
//! |---|---|
//! | [`delta`] | a dump of 65,536 results of a 16-bit form, stored as differences from the default model |
//! | [`unit`](mod@unit) | the function unit behind the f32 forms and the instructions around it, coefficients an argument |
//!
//! `cargo xtask gpu capture` measures, `gpu adopt` takes the results into the repository, and `cargo xtask model` makes the
//! model of them: dumps become differences, samples coefficients, and the sweeps' hashes of all 2^32 results decide
//! whether a form of f32 is in it (`docs/device.md`).
//!
//! No model has the forms of f64: their function unit takes and returns upper words, and neither its tables' shape nor its
//! evaluation is published. Nor has one `tanh.approx.f32`, of which too little is.

mod data;
pub mod delta;
mod error;
mod measured;
mod model;
mod provenance;
mod register;
mod slice;
pub mod unit;

pub use error::{CallError, ModelError, SliceError, Unmeasured};
pub use model::Model;
pub use provenance::Provenance;
