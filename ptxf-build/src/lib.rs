//! Compiles kernels to PTX from a build script, and writes the PTX and the names of its entries to
//! a file of constants.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), ptxf_build::Error> {
//!     ptxf_build::Kernels::new("src/kernels.rs").target("sm_80").build()?;
//!     Ok(())
//! }
//! ```
//!
//! ```ignore
//! // src/main.rs
//! mod kernels;
//!
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
//! `src/kernels.rs` has `#[ptx_kernel]` functions, which the host can run on the CPU. For devices
//! the file is compiled in a crate of its own below `OUT_DIR`. It can use only itself, its own
//! modules, `ptxf`, and the dependencies of [`Kernels::dependency`]. `ptxf` comes from the same
//! registry, path or git repository as the host's. The package is published like any other.
//!
//! # A crate of kernels
//!
//! `Kernels::new("kernels")` compiles a crate of kernels, which the host depends on by path. Cargo
//! leaves the directory of such a crate out of a package, so that it is for programs that are not
//! published. The crate is an ordinary library that begins with
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
//! # Files and network
//!
//! Nothing is written outside of `OUT_DIR`. If `PTXF_BUILD_DIR` is set, code is compiled in that
//! directory, so that all packages, profiles and features share `core` and `ptxf`. A relative path
//! is below Cargo's target directory.
//!
//! A file of kernels uses the versions of the host's `Cargo.lock`. A crate of kernels needs a
//! `Cargo.lock`, its own or its workspace's, and is built with `--locked`. The network is used only
//! for dependencies of kernels that the host does not have, and not if `CARGO_NET_OFFLINE=true` or
//! Cargo's configuration forbids it.
//!
//! The first build takes minutes, since it compiles `core` and `ptxf` for the device. `cargo build
//! -vv` shows each step and its time.
//!
//! # The compiler
//!
//! The host is stable Rust. Kernels need a compiler with the NVPTX back end and the source of
//! `core`: a rustup nightly with `rust-src`, or Debian's `rustc-web`, `cargo-web` and
//! `rust-web-src`. `PTXF_RUSTC` names another compiler. Without a compiler the build goes on with a
//! warning, and `PTX` is an error that says what to install. [`Kernels::required`] makes this an
//! error of the build. Kernels that do not compile are always an error, with the compiler's output.
//!
//! # The PTX
//!
//! The kernels are compiled for one target, the oldest GPU that has to run them. The driver
//! compiles the PTX for a newer GPU. The build is optimized and has one file, whatever the crate's
//! profile is.

#![forbid(unsafe_code)]

mod compile;
mod error;
mod kernels;
mod not_found;
mod sm;
mod source;
mod target;
mod toolchain;
mod version;
mod wrapper;

pub use compile::Compiled;
pub use error::Error;
pub use kernels::{Built, Kernels};
pub use not_found::NotFound;
pub use sm::{family, sm};
pub use target::Target;
pub use toolchain::Toolchain;
pub use version::Version;

use ptxf_text::Unit;

/// Returns the names of the kernels in a PTX text, in its order.
///
/// # Errors
///
/// Returns an error with its place if the text is not PTX.
///
/// # Examples
///
/// ```
/// let ptx = ".version 7.8\n.target sm_75\n.visible .entry axpy_pair(.param .u32 n) { ret; }";
/// assert_eq!(ptxf_build::entries(ptx)?, ["axpy_pair"]);
/// # Ok::<(), ptxf_text::Error>(())
/// ```
pub fn entries(ptx: &str) -> Result<Vec<String>, ptxf_text::Error> {
    let unit = Unit::declarations(ptx)?;
    Ok(unit.entries().map(|entry| entry.name.of(ptx).to_owned()).collect())
}

/// Rust's name of the target.
pub const TARGET: &str = "nvptx64-nvidia-cuda";
