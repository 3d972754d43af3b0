//! `cargo exhaust`: forms on every input they have, against independent oracles; slices, level by level, against the meaning.
//!
//! A program of its own, because it is made of the whole library: every form compiled into a loop, with `--level` every slice
//! operation too. What only checks a text should not wait for that.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use rayon::prelude::*;

mod check;
mod chunk;
mod draw;
#[cfg(feature = "levels")]
mod level;
mod oracles;
mod progress;
mod select;
mod space;
mod state;
mod subject;
mod summary;

use check::{Block, Mismatch};
use oracles::Oracle;
use progress::Progress;
use state::{Found, State};
use subject::Subject;
use summary::Line;

/// How often the state is written.
const SAVE: Duration = Duration::from_secs(3);

/// Compare forms with independent oracles on every input: all pairs of 16-bit operands, all 32-bit operands.
///
/// Progress is kept in target/exhaust/, so that an interrupted run continues; a rebuilt program starts over. Exits with
/// status 1 on any mismatch, and if a total is not the number of inputs.
#[derive(Parser)]
#[command(name = "cargo exhaust", bin_name = "cargo exhaust")]
struct Args {
    /// Spellings or globs such as '*.f16'; without any, every kind of arithmetic once
    forms: Vec<String>,
    /// Run every form whose inputs can be enumerated
    #[arg(long)]
    all: bool,
    /// Instead, slices at these levels against the meaning: `avx2,avx512`, or `all` that this CPU has. Forms with too many
    /// inputs get 2^27 random ones, near ties among them; without any named, every form and conversion runs
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', conflicts_with = "oracle")]
    level: Vec<String>,
    /// Print the forms with their inputs and oracles, and exit
    #[arg(long)]
    list: bool,
    /// Run only one block out of N; the result is no proof and is reported as SAMPLED
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Ask these oracles, or `all`; by default an independent one, and the library's own meaning where a faster route
    /// stands in for it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    oracle: Vec<String>,
    /// Forget earlier progress
    #[arg(long)]
    restart: bool,
    /// Threads; by default one per processor
    #[arg(long, short)]
    jobs: Option<usize>,
    /// Append a line of tab-separated values per form
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    // The library passes over a wrong value, and then other vectors would be checked than those that were asked for.
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
    let build = state::build()?;
    let mut lines = Vec::new();
    for mut subject in subjects {
        let label = subject.label();
        let oracles = subject.oracles(&args.oracle)?;
        let line = pool.install(|| one(args, &subject, label, &oracles, build))?;
        line.print_mismatches();
        if let Some(path) = &args.report {
            summary::append(path, &line)?;
        }
        lines.push(line);
    }
    summary::print(&lines);
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

/// The same command by a program that has every slice operation: a minute of compilation that other commands can do without.
fn with_levels() -> Result<ExitCode> {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--release", "--package", "exhaust", "--features", "levels"]);
    // Paths among the arguments are relative to where the user is, who need not be in the workspace.
    cargo.arg("--manifest-path").arg(root().join("Cargo.toml")).arg("--").args(std::env::args_os().skip(1));
    // What Cargo tells this program about itself would make it build others anew.
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

/// Runs what is left of a form.
fn one(args: &Args, subject: &Subject, label: String, oracles: &[Oracle], build: u64) -> Result<Line> {
    let directory = root().join("target/exhaust");
    let names = names(oracles);
    let stamp = state::fnv(build, names.as_bytes());
    // A sample neither uses nor leaves anything that could pass for more than a sample.
    let directory = args.sample.is_none().then_some(directory.as_path());
    let state = open(args, directory, &label, stamp)?;
    let mut pending = subject.space.blocks(args.sample);
    pending.retain(|(number, _)| !state.blocks.contains_key(number));
    let done = state.total().compared;
    let all = done + pending.iter().map(|(_, inputs)| inputs.end - inputs.start).sum::<u64>();
    let run = Mutex::new(Run::new(state, directory, Progress::new(&label, all, done)));
    pending.into_par_iter().with_max_len(1).try_for_each(|(number, inputs)| {
        let (block, mismatches) = check::block(subject, oracles, inputs);
        run.lock().expect("no thread panics while it holds the lock").add(number, block, mismatches)
    })?;
    let state = run.into_inner().expect("no thread panics while it holds the lock").finish()?;
    let (total, seconds) = (state.total(), state.seconds);
    let (form, space, sample) = (label, subject.space, args.sample);
    Ok(Line { form, space, oracles: names, sample, total, first: state.first, seconds })
}

/// The state to continue with.
fn open(args: &Args, directory: Option<&Path>, form: &str, stamp: u64) -> Result<State> {
    let fresh = State::new(form, stamp);
    let Some(directory) = directory.filter(|_| !args.restart) else {
        return Ok(fresh);
    };
    Ok(match State::load(directory, form, stamp)? {
        Found::Nothing => fresh,
        Found::Stale => {
            eprintln!("{form}: the progress in {} is another build's; starting over", directory.display());
            fresh
        }
        Found::Continue(state) => {
            eprintln!("{form}: {} inputs were compared before", state.total().compared);
            state
        }
    })
}

/// A form under way.
struct Run<'a> {
    state: State,
    directory: Option<&'a Path>,
    progress: Progress,
    /// When the state's seconds were last brought up to date.
    clock: Instant,
    saved: Instant,
}

impl<'a> Run<'a> {
    fn new(state: State, directory: Option<&'a Path>, progress: Progress) -> Self {
        let now = Instant::now();
        Self { state, directory, progress, clock: now, saved: now }
    }

    fn add(&mut self, number: u64, block: Block, mismatches: Vec<Mismatch>) -> Result<()> {
        self.progress.add(block.compared);
        self.state.add(number, block, mismatches);
        if self.saved.elapsed() >= SAVE { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> Result<()> {
        let now = Instant::now();
        self.state.seconds += (now - self.clock).as_secs_f64();
        (self.clock, self.saved) = (now, now);
        self.directory.map_or(Ok(()), |directory| self.state.save(directory))
    }

    fn finish(mut self) -> Result<State> {
        self.save()?;
        self.progress.finish();
        Ok(self.state)
    }
}
