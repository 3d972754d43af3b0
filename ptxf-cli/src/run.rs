//! `ptxf run`.

use std::io::Write;
use std::process::ExitCode;

use ptxf_vm::{Check, FormCount};
use serde::Serialize;

use crate::launch::{ARGUMENTS, EXIT_CODES, Launch};
use crate::{Failure, json, say};

/// Run an entry of a PTX file on this CPU.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{ARGUMENTS}\n\n{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// Checks of the launch. memcheck: accesses out of bounds, misaligned, of freed memory, or
    /// writes to constants. initcheck: also reads of registers and memory that were never written.
    /// racecheck: also unordered accesses of the same bytes
    #[arg(long, value_name = "LEVEL", default_value = "memcheck")]
    check: Check,
    /// Report how many executed instructions were exact, had the bits of a device, or were only
    /// within the documented bound, by form. json prints a line for each form
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    report: Option<Format>,
}

/// A format of the report.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A line of `--report=json`.
#[derive(Serialize)]
struct Line<'a> {
    form: &'a str,
    exactness: &'a str,
    lanes: u64,
}

const EXAMPLES: &str = "\
Examples:
  ptxf run k.ptx scale --grid 4 --block 128 'buf:x.bin>y.bin' u64:512 f32:0.5
  ptxf run k.ptx fill --block 32,4 'zero:f32:128>out.npy'
  ptxf run k.ptx sum --block 256 --report rand:f32:256:1 zero:4
  ptxf run k.ptx sum --block 256 --check racecheck rand:f32:256:1 zero:4";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    if matches!(args.report, Some(Format::Json)) {
        launch.refuse_output()?;
    }
    let mut ready = launch.ready(args.check)?;
    if args.report.is_some() {
        ready.machine.count_fidelity();
    }
    let done = ready.machine.launch(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args);
    let is_reported = ready.report();
    done.map_err(|fault| ready.fault(&fault))?;
    ready.write(out)?;
    match args.report {
        None => {}
        Some(Format::Text) => say(&format!("report: {}", ready.machine.fidelity())),
        Some(Format::Json) => {
            for FormCount { form, exactness, lanes, .. } in ready.machine.fidelity().forms() {
                json::line(&Line { form: &form, exactness: exactness.name(), lanes }, out)?;
            }
        }
    }
    Ok(if is_reported { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
