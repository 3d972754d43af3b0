//! The commands, and the device, the PTX and the folder that each works with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;

use crate::deadline::Deadline;
use crate::device::{Device, LABEL, Module};
use crate::ptx::{Kind, Ptx};
use crate::runner::{self, Runner};
use crate::store::{self, Store};
use crate::{bench, capture, compare, evidence, kernels};

/// There is no GPU to ask.
const ABSENT: u8 = 3;

/// The time ended first; the same command continues.
const UNFINISHED: u8 = 4;

/// Ask a GPU: compare every form with it, capture what silicon returns, time it.
///
/// Needs a driver, PTX files and nothing else, so that the program can be copied to a machine without Rust. Exits with 1
/// if a result is wrong, with 3 if there is no GPU (1 if PTXF_STRICT=1), with 4 if the time ended first: the same command
/// then continues.
#[derive(Parser)]
#[command(name = "ptxf-gpu", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Compare every form on the device with the CPU, bit for bit
    Compare {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        choice: compare::Choice,
    },
    /// Write what silicon returns where the manual leaves it open
    Capture {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        extent: Extent,
    },
    /// Time packed, scalar and f32 instructions and streams of memory
    Bench {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        effort: bench::Effort,
    },
    /// Launch whole kernels, and compare every element that they leave with what the CPU's machine left
    Kernels {
        #[command(flatten)]
        common: Common,
    },
    /// All of it, the irreplaceable first
    All {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        choice: compare::Choice,
        #[command(flatten)]
        extent: Extent,
        #[command(flatten)]
        effort: bench::Effort,
    },
    /// Read a folder of results again and check every file's checksum
    Verify {
        /// Such as target/gpu/sm_90
        folder: PathBuf,
    },
    /// Verify a folder of results and copy it to the project's data
    Adopt {
        /// Such as target/gpu/sm_90
        folder: PathBuf,
        /// Where the data lie
        #[arg(long, default_value = store::DATA)]
        data: PathBuf,
        /// The record of what was measured
        #[arg(long, default_value = "ptxf-spec/evidence/measured.tsv")]
        evidence: PathBuf,
    },
}

#[derive(clap::Args)]
struct Common {
    /// Folder of the PTX: [ptx-]sm_NN[-ptxNN].ptx with the probes, bench-sm_NN.ptx with the kernels to time
    #[arg(long, value_name = "DIR", default_value = "target/ptx")]
    ptx: PathBuf,
    /// Folder to write to; results go to DIR/sm_NN
    #[arg(long, value_name = "DIR", default_value = "target/gpu")]
    out: PathBuf,
    /// Number of the device
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// Stop after so many seconds, between two pieces
    #[arg(long, value_name = "N")]
    budget_seconds: Option<u64>,
}

#[derive(clap::Args)]
struct Extent {
    /// Blocks of 65,536 operands in each sweep; less than all is no sweep, and for trying the program only
    #[arg(long, value_name = "N", default_value_t = capture::BLOCKS, value_parser = clap::value_parser!(u64).range(1..=capture::BLOCKS))]
    blocks: u64,
}

/// How a command ended when it did not fail.
#[derive(Clone, Copy, Debug, Default)]
struct Ended {
    wrong: usize,
    left: usize,
}

impl Ended {
    fn add(&mut self, other: Self) {
        self.wrong += other.wrong;
        self.left += other.left;
    }

    fn code(self) -> ExitCode {
        match self {
            Self { wrong: 1.., .. } => ExitCode::FAILURE,
            Self { left: 1.., .. } => ExitCode::from(UNFINISHED),
            _ => ExitCode::SUCCESS,
        }
    }
}

/// Runs what the program's arguments say.
///
/// # Errors
///
/// If it cannot be done; a wrong result of the device is none, but a status.
pub fn run() -> Result<ExitCode> {
    match &Args::parse().command {
        Command::Verify { folder } => verify(folder),
        Command::Adopt { folder, data, evidence } => adopt(folder, data, evidence),
        Command::Compare { common, choice } => on_device(common, |s| s.compare(choice, s.deadline)),
        Command::Capture { common, extent } => on_device(common, |s| s.capture(extent)),
        Command::Bench { common, effort } => on_device(common, |s| s.bench(effort)),
        Command::Kernels { common } => kernels(common),
        Command::All { common, choice, extent, effort } => on_device(common, |s| s.all(choice, extent, effort)),
    }
}

fn verify(folder: &Path) -> Result<ExitCode> {
    let verified = store::verify(folder)?;
    for row in &verified.rows {
        println!("{:<44} {:>9} {} {}", row.file, row.bytes, row.date, row.stamp.device);
    }
    let what = if verified.fake { format!("{LABEL} results, no data") } else { "results of a device".to_owned() };
    println!(
        "{}: {} files, {} bytes, every checksum right: {what}",
        folder.display(),
        verified.rows.len(),
        verified.bytes
    );
    Ok(ExitCode::SUCCESS)
}

