//! What does half precision cost in accuracy, and what does it gain in speed?
//!
//! The benchmarks of Ho and Wong, *Exploiting half precision arithmetic in Nvidia GPUs* (2017), as they would be written in f32,
//! once each: `#[ptx_kernel]` makes of each the kernel in f32, in half precision, two threads at a time as a GPU's packed
//! instructions run them, and with as many threads at a time as a vector of this CPU has lanes; once more with the
//! accumulators kept in f32. Two more multiply matrices of numbers in eight and in four bits. Before a time is taken, every way's
//! buffers are compared with the scalar kernel's, bit by bit. Beside them stands the plain loop in f32 that one writes in Rust without
//! kernels, on one core, and how many times as fast `wide` is: it has the f32 kernel's results, and takes turns with `wide`.
//!
//! ```sh
//! cargo run --release --example suite
//! cargo run --release --example suite --features rayon -- --bf16 --plot suite.svg nn lavaMD
//! cargo run --release --example suite -- --gpu --large --even
//! cargo run --release --example suite -- --vm --quick
//! cargo run --release --example suite -- --vm --quick --check racecheck --schedule 7
//! ```
//!
//! `--gpu` launches the same kernels on a device and compares every buffer with the CPU's; docs/device.md says how, and what happens
//! where there is none. `--vm` does the same without a device: `ptxf-vm` executes the PTX that the device would run, of each
//! target in the folder of `--ptx`; what its `--check` reports is a failure.
//!
//! The error is the benchmark's own measure, against a computation in f64 of the same input before it was rounded; f16
//! rounds to 11 bits (relative error 2⁻¹²), bf16 to 8, so bf16 is some eight times worse where f16 does not
//! overflow. `PTXF_LEVEL=avx2` (or `portable`) shows the other vectors.

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

/// Runs the benchmarks of half precision in f32 and in halves.
#[derive(Parser)]
struct Options {
    /// Benchmarks to run, by a part of their names; without any, all of them
    names: Vec<String>,
    /// Halves are bfloat16
    #[arg(long)]
    bf16: bool,
    /// Little data
    #[arg(long)]
    quick: bool,
    /// Much data, for a device
    #[arg(long, conflicts_with = "quick")]
    large: bool,
    /// Rows of an even length, in which pairs are words
    #[arg(long)]
    even: bool,
    /// Run on a device, and beside each kernel the same by hand; 3 if there is none, 1 with PTXF_STRICT=1
    #[arg(long, group = "device")]
    gpu: bool,
    /// The same with a machine in the place of a device: this CPU executes the kernels' PTX
    #[arg(long, group = "device")]
    vm: bool,
    /// What the machine looks for: memcheck, initcheck or racecheck, each with those before it
    #[arg(long, value_name = "LEVEL", requires = "vm")]
    check: Option<Check>,
    /// Let the machine's blocks and warps take turns in an order that this number decides
    #[arg(long, value_name = "SEED", requires = "vm")]
    schedule: Option<u64>,
    /// Launch the kernels in this folder, instead of compiling them
    #[arg(long, value_name = "DIR", requires = "device")]
    ptx: Option<PathBuf>,
    /// Write the kernels to this folder, for machines that cannot compile them, and do nothing else
    #[arg(long, value_name = "DIR", conflicts_with = "device")]
    emit_ptx: Option<PathBuf>,
    /// Draw speed and error
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// This machine cannot do what was asked of it.
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

/// The program's status; strictly, what was skipped has failed.
const fn status(ended: &Result<Ended, Box<dyn Error>>, strict: bool) -> u8 {
    match ended {
        Ok(Ended::Done) => 0,
        Ok(Ended::Cannot(_)) if !strict => CANNOT,
        _ => 1,
    }
}

/// How a run ended that did not fail.
enum Ended {
    Done,
    /// Nothing ran where it should have, and why.
    Cannot(String),
}

fn run(options: &Options) -> Result<Ended, Box<dyn Error>> {
    // The library passes over a wrong value, and the times would be other vectors'.
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
    let chosen = choose(benchmarks::all(size), &options.names)?;
    if options.gpu || options.vm {
        let checks = gpu::Checks { check: options.check.unwrap_or_default(), schedule: options.schedule };
        let on = if options.vm { gpu::On::Machine(checks) } else { gpu::On::Gpu };
        return Ok(match gpu::run(&chosen, arithmetics, options.ptx.as_deref(), on, progress)? {
            None => Ended::Done,
            Some(absent) => Ended::Cannot(absent),
        });
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

/// Compiles the kernels for machines that cannot.
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

/// Those that one of the names is part of, in any case; every name has to find one.
fn choose(all: Vec<Box<dyn Benchmark>>, names: &[String]) -> Result<Vec<Box<dyn Benchmark>>, String> {
    let fits = |b: &dyn Benchmark, name: &String| b.name().to_lowercase().contains(&name.to_lowercase());
    if let Some(name) = names.iter().find(|name| !all.iter().any(|b| fits(&**b, name))) {
        let known: Vec<_> = all.iter().map(|b| b.name()).collect();
        return Err(format!("no benchmark is called {name}: there are {}", known.join(", ")));
    }
    Ok(all.into_iter().filter(|b| names.is_empty() || names.iter().any(|name| fits(&**b, name))).collect())
}
