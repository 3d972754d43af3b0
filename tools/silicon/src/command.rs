//! The commands, with the device, the PTX and the folder that they need.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;

use crate::deadline::Deadline;
use crate::device::{Device, LABEL, Module};
use crate::ptx::{Kind, Ptx};
use crate::runner::Runner;
use crate::store::{self, Store};
use crate::{capture, compare, evidence, kernels, model};

/// Exit status if there is no GPU.
const ABSENT: u8 = 3;

/// Exit status if the time ended first. The same command continues.
const UNFINISHED: u8 = 4;

/// Compare a GPU with the library, capture what silicon returns, and make device models of it.
///
/// On the machine with the GPU the program needs a driver and PTX files, and neither Rust nor the
/// sources. It exits with 1 if a result is wrong, with 3 if there is no GPU (1 if PTXF_STRICT=1),
/// and with 4 if the time ended first. The same command then continues.
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
    /// Write what silicon returns where the manual leaves the result open
    Capture {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        extent: Extent,
    },
    /// Launch whole kernels and compare every element of their memory with what ptxf-vm left
    Kernels {
        #[command(flatten)]
        common: Common,
    },
    /// Capture and compare everything, in the order of its value
    All {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        choice: compare::Choice,
        #[command(flatten)]
        extent: Extent,
    },
    /// Read a folder of results and check every file's checksum
    Verify {
        /// Folder such as target/gpu/sm_90
        folder: PathBuf,
    },
    /// Verify a folder of results and copy it to the project's data
    Adopt {
        /// Folder such as target/gpu/sm_90
        folder: PathBuf,
        /// Folder of the project's data
        #[arg(long, default_value = store::DATA)]
        data: PathBuf,
        /// The record of measured functions
        #[arg(long, default_value = "ptxf-spec/evidence/measured.tsv")]
        evidence: PathBuf,
    },
    Model(model::Args),
}

#[derive(clap::Args)]
struct Common {
    /// Folder of the PTX: [ptx-]sm_NN[-ptxNN].ptx with the probes, kernels-sm_NN.ptx with whole
    /// kernels
    #[arg(long, value_name = "DIR", default_value = "target/ptx")]
    ptx: PathBuf,
    /// Folder of the results, which go to DIR/sm_NN
    #[arg(long, value_name = "DIR", default_value = "target/gpu")]
    out: PathBuf,
    /// Number of the device
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// Stop after this many seconds, between two pieces of work
    #[arg(long, value_name = "N")]
    budget_seconds: Option<u64>,
}

#[derive(clap::Args)]
struct Extent {
    /// Blocks of 65,536 operands in each sweep; fewer than all are for a trial of the program
    #[arg(long, value_name = "N", default_value_t = capture::BLOCKS, value_parser = clap::value_parser!(u64).range(1..=capture::BLOCKS))]
    blocks: u64,
}

/// Counts of a command that did not fail.
#[derive(Clone, Copy, Debug, Default)]
struct Ended {
    /// Number of wrong results.
    wrong: usize,
    /// Number of pieces of work that are left for another run.
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

/// Runs the command of the program's arguments. A wrong result of the device is a status, not an
/// error.
pub(crate) fn run() -> Result<ExitCode> {
    match &Args::parse().command {
        Command::Verify { folder } => verify(folder),
        Command::Adopt { folder, data, evidence } => adopt(folder, data, evidence),
        Command::Compare { common, choice } => on_device(common, |s| s.compare(choice, s.deadline)),
        Command::Capture { common, extent } => on_device(common, |s| s.capture(extent)),
        Command::Kernels { common } => kernels(common),
        Command::All { common, choice, extent } => on_device(common, |s| s.all(choice, extent)),
        Command::Model(args) => model::run(args),
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
    println!("{} is now {}; `cargo gpu model` makes a model of it", folder.display(), to.display());
    let Some(compare) = store::Results::open(folder)?.read("compare.tsv")? else {
        println!("it has no compare.tsv, so nothing is measured");
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

/// A device with the probes, and the folder for its results.
struct Session<'d> {
    runner: Runner<'d>,
    store: Store,
    deadline: Deadline,
}

/// Loads PTX of this kind, does the work with it, and prints where the results are.
fn with_module(
    common: &Common,
    kind: Kind,
    work: impl FnOnce(&Device, &Module, Store) -> Result<Ended>,
) -> Result<ExitCode> {
    let device = match Device::open(common.device)? {
        Ok(device) => device,
        Err(why) => return Ok(absent(&why)),
    };
    let info = device.info();
    let module = device.load(Ptx::candidates(&common.ptx, kind, info.sm())?)?;
    if info.fake {
        println!("{LABEL}: a CPU computes these results, not a device");
    }
    println!("{}, sm_{}, driver {}, {}", info.name, info.sm(), info.driver, module.ptx.describe());
    let store = Store::open(&common.out, info, &module.ptx)?;
    let root = store.root.clone();
    let ended = work(&device, &module, store)?;
    println!("results: {}", root.display());
    if info.fake {
        println!("{LABEL}: these results are not a device's");
    }
    Ok(ended.code())
}

fn on_device(common: &Common, work: impl FnOnce(&mut Session<'_>) -> Result<Ended>) -> Result<ExitCode> {
    let deadline = Deadline::in_seconds(common.budget_seconds);
    with_module(common, Kind::Probes, |device, module, store| {
        let runner = Runner::new(device, module)?;
        work(&mut Session { runner, store, deadline })
    })
}

/// Runs whole kernels, which have PTX of their own.
fn kernels(common: &Common) -> Result<ExitCode> {
    with_module(common, Kind::Kernels, |device, module, mut store| {
        Ok(Ended { wrong: kernels::run(device, module, &common.ptx, &mut store)?, left: 0 })
    })
}

/// Prints that nothing was done, and returns the status.
fn absent(why: &str) -> ExitCode {
    let strict = std::env::var("PTXF_STRICT").is_ok_and(|v| v == "1");
    eprintln!("ptxf-gpu: SKIPPED, nothing was run: {why}");
    if strict {
        eprintln!("ptxf-gpu: this is a failure, since PTXF_STRICT=1");
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

    /// Captures first what takes seconds. Then the comparison and the sweeps get their shares of
    /// the time, and each continues in the time that remains.
    fn all(&mut self, choice: &compare::Choice, extent: &Extent) -> Result<Ended> {
        let whole = self.deadline;
        let mut ended = captured(&capture::quick(&mut self.runner, &mut self.store, whole)?);
        let compared = self.compare(choice, whole.part(0.6))?;
        let swept = capture::sweeps(&mut self.runner, &mut self.store, extent.blocks, whole.part(0.75))?;
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
        println!("left out, since the PTX lacks them: {}", outcome.missing.join(", "));
    }
    Ended { wrong: 0, left: outcome.left }
}
