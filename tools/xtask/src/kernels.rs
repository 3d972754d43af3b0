//! `cargo xtask kernels`: kernels that nobody wrote, from any seed.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::shell;

/// Generate kernels, compile them, and compare their siblings with what an interpreter makes of their source.
///
/// The tests have some of one seed (tests/kernels/build/main.rs). A failure prints the kernel's source; the run goes on with the
/// next batch. A run that was interrupted goes on where it was.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which kernels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many
    #[arg(long, default_value_t = 40)]
    count: usize,
    /// How many are compiled at a time
    #[arg(long, default_value_t = 100)]
    batch: usize,
    /// Begin with the first again
    #[arg(long)]
    restart: bool,
}

/// What has been run of a seed, in a line of a file: kernels, and the first ones of batches that failed.
struct Progress {
    file: PathBuf,
    done: usize,
    failed: Vec<usize>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let &Args { seed, count, batch, restart } = args;
    ensure!(batch > 0, "a batch has at least one kernel");
    let mut progress = Progress::of(seed, restart)?;
    if progress.done > 0 {
        println!("{} kernels of seed {seed} are done; `--restart` begins again", progress.done);
    }
    while progress.done < count {
        let first = progress.done;
        let many = batch.min(count - first);
        let program = compile(seed, first, many)?;
        let mut tests = shell::command(&program, &["--quiet", "generated"]);
        if !tests.status().with_context(|| program.clone())?.success() {
            progress.failed.push(first);
        }
        progress.done += many;
        progress.save()?;
        println!("{} of {count} kernels of seed {seed}, {} batches failed", progress.done, progress.failed.len());
    }
    if progress.failed.is_empty() {
        println!("{} kernels of seed {seed} mean what they say in all siblings", progress.done);
        return Ok(ExitCode::SUCCESS);
    }
    for first in &progress.failed {
        println!("failed: the batch of {batch} from kernel {first}");
    }
    Ok(ExitCode::FAILURE)
}

/// The tests of so many kernels, as a program.
///
/// Without any of LLVM's passes, inlining among them, a kernel takes an eighth of the time: what its siblings have in common is
/// compiled once.
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

impl Progress {
    fn of(seed: u64, restart: bool) -> Result<Self> {
        let file = shell::root().join(format!("target/kernels/{seed}"));
        let text = if restart { String::new() } else { fs::read_to_string(&file).unwrap_or_default() };
        let mut numbers = text.split_whitespace().map(str::parse);
        let done = numbers.next().transpose().with_context(|| file.display().to_string())?.unwrap_or(0);
        let failed = numbers.collect::<Result<_, _>>().with_context(|| file.display().to_string())?;
        Ok(Self { file, done, failed })
    }

    fn save(&self) -> Result<()> {
        fs::create_dir_all(self.file.parent().context("it lies in a folder")?)?;
        let failed: Vec<_> = self.failed.iter().map(ToString::to_string).collect();
        fs::write(&self.file, format!("{} {}\n", self.done, failed.join(" ")))?;
        Ok(())
    }
}
