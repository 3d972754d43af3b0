//! Measures what half precision costs in accuracy and gains in speed.
//!
//! The benchmarks are those of Ho and Wong, *Exploiting half precision arithmetic in Nvidia GPUs*
//! (2017), each written once in f32. `#[ptx_kernel]` compiles each to a kernel in f32, in half
//! precision, for pairs of threads as in a GPU's packed instructions, and for this CPU's vectors;
//! and again with the accumulators in f32. Two more benchmarks multiply matrices of 8-bit and 4-bit
//! numbers.
//!
//! Every version's buffers are compared with the scalar kernel's, bit by bit, before anything is
//! timed. The table also has the plain f32 loop that one would write in Rust without kernels, on
//! one core, and the speed of `wide` relative to it. The loop alternates with `wide`.
//!
//! The kernels have `fuse`, as CUDA C++ contracts products by default. The last two columns are the
//! error and the time of `scalar` without `fuse`, whose f32 results are the plain loop's.
//!
//! ```sh
//! cargo run --release -p suite
//! cargo run --release -p suite --features rayon -- --bf16 --plot suite.svg nn lavaMD
//! cargo run --release -p suite -- --gpu --large --even
//! cargo run --release -p suite -- --gpu --fill --even --peers target/peers
//! cargo run --release -p suite -- --vm --quick
//! cargo run --release -p suite -- --vm --quick --check racecheck --schedule 7
//! cargo run --release -p suite -- --counts
//! ```
//!
//! `--gpu` launches the same kernels on a device and compares every buffer with the CPU's (see
//! docs/device.md). `--fill` chooses sizes that fill the device, and compares a sample. `--vm`
//! compares without a device: `ptxf-vm` executes the PTX of each target in the folder of `--ptx`,
//! and a report of `--check` is a failure. `--counts` compares the number of instructions with
//! `peers/counts.txt`. `peers/yardstick.cu` has the kernels in CUDA C++, which `--peers` runs
//! beside the suite's.
//!
//! The error is the benchmark's own measure, against a computation in f64 of the unrounded input.
//! f16 rounds to 11 bits (relative error 2⁻¹²), bf16 to 8 bits, so bf16 has about eight times the
//! error where f16 does not overflow. `PTXF_LEVEL=avx2` (or `portable`) selects other vectors.

#![allow(missing_docs, unreachable_pub, missing_debug_implementations, reason = "an example is not a library")]

mod benchmark;
mod benchmarks;
mod digits;
mod gpu;
mod kernels;
mod launch;
mod measure;
mod metric;
mod pairs;
mod plot;
mod random;
mod real;
mod report;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use ptxf_vm::Check;

use benchmark::Benchmark;
use benchmarks::Size;
use measure::Arithmetic;
use real::Format;
use report::Outcome;

