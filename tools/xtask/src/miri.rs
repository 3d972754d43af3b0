//! `cargo xtask miri`: the library's memory accesses under Miri, as users run it on their programs.
//!
//! Miri finds undefined behaviour in what a test executes, and is some thousand times slower than the test. So it is given the kernels'
//! unit tests but for those that it ignores, and the tests of `ptxf-core` whose first line says that they are small enough for it:
//! slices, views and kernels of few elements.

use std::process::ExitCode;

use anyhow::{Result, bail, ensure};

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
    let features = ["--features", "std,half,rayon,kernel-trace"];
    let test = [&["miri", "test", "--quiet", "--package", "ptxf-core"], &features[..]].concat();
    let small = small()?;
    let integration: Vec<&str> = small.iter().flat_map(|name| ["--test", name]).collect();
    for selection in [&["--lib", "--", "kernel::"][..], &integration] {
        let mut cargo = toolchain.cargo(&[&test, selection].concat());
        // rayon's threads never end, and its queues are sound under tree borrows alone, and make pointers of integers.
        let flags = "-Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-permissive-provenance";
        cargo.env("MIRIFLAGS", flags).env_remove("RUSTFLAGS");
        // Miri's own standard library; in the user's place for it another toolchain may be at work.
        cargo.env("XDG_CACHE_HOME", shell::root().join("target/miri-library"));
        shell::run(&mut cargo)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The integration tests of `ptxf-core` that say so in their first line.
fn small() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in shell::root().join("ptxf-core/tests").read_dir()? {
        let file = entry?.path();
        let is_small = |text: String| text.lines().next().is_some_and(|line| line.contains("small enough for Miri"));
        if file.is_file() && is_small(std::fs::read_to_string(&file)?) {
            names.extend(file.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    ensure!(names.contains(&"memory".to_owned()), "no test says that it is small enough for Miri: {names:?}");
    Ok(names)
}
