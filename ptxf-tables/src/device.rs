//! What a named device returns, where the manual leaves it open.
//!
//! The functions of `ptxf` follow the default model: approximate instructions return the correctly rounded result, which
//! lies inside every documented bound. A *device model* returns what silicon returns, bit for bit, even where that is
//! outside the bound (as `cos.approx.f32` is near 0x409CCDB6 by what is published about older devices). It is a value,
//! [`Model`], that the caller chooses; nothing chooses one silently.
//!
//! A model exists if its device was measured and the data is committed, and else not: there is no guess and no neighbour's
//! data in its place. So far one device has been measured, an H100, [`Model::Sm90`]. A device's model
//! may know some forms only; for the others it returns an error, [`Unmeasured`], that says what is missing.
//!
//! In the repository, `ptxf-gpu capture` measures, `ptxf-gpu adopt` takes the results in, and `cargo gpu model` makes the
//! model of them: dumps become differences, samples coefficients, and the sweeps' hashes of all 2^32 results decide
//! whether a form of f32 is in it (`docs/device.md`).
//!
//! # What is not promised
//!
//! Models are made of what is published about the hardware and of what one device's results left of it. The feature
//! `unstable-device` of `ptxf-tables`, which `ptxf` does not have, shows it for programs that hold it against results, and no
//! version promises anything about it:
//!
//! | module | is |
//! |---|---|
//! | `delta` | a dump of 65,536 results of a 16-bit form, stored as differences from the default model |
//! | `unit` | the function unit behind the f32 forms and the instructions around it, coefficients an argument |

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
