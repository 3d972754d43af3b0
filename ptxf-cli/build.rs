//! Names the file that the command carries, `libptxf_cuda.so`, for `include_bytes!` in
//! `src/main.rs`.
//!
//! The crate `ptxf-cuda` is a Rust library and a shared one. Cargo compiles both at once, as a
//! dependency of the command, and writes the shared one to `deps` before it compiles the program.
//! So the program can include the file, and nothing is compiled twice.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    // The parent folders of `<profile>/build/<package>/out`. A later Cargo may arrange them
    // otherwise.
    let deps = out.ancestors().nth(3).map(|profile| profile.join("deps")).filter(|deps| is_linux && deps.is_dir());
    let file = deps.as_deref().unwrap_or(&out).join("libptxf_cuda.so");
    placeholder(&file)?;
    println!("cargo::rustc-env=LIBPTXF_CUDA={}", file.display());
    Ok(())
}

/// Creates an empty file if there is none. `cargo check` compiles no shared library, and neither do
/// targets without them. Otherwise the linker replaces the file.
fn placeholder(file: &Path) -> io::Result<()> {
    match fs::File::create_new(file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
