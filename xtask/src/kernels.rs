//! `cargo xtask kernels`: kernels that nobody wrote, from any seed.

use std::process::ExitCode;

use anyhow::Result;

use crate::shell;

/// Generate kernels, compile them, and compare their siblings as the tests do.
///
/// The tests have the kernels of one seed (tests/kernels/build.rs). A failure prints the kernel's source.
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
    let Args { seed, count } = args;
    let mut test = shell::command("cargo", &["test", "--package", "kernels", "--lib", "generated"]);
    shell::run(test.env("PTXF_KERNELS", format!("{seed}:{count}")))?;
    println!("{count} kernels of seed {seed} agree in all siblings");
    Ok(ExitCode::SUCCESS)
}
