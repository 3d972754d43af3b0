//! `ptxf births`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf_vm::Check;
use serde::Serialize;

use crate::launch::{ARGUMENTS, EXIT_CODES, Launch};
use crate::{Failure, json};

/// Run an entry and report the origins of NaNs and infinities, flushed subnormal numbers, and
/// cancelled bits.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{KINDS}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// Leading bits of a sum that may cancel; default: half of the format's
    #[arg(long, value_name = "BITS")]
    cancel: Option<u32>,
    /// Print a line of JSON for each report
    #[arg(long)]
    json: bool,
}

const KINDS: &str = "\
A line of PTX is reported once, with the first thread and the number of times. The kinds of reports are
  NaN           a NaN from operands that are not NaN
  infinity      an infinity from finite operands
  overflow      a number that is out of range for the format that cvt converts it to
  flush         a subnormal operand or result that .ftz replaced by zero
  cancellation  a sum that lost more leading bits than --cancel allows";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    launch.refuse_output()?;
    let mut ready = launch.ready(Check::Memory)?;
    let done = ready.machine.births(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args, args.cancel);
    let reports = ready.machine.reports();
    for report in reports {
        if !args.json {
            writeln!(out, "{}: {report}", report.kind().name())?;
            continue;
        }
        let line = Line {
            kind: report.kind().name(),
            line: report.line(),
            source: report.source().map(|(source, source_line)| json::Source { source, source_line }),
            count: report.count(),
            block: report.block(),
            thread: report.thread(),
            what: report.what(),
        };
        json::line(&line, out)?;
    }
    done.map_err(|fault| ready.fault(&fault))?;
    let code = if reports.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    // A program reads JSON only.
    if args.json {
        ready.write(&mut io::sink())?
    } else {
        ready.write(out)?
    }
    Ok(code)
}

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    kind: &'a str,
    line: usize,
    #[serde(flatten)]
    source: Option<json::Source<'a>>,
    count: u64,
    block: [u32; 3],
    thread: [u32; 3],
    what: &'a str,
}
