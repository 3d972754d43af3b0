//! Models of devices: the bits that a GPU returns for approximate instructions.
//!
//! The functions of `ptxf` follow the default model: approximate instructions return the correctly
//! rounded result, which lies inside every documented bound. A *device model* returns the bits of a
//! device, even where they are outside of the bound. (`cos.approx.f32` is, near 0x409CCDB6, by
//! publications on older devices.) The caller chooses a model by passing a [`Model`]; nothing else
//! chooses one.
//!
//! A model exists only if its device was measured. No model contains guesses or another device's
//! data. So far one device has been measured, an H100: [`Model::Sm90`]. A model may lack forms; it
//! returns the error [`Unmeasured`] for these.
//!
//! Three commands of the repository make a model: `ptxf-gpu capture` measures, `ptxf-gpu adopt`
//! adds the results to the repository, and `cargo gpu model` derives the model. Dumps become
//! differences, and samples become coefficients. A form of f32 is in the model only if the hash of
//! all its 2^32 results is the device's (`docs/device.md`).
//!
//! # Unstable modules
//!
//! Models follow publications on the hardware, as far as one device's results confirm them. The
//! feature `unstable-device` of `ptxf-tables`, which `ptxf` does not have, exports two modules for
//! programs that compare them with results. No version guarantees their interface:
//!
//! | module | contents |
//! |---|---|
//! | `delta` | a dump of 65,536 results of a 16-bit form, stored as differences from the default model |
//! | `unit` | the function unit of the f32 forms and the instructions around it; coefficients are arguments |

mod data;
#[cfg(feature = "unstable-device")]
pub mod delta;
#[cfg(not(feature = "unstable-device"))]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "models use a part of it")]
mod delta;
mod error;
mod measured;
mod model;
mod provenance;
mod register;
mod slice;
#[cfg(feature = "unstable-device")]
pub mod unit;
#[cfg(not(feature = "unstable-device"))]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "models use a part of it")]
mod unit;

pub use error::{CallError, ModelError, SliceError, Unmeasured};
pub use model::Model;
pub use provenance::Provenance;
