//! A GPU through NVIDIA's driver, which is looked for at run time.
//!
//! The thin layer of `cudarc` is used, not its safe one: that one loads PTX only with its `nvrtc` feature, whose errors lack
//! the compiler's log, and takes memory from pools. Everything runs on the null stream of one thread.
//!
//! What can be known is checked: that a buffer is one of the context that it is used in, which every call makes the current one;
//! that a launch passes buffers where the entry's PTX has pointers, and numbers of its types where it has none. What a kernel does
//! with them cannot be known. On many machines a device reaches the host's memory, so [`Kernel::launch`] is `unsafe`.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

mod context;
mod error;
mod library;
mod memory;
mod module;
mod primary;
mod signature;
mod time;

pub use context::{Absent, Context, Info, open};
pub use error::Error;
pub use memory::Buffer;
pub use module::{Arg, Extent, Kernel, Module};
pub use signature::{Shape, Signature};
