//! The benchmarks.

#![allow(missing_docs, unreachable_pub, missing_debug_implementations, reason = "an example is not a library")]

mod benchmark;
mod benchmarks;
mod digits;
mod kernels;
mod launch;
mod measure;
mod metric;
mod random;
mod real;
mod report;

use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use benchmarks::Size;
use measure::{Arithmetic, STEPS};
use real::Format;

#[derive(Parser)]
struct Options {
    names: Vec<String>,
    #[arg(long)]
    bf16: bool,
    #[arg(long)]
    quick: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let size = if options.quick { Size::Quick } else { Size::Full };
    let arithmetics = Arithmetic::of(if options.bf16 { Format::Bf16 } else { Format::F16 });
    let mut chosen = benchmarks::all(size);
    chosen.retain(|b| options.names.is_empty() || options.names.iter().any(|name| b.name().contains(name)));

    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").expect("the template is well-formed");
    let bar = ProgressBar::new(chosen.len() as u64 * arithmetics.len() as u64 * STEPS).with_style(style);
    let mut results = Vec::new();
    for benchmark in &chosen {
        let mut rows = Vec::new();
        for arithmetic in arithmetics {
            bar.set_message(format!("{} in {}", benchmark.name(), arithmetic.name()));
            rows.push(measure::row(&**benchmark, arithmetic, || bar.inc(1))?);
        }
        results.push(report::Result { benchmark: &**benchmark, rows });
    }
    bar.finish_and_clear();
    report::print(&results);
    Ok(())
}
