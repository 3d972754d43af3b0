//! `cargo xtask kernels`: generated kernels of any seed.

use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::shell;

/// Generate kernels, compile them, and compare their versions with their text for one thread.
///
/// The tests have some of one seed (tests/kernels/build/main.rs). A failure prints the kernel's
/// source, and the run continues with the next batch.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seed of the generator
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of kernels
    #[arg(long, default_value_t = 40)]
    count: usize,
    /// Number of kernels that are compiled together
    #[arg(long, default_value_t = 100)]
    batch: usize,
    /// Number of the first kernel
    #[arg(long, default_value_t = 0)]
    first: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let &Args { seed, first, count, batch } = args;
    ensure!(batch > 0, "a batch has at least one kernel");
    let mut failed = Vec::new();
    for begin in (first..first + count).step_by(batch) {
        let many = batch.min(first + count - begin);
        let program = compile(seed, begin, many)?;
        let mut tests = shell::command(&program, &["--quiet", "generated"]);
        if !tests.status().with_context(|| program.clone())?.success() {
            failed.push(begin);
        }
        println!("{} of {count} kernels of seed {seed}, {} batches failed", begin + many - first, failed.len());
    }
    failed.iter().for_each(|begin| println!("failed: the batch of {batch} from kernel {begin}; continue with --first"));
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compiles the tests of `count` kernels to a program.
///
/// Without LLVM's passes a kernel takes an eighth of the time: without inlining the code that its
/// versions share is compiled once.
fn compile(seed: u64, first: usize, count: usize) -> Result<String> {
    let mut build =
        shell::command("cargo", &["rustc", "--quiet", "--package", "kernels", "--lib", "--profile", "test"]);
    build.args(["--message-format", "json-render-diagnostics", "--"]);
    build.args(["--cfg", "only_generated", "-C", "no-prepopulate-passes", "-C", "debuginfo=0"]);
    // A batch is never compiled again.
    build.env("PTXF_KERNELS", format!("{seed}:{first}:{count}")).env("CARGO_INCREMENTAL", "0");
    let output = build.stderr(std::process::Stdio::inherit()).output().context("cargo")?;
    ensure!(output.status.success(), "{}: {}", shell::shown(&build), output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut programs = messages.filter_map(|message| Some(message.get("executable")?.as_str()?.to_owned()));
    programs.next().context("cargo names no program")
}
