#![doc = include_str!("../README.md")]
#![expect(unsafe_code, reason = "the driver's functions are foreign, and a device trusts addresses")]

mod element;
mod error;
mod kernels;
mod memory;

pub use element::{Element, Held};
pub use error::Error;
pub use kernels::{Kernels, Prepared, compiler_log};
