//! `cargo exhaust`: forms on every input against independent oracles, and slices at each level
//! against the reference implementation.
//!
//! It is a program of its own because it contains the whole library: a compiled loop for every
//! form, and with `--level` every slice operation. Checks of texts do not wait for that.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use rayon::prelude::*;

mod check;
mod draw;
#[cfg(feature = "levels")]
mod level;
mod oracles;
mod select;
mod space;
mod subject;
mod summary;

use oracles::Oracle;
use subject::Subject;
use summary::Line;

/// Compare forms with independent oracles on every input: all pairs of 16-bit operands, all 32-bit
/// operands.
///
/// Exits with status 1 on any mismatch, and if a total is not the number of inputs.
#[derive(Parser)]
#[command(name = "cargo exhaust", bin_name = "cargo exhaust")]
struct Args {
    /// Spellings or globs such as '*.f16'; without any, every kind of arithmetic once
    forms: Vec<String>,
    /// Run every form whose inputs can be enumerated
    #[arg(long)]
    all: bool,
    /// Run slices at these levels against the reference implementation instead: `avx2,avx512`, or
    /// `all` that this CPU has. Forms with too many inputs get 2^27 random ones, near ties among
    /// them; without any named, every form and conversion runs
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', conflicts_with = "oracle")]
    level: Vec<String>,
    /// Print the forms with their inputs and oracles, and exit
    #[arg(long)]
    list: bool,
    /// Run only one block out of N; the result is no proof and is reported as SAMPLED
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Take other blocks and random operands for the sample
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Ask these oracles, or `all`; by default an independent one, and the library's own meaning
    /// where a faster route stands in for it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    oracle: Vec<String>,
    /// Threads; by default one per processor
    #[arg(long, short)]
    jobs: Option<usize>,
    /// Append a line of tab-separated values per form, and skip forms that FILE already reports: a
    /// run that was interrupted continues. Remove FILE after a change
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    // The library ignores a wrong value, and would run other vectors than the requested ones.
    if let Err(error) = ptxf::Level::from_env() {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    run(&args).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// The workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate lies in the workspace")
}

fn run(args: &Args) -> Result<ExitCode> {
    if !args.level.is_empty() && cfg!(not(feature = "levels")) {
        return with_levels();
    }
    let everything = args.all || args.forms.is_empty() && (args.list || !args.level.is_empty());
    let subjects = select::select(subjects(&args.level)?, &args.forms, everything)?;
    if args.list {
        return list(subjects);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build()?;
    let reported = args.report.as_deref().map(summary::reported).transpose()?.unwrap_or_default();
    let mut lines = Vec::new();
    summary::print_head();
    for mut subject in subjects {
        let label = subject.label();
        if reported.contains(&label) {
            println!("{label:<36} is in the report already");
            continue;
        }
        let oracles = subject.oracles(&args.oracle)?;
        let line = pool.install(|| one(args, &subject, label, &oracles));
        line.print();
        if let Some(path) = &args.report {
            summary::append(path, &line)?;
        }
        lines.push(line);
    }
    summary::print_sum(&lines);
    Ok(if lines.iter().all(Line::is_good) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The forms, one value at a time or over slices.
#[cfg(feature = "levels")]
fn subjects(levels: &[String]) -> Result<Vec<Subject>> {
    if levels.is_empty() { Ok(subject::all()) } else { level::subjects(levels) }
}

#[cfg(not(feature = "levels"))]
fn subjects(_: &[String]) -> Result<Vec<Subject>> {
    Ok(subject::all())
}

/// Runs the same command in a build with every slice operation, which takes a minute to compile.
fn with_levels() -> Result<ExitCode> {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--release", "--package", "exhaust", "--features", "levels"]);
    // Paths among the arguments are relative to the user's folder.
    cargo.arg("--manifest-path").arg(root().join("Cargo.toml")).arg("--").args(std::env::args_os().skip(1));
    // Cargo's variables about this program would make it build others anew.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            cargo.env_remove(&name);
        }
    }
    let status = cargo.status()?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

fn list(subjects: Vec<Subject>) -> Result<ExitCode> {
    let forms = subjects.len();
    for mut subject in subjects {
        let label = subject.label();
        let oracles = subject.oracles(&["all".to_owned()])?;
        let all = if subject.space.is_all() { "" } else { ", drawn" };
        println!("{label:<36} 2^{:<2} {}{all}", subject.space.inputs().ilog2(), names(&oracles));
    }
    println!("{forms} forms");
    Ok(ExitCode::SUCCESS)
}

fn names(oracles: &[Oracle]) -> String {
    oracles.iter().map(|o| o.name).collect::<Vec<_>>().join(", ")
}

/// Runs a form.
fn one(args: &Args, subject: &Subject, form: String, oracles: &[Oracle]) -> Line {
    let start = Instant::now();
    let blocks = subject.space.blocks(args.sample, args.seed).into_par_iter().with_max_len(1);
    let (total, first) =
        blocks.map(|inputs| check::block(subject, oracles, inputs)).reduce(Default::default, check::together);
    let (space, sample, seconds) = (subject.space, args.sample, start.elapsed().as_secs_f64());
    Line { form, space, oracles: names(oracles), sample, total, first, seconds }
}
