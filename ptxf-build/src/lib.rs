//! Compiles kernels to PTX from a build script, and hands the host the text and the entries' names.
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
//! `src/kernels.rs` has `#[ptx_kernel]` functions, which the host runs on the CPU as well. For devices it is compiled in a crate of
//! its own, written below `OUT_DIR`: a module that names nothing of the host's beyond itself and its own modules, and
//! depends on `ptxf`, and on what [`Kernels::dependency`] names. The package is published as any other.
//!
//! # A crate of kernels
//!
//! Kernels can also be a crate, `Kernels::new("kernels")`, which the host depends on by its path: Cargo leaves such a directory out
//! of a package, so this is for programs that are not published. It is an ordinary library that begins with
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
//! # What is not done
//!
//! Nothing is written outside `OUT_DIR` and the directory that `PTXF_BUILD_DIR` names, if it is set: there `core` and `ptxf` are compiled
//! once for each target, where every package, profile and set of features has an `OUT_DIR` of its own. A file's crate takes the versions of the host's `Cargo.lock`; a crate has to have a
//! `Cargo.lock`, its own or its workspace's, and is built with `--locked`. Cargo does not tell build scripts of `--offline`, so the network is
//! asked only for dependencies of kernels that the host does not have itself, and not where `CARGO_NET_OFFLINE=true` or Cargo's
//! configuration forbids it.
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

mod around;
mod compile;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod kernels;
mod not_found;
pub mod ptx;
mod sm;
mod target;
mod toolchain;
mod version;

pub use compile::Compiled;
pub use error::Error;
pub use kernels::{Built, Kernels};
pub use not_found::NotFound;
pub use ptx::entries;
pub use sm::{family, sm};
pub use target::Target;
pub use toolchain::Toolchain;
pub use version::Version;

/// The name that Rust has for devices as a target.
pub const TARGET: &str = "nvptx64-nvidia-cuda";