/// Runs the benchmarks in f32 and in half precision.
#[derive(Parser)]
struct Options {
    /// Benchmarks to run, by a part of their names [default: all]
    names: Vec<String>,
    /// Use bfloat16 as the half precision
    #[arg(long)]
    bf16: bool,
    /// Use little data
    #[arg(long)]
    quick: bool,
    /// Use much data, for a device
    #[arg(long, conflicts_with = "quick")]
    large: bool,
    /// Use data that fills the device and leaves its cache, and compare samples with this CPU
    #[arg(long, requires = "gpu", conflicts_with_all = ["quick", "large"])]
    fill: bool,
    /// Use rows of an even length, in which every pair is a word
    #[arg(long)]
    even: bool,
    /// Run on a device, beside handwritten kernels. Without a device the exit status is 3, or 1
    /// under PTXF_STRICT=1
    #[arg(long, group = "device")]
    gpu: bool,
    /// Execute the kernels' PTX on this CPU
    #[arg(long, group = "device")]
    vm: bool,
    /// Checks of the PTX machine: memcheck, initcheck or racecheck; each includes the previous ones
    #[arg(long, value_name = "LEVEL", requires = "vm")]
    check: Option<Check>,
    /// Seed of the order of blocks and warps in the PTX machine
    #[arg(long, value_name = "SEED", requires = "vm")]
    schedule: Option<u64>,
    /// Launch the kernels in this folder instead of compiling them
    #[arg(long, value_name = "DIR", requires = "device")]
    ptx: Option<PathBuf>,
    /// Run the kernels in CUDA C++ of this folder too, which `cargo xtask peers` compiles
    #[arg(long, value_name = "DIR", requires = "device")]
    peers: Option<PathBuf>,
    /// Count instructions of the kernels' PTX on this CPU, and compare with peers/counts.txt
    #[arg(long, group = "device", conflicts_with_all = ["quick", "large", "even", "bf16"])]
    counts: bool,
    /// Rewrite peers/counts.txt
    #[arg(long, requires = "counts")]
    bless: bool,
    /// Write the kernels to this folder, for machines that cannot compile them, and exit
    #[arg(long, value_name = "DIR", conflicts_with = "device")]
    emit_ptx: Option<PathBuf>,
    /// Draw speed and error to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Exit status if this machine cannot run the request.
const CANNOT: u8 = 3;

fn main() -> ExitCode {
    let ended = run(&Options::parse());
    match &ended {
        Ok(Ended::Done) => {}
        Ok(Ended::Cannot(why)) => eprintln!("SKIPPED, this machine cannot do it: {why}"),
        Err(error) => eprintln!("error: {error}"),
    }
    ExitCode::from(status(&ended, std::env::var_os("PTXF_STRICT").is_some_and(|strict| strict == "1")))
}

/// Returns the exit status. If `strict`, a skip is a failure.
const fn status(ended: &Result<Ended, Box<dyn Error>>, strict: bool) -> u8 {
    match ended {
        Ok(Ended::Done) => 0,
        Ok(Ended::Cannot(_)) if !strict => CANNOT,
        _ => 1,
    }
}

/// The end of a run without failures.
enum Ended {
    Done,
    /// Nothing ran on the requested processor; the reason.
    Cannot(String),
}

fn run(options: &Options) -> Result<Ended, Box<dyn Error>> {
    // The library ignores a wrong value, and the times would be of other vectors.
    ptxf::Level::from_env()?;
    if let Some(folder) = &options.emit_ptx {
        return emit(folder);
    }
    let size = match options {
        Options { large: true, .. } => Size::LARGE,
        Options { quick: true, .. } => Size::QUICK,
        _ => Size::FULL,
    };
    let size = if options.even { size.even() } else { size };
    let arithmetics = Arithmetic::of(if options.bf16 { Format::Bf16 } else { Format::F16 });
    if options.fill {
        let folders = [options.ptx.as_deref(), options.peers.as_deref()];
        let absent = gpu::fill(&options.names, options.even, arithmetics, folders, progress)?;
        return Ok(absent.map_or(Ended::Done, Ended::Cannot));
    }
    if options.counts {
        let chosen = |size| choose(benchmarks::all(size), &options.names);
        return Ok(
            match gpu::counts(chosen, [options.ptx.as_deref(), options.peers.as_deref()], options.bless, progress)? {
                Ok(()) => Ended::Done,
                Err(missing) => Ended::Cannot(missing),
            },
        );
    }
    let chosen = choose(benchmarks::all(size), &options.names)?;
    if options.gpu || options.vm {
        let checks = gpu::Checks { check: options.check.unwrap_or_default(), schedule: options.schedule };
        let on = if options.vm { gpu::On::Machine(checks) } else { gpu::On::Gpu };
        return Ok(
            match gpu::run(&chosen, arithmetics, options.ptx.as_deref(), options.peers.as_deref(), on, progress)? {
                None => Ended::Done,
                Some(absent) => Ended::Cannot(absent),
            },
        );
    }

    let bar = progress(chosen.len() as u64 * measure::steps(arithmetics.len()));
    let mut outcomes = Vec::new();
    for benchmark in &chosen {
        let benchmark = &**benchmark;
        bar.set_message(benchmark.name());
        outcomes.push(Outcome { benchmark, measured: measure::measure(benchmark, &arithmetics, || bar.inc(1))? });
    }
    bar.finish_and_clear();

    report::print(&outcomes);
    if let Some(file) = &options.plot {
        plot::draw(&outcomes, file)?;
        println!("{}", file.display());
    }
    Ok(Ended::Done)
}

/// Compiles the kernels for machines without a compiler.
fn emit(folder: &Path) -> Result<Ended, Box<dyn Error>> {
    match gpu::emit(folder)? {
        Ok(files) => files.iter().for_each(|file| println!("{}", file.display())),
        Err(missing) => return Ok(Ended::Cannot(missing.to_string())),
    }
    Ok(Ended::Done)
}

fn progress(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").expect("the template is well-formed");
    ProgressBar::new(steps).with_style(style)
}

/// Returns the benchmarks whose names contain one of `names`, ignoring case. Every name has to
/// match.
fn choose(all: Vec<Box<dyn Benchmark>>, names: &[String]) -> Result<Vec<Box<dyn Benchmark>>, String> {
    let fits = |b: &dyn Benchmark, name: &String| b.name().to_lowercase().contains(&name.to_lowercase());
    if let Some(name) = names.iter().find(|name| !all.iter().any(|b| fits(&**b, name))) {
        let known: Vec<_> = all.iter().map(|b| b.name()).collect();
        return Err(format!("no benchmark is called {name}: there are {}", known.join(", ")));
    }
    Ok(all.into_iter().filter(|b| names.is_empty() || names.iter().any(|name| fits(&**b, name))).collect())
}
