//! A GPU through NVIDIA's driver, which is looked for at run time.
//!
//! The thin layer of `cudarc` is used, not its safe one: that one loads PTX only with its `nvrtc` feature, whose errors lack
//! the compiler's log, and takes memory from pools. Everything runs on the null stream of one thread.
//!
//! The functions are safe because a device's memory is none of the host's: a launch passes numbers and addresses of
//! [`Buffer`]s, in the number and widths that the entry's PTX declares, and what a kernel does with them happens over there.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

mod context;
mod error;
mod memory;
mod module;
mod parameters;
mod time;

pub use context::{Absent, Context, Info, open};
pub use error::Error;
pub use memory::Buffer;
pub use module::{Arg, Extent, Kernel, Module};
pub use parameters::parameters;
