//! `cargo xtask kernels`: kernels that nobody wrote, from any seed.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::shell;

/// Generate kernels, compile them, and compare their siblings as the tests do.
///
/// The tests have the kernels of one seed (tests/kernels/src/generated.rs). A failure prints the kernel's source.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which kernels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many
    #[arg(long, default_value_t = 40)]
    count: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let root = shell::root();
    let folder = root.join("target/kernels");
    write_crate(&folder, root, &testutil::kernels::generate(args.seed, args.count))?;
    let manifest = folder.join("Cargo.toml");
    let mut test = shell::command("cargo", &["test", "--manifest-path", &manifest.to_string_lossy()]);
    shell::run(test.env("CARGO_TARGET_DIR", folder.join("target")))?;
    println!("{} kernels of seed {} agree in all siblings", args.count, args.seed);
    Ok(ExitCode::SUCCESS)
}

/// A crate with the generated kernels and the harness of the tests.
fn write_crate(folder: &Path, root: &Path, kernels: &str) -> Result<()> {
    let root = root.display();
    fs::create_dir_all(folder.join("src"))?;
    fs::write(
        folder.join("Cargo.toml"),
        format!(
            "[package]\nname = \"generated-kernels\"\nedition = \"2024\"\n\n\
             [dev-dependencies]\n\
             ptxf = {{ path = \"{root}\", features = [\"kernel-trace\", \"rayon\"] }}\n\
             rayon = \"1.10\"\n\
             testutil = {{ path = \"{root}/testutil\" }}\n\n\
             [profile.test]\nopt-level = 0\ndebug = \"line-tables-only\"\n\n\
             [profile.test.package.\"*\"]\nopt-level = 2\n\n\
             [workspace]\n"
        ),
    )?;
    fs::write(
        folder.join("src/lib.rs"),
        format!(
            "#![cfg(test)]\n#![allow(dead_code)]\n\n\
             #[path = \"{root}/tests/kernels/src/float.rs\"]\nmod float;\n\
             mod generated;\n\
             #[path = \"{root}/tests/kernels/src/harness.rs\"]\nmod harness;\n"
        ),
    )?;
    fs::write(folder.join("src/generated.rs"), kernels)?;
    Ok(())
}