fn adopt(folder: &Path, data: &Path, record: &Path) -> Result<ExitCode> {
    let to = store::adopt(folder, data)?;
    println!("{} is now {}; `cargo model make` makes a model of it", folder.display(), to.display());
    let Some(compare) = store::Results::open(folder)?.read("compare.tsv")? else {
        println!("no compare.tsv in it: nothing was measured");
        return Ok(ExitCode::SUCCESS);
    };
    let compare = String::from_utf8(compare).context("compare.tsv")?;
    let previous = match std::fs::read_to_string(record) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        previous => previous.with_context(|| record.display().to_string())?,
    };
    let measured = evidence::measured(&compare, &previous)?;
    for (function, verdict) in &measured.others {
        println!("{function} is not measured: {verdict}");
    }
    store::write_whole(record, measured.record.as_bytes())?;
    println!("{} functions are measured: {}", measured.functions.len(), record.display());
    Ok(ExitCode::SUCCESS)
}

/// A device, its PTX and the folder for its results.
struct Session<'d> {
    runner: Runner<'d>,
    store: Store,
    common: &'d Common,
    deadline: Deadline,
}

/// Loads PTX of this kind, does the work with it, and says where its results are.
fn with_module(
    common: &Common,
    kind: Kind,
    work: impl FnOnce(&mut Device, &Ptx, Module, Store) -> Result<Ended>,
) -> Result<ExitCode> {
    let mut device = match Device::open(common.device)? {
        Ok(device) => device,
        Err(driver::Absent(why)) => return Ok(absent(&why)),
    };
    let info = device.info().clone();
    let (ptx, module) = runner::load(&mut device, Ptx::candidates(&common.ptx, kind, info.sm())?)?;
    if info.fake {
        println!("{LABEL}: no GPU computes this; the results say nothing about any device");
    }
    println!("{}, sm_{}, driver {}, {}", info.name, info.sm(), info.driver, ptx.describe());
    let store = Store::open(&common.out, &info, &ptx)?;
    let root = store.root.clone();
    let ended = work(&mut device, &ptx, module, store)?;
    println!("results: {}", root.display());
    if info.fake {
        println!("{LABEL}: none of this is a device's");
    }
    Ok(ended.code())
}

fn on_device(common: &Common, work: impl FnOnce(&mut Session<'_>) -> Result<Ended>) -> Result<ExitCode> {
    let deadline = Deadline::in_seconds(common.budget_seconds);
    with_module(common, Kind::Probes, |device, ptx, module, store| {
        let runner = Runner::new(device, ptx, module)?;
        work(&mut Session { runner, store, common, deadline })
    })
}

/// Whole kernels, which have a module of their own.
fn kernels(common: &Common) -> Result<ExitCode> {
    with_module(common, Kind::Kernels, |device, ptx, module, mut store| {
        Ok(Ended { wrong: kernels::run(device, ptx, module, &common.ptx, &mut store)?, left: 0 })
    })
}

/// Says loudly that nothing was done.
fn absent(why: &str) -> ExitCode {
    let strict = std::env::var("PTXF_STRICT").is_ok_and(|v| v == "1");
    eprintln!("ptxf-gpu: SKIPPED, nothing was run: {why}");
    if strict {
        eprintln!("ptxf-gpu: PTXF_STRICT=1 makes that a failure");
        return ExitCode::FAILURE;
    }
    ExitCode::from(ABSENT)
}

impl Session<'_> {
    fn compare(&mut self, choice: &compare::Choice, deadline: Deadline) -> Result<Ended> {
        let outcome = compare::run(&mut self.runner, &mut self.store, choice, deadline)?;
        Ok(Ended { wrong: outcome.wrong, left: outcome.left })
    }

    fn capture(&mut self, extent: &Extent) -> Result<Ended> {
        let deadline = self.deadline;
        let mut outcome = capture::quick(&mut self.runner, &mut self.store, deadline)?;
        outcome.add(capture::sweeps(&mut self.runner, &mut self.store, extent.blocks, deadline)?);
        Ok(captured(&outcome))
    }

    fn bench(&mut self, effort: &bench::Effort) -> Result<Ended> {
        let candidates = Ptx::candidates(&self.common.ptx, Kind::Bench, self.runner.device.info().sm())?;
        let done = bench::run(&mut self.runner, candidates, &mut self.store, effort, self.deadline)?;
        Ok(Ended { wrong: 0, left: usize::from(!done) })
    }

    /// What only a device can tell comes first; the long ones get their shares, and what is left of the time in the end.
    fn all(&mut self, choice: &compare::Choice, extent: &Extent, effort: &bench::Effort) -> Result<Ended> {
        let whole = self.deadline;
        let mut ended = captured(&capture::quick(&mut self.runner, &mut self.store, whole)?);
        let compared = self.compare(choice, whole.part(0.6))?;
        let swept = capture::sweeps(&mut self.runner, &mut self.store, extent.blocks, whole.part(0.75))?;
        if !self.store.has("bench.tsv", None) {
            // A missing bench is no reason to lose the rest.
            match self.bench(effort) {
                Ok(bench) => ended.add(bench),
                Err(error) => {
                    eprintln!("error: bench: {error:#}");
                    ended.wrong += 1;
                }
            }
        }
        let swept = if swept.left > 0 {
            capture::sweeps(&mut self.runner, &mut self.store, extent.blocks, whole)?
        } else {
            swept
        };
        ended.add(captured(&swept));
        ended.add(if compared.left > 0 { self.compare(choice, whole)? } else { compared });
        Ok(ended)
    }
}

fn captured(outcome: &capture::Outcome) -> Ended {
    println!("captured {} files, {} left for another run", outcome.done, outcome.left);
    if !outcome.missing.is_empty() {
        println!("not in the PTX, and so left out: {}", outcome.missing.join(", "));
    }
    Ended { wrong: 0, left: outcome.left }
}
