//! Compiles a crate of kernels to PTX from a build script, and hands the host the text and the entries' names.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), ptxf_build::Error> {
//!     ptxf_build::Kernels::new("kernels").target("sm_80").build()?;
//!     Ok(())
//! }
//! ```
//!
//! ```ignore
//! // src/main.rs
//! mod device {
//!     include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
//! }
//!
//! match device::PTX {
//!     Ok(ptx) => launch(ptx, device::ENTRIES),
//!     Err(why) => eprintln!("no kernels for a device: {why}"),
//! }
//! ```
//!
//! The kernel crate is an ordinary library, which the host may depend on as well, to run the same kernels on the CPU. It begins
//! with
//!
//! ```ignore
//! #![no_std]
//! #![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]
//!
//! #[cfg(target_arch = "nvptx64")]
//! #[panic_handler]
//! fn panic(_: &core::panic::PanicInfo) -> ! {
//!     loop {}
//! }
//! ```
//!
//! # The compiler
//!
//! The host is stable Rust. Kernels need a compiler with the NVPTX back end and the source of `core`: a rustup nightly with
//! `rust-src`, or Debian's `rustc-web`, `cargo-web` and `rust-web-src`. Where neither is there, the build goes on with a
//! warning, and `PTX` is an error that says what was looked for and what to install; [`Kernels::required`] makes it stop. A
//! kernel crate that does not compile always stops the build, with the compiler's words. `PTXF_RUSTC` names another compiler.
//!
//! # What it is compiled with
//!
//! One target, the oldest GPU that the PTX shall run on; the driver compiles it for whatever newer one is there. Whatever
//! the crate's profile says, the build is optimized and whole: one file, without a linker.

mod compile;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod kernels;
pub mod ptx;
mod target;
mod toolchain;
mod version;

pub use compile::Compiled;
pub use error::Error;
pub use kernels::{Built, Kernels};
pub use ptx::entries;
pub use target::{Target, sm};
pub use toolchain::{NotFound, Toolchain};
pub use version::Version;

/// The target that all of this is about.
pub const TARGET: &str = "nvptx64-nvidia-cuda";
