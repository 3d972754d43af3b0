//! `cargo xtask kernels`: generated kernels of any seed.

mod batch;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use oracle::kernels::shrink::shrink;
use oracle::kernels::{Sample, samples};

use crate::shell;
use batch::Failure;

/// Generate kernels, compile them, and compare their versions with their text for one thread.
///
/// The tests have some of one seed (tests/kernels/build/main.rs). A failure prints the kernel's
/// source, and the shortest kernel that fails in the first such batch is made smaller. The run
/// continues with the next batch.
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
    /// Run the kernels of a file instead, which has a tape a line
    #[arg(long, conflicts_with_all = ["seed", "count", "batch", "first"])]
    tapes: Option<PathBuf>,
    /// Minutes after which no smaller kernel is looked for; 0 leaves the kernel as it is
    #[arg(long, default_value_t = 15, value_name = "MINUTES")]
    shrink: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let &Args { seed, first, count, batch, .. } = args;
    ensure!(batch > 0, "a batch has at least one kernel");
    let all = match &args.tapes {
        Some(file) => {
            let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
            samples(&text).map_err(|e| anyhow!("{}: {e}", file.display()))?
        }
        None => (first..first + count).map(|number| Sample::of_seed(seed, number)).collect(),
    };
    let (mut done, mut failed) = (0, Vec::new());
    for some in all.chunks(batch) {
        let failures = batch::failures(some, true)?;
        done += some.len();
        println!("{done} of {} kernels, {} failed", all.len(), failed.len() + failures.len());
        let shortest = failures.iter().min_by_key(|(sample, _)| sample.kernel.source.len());
        if let Some((sample, failure)) = shortest.filter(|_| failed.is_empty() && args.shrink > 0) {
            smallest(sample, *failure, Duration::from_secs(60 * args.shrink))?;
        }
        failed.extend(failures.iter().map(|(sample, _)| sample.kernel.number));
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("failed: the kernels {failed:?}");
    Ok(ExitCode::FAILURE)
}

/// Prints the smallest kernel that was found to fail like this one.
fn smallest(sample: &Sample, failure: Failure, limit: Duration) -> Result<()> {
    let (start, mut tried, mut builds) = (Instant::now(), 0, 0);
    let lines = |sample: &Sample| sample.kernel.source.lines().count();
    println!("{} has {} lines. Looking for a smaller one:", sample.kernel.function, lines(sample));
    let small = shrink(sample, |tries| {
        if start.elapsed() > limit {
            println!("the time is up, which --shrink sets");
            return Ok::<_, anyhow::Error>(None);
        }
        let failures = batch::failures(tries, false)?;
        let fails = |of: &Sample| failures.iter().any(|(s, f)| s.kernel.number == of.kernel.number && *f == failure);
        let fails: Vec<bool> = tries.iter().map(fails).collect();
        (tried, builds) = (tried + tries.len(), builds + 1);
        let still = tries.iter().zip(&fails).filter(|(_, fails)| **fails).map(|(sample, _)| lines(sample));
        let least = still.clone().min().map_or_else(String::new, |least| format!(", the smallest of {least} lines"));
        println!("    {} kernels of at least {} lines, {} fail{least}", tries.len(), lines(&tries[0]), still.count());
        Ok(Some(fails))
    })?;
    let file = shell::target().join("kernels").join(&sample.kernel.function).with_extension("tape");
    std::fs::write(&file, format!("{}\n", small.tape())).with_context(|| file.display().to_string())?;
    println!(
        "\n{} lines became {} in {:.0} s, {tried} kernels in {builds} builds:\n\n{}\n\
         run it again: cargo xtask kernels --shrink 0 --tapes {}",
        lines(sample),
        lines(&small),
        start.elapsed().as_secs_f64(),
        small.kernel.source,
        file.display(),
    );
    Ok(())
}
