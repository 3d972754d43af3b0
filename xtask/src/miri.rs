//! `cargo xtask miri`: the library's memory accesses under Miri, as users run it on their programs.
//!
//! Miri finds undefined behaviour in what a test executes, and is some thousand times slower than the test. So it is given the kernels'
//! unit tests but for those that ignore it, and `tests/memory.rs`: slices, views and kernels of few elements.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::rustup::Toolchain;
use crate::shell;

/// Run slices, views and kernels under Miri, at the portable level.
///
/// Exits with status 3 if there is no nightly toolchain with Miri, with 1 under PTXF_STRICT=1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let rustup get a nightly with Miri, into target/rustup
    #[arg(long)]
    install: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Some(toolchain) = Toolchain::find("nightly", &["miri", "rust-src"], args.install) else {
        let why = "there is no nightly toolchain with Miri and rust-src; get one with\n  cargo xtask miri --install";
        if shell::is_strict() {
            bail!("{why}");
        }
        println!("SKIPPED: no memory access was looked at: {why}");
        return Ok(ExitCode::from(3));
    };
    println!("{}", toolchain.version().unwrap_or_default());
    let test = ["miri", "test", "--quiet", "--package", "ptxf-core", "--features", "std,half,rayon,kernel-trace"];
    for selection in [&["--lib", "--", "kernel::"][..], &["--test", "memory"]] {
        let mut cargo = toolchain.cargo(&[&test, selection].concat());
        // rayon's threads never end, and its queues are sound under tree borrows alone.
        cargo.env("MIRIFLAGS", "-Zmiri-ignore-leaks -Zmiri-tree-borrows").env_remove("RUSTFLAGS");
        shell::run(&mut cargo)?;
    }
    Ok(ExitCode::SUCCESS)
}
