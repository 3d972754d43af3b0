//! `ptxf births`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf_vm::Check;
use ptxf_vm::json::Object;

use crate::Failure;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch, fault};

/// Run an entry and report where NaNs and infinities are born, subnormal numbers flushed, and bits cancelled.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{KINDS}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// How many leading bits of a sum may cancel; half of the format's if left out
    #[arg(long, value_name = "BITS")]
    cancel: Option<u32>,
    /// Print a line of JSON for each
    #[arg(long)]
    json: bool,
}

const KINDS: &str = "\
Reported, each line of PTX once, with the first thread and the number of times, are
  NaN           a NaN out of operands that are none
  infinity      an infinity out of finite operands
  overflow      a number beyond the format that cvt converts it to
  flush         a subnormal operand or result that .ftz made a zero
  cancellation  a sum of which more leading bits are gone than --cancel allows";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    let mut ready = launch.ready(Check::Memory)?;
    let done = ready.machine.births(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args, args.cancel);
    let reports = ready.machine.reports();
    for report in reports {
        if !args.json {
            writeln!(out, "{}: {report}", report.kind().name())?;
            continue;
        }
        let object = Object::default()
            .text("kind", report.kind().name())
            .plain("line", report.line())
            .source(report.source())
            .plain("count", report.count())
            .list("block", report.block())
            .list("thread", report.thread())
            .text("what", report.what());
        writeln!(out, "{object}")?;
    }
    done.map_err(fault)?;
    let code = if reports.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    // What programs read is JSON alone.
    if args.json {
        ready.write(&mut io::sink())?
    } else {
        ready.write(out)?
    }
    Ok(code)
}
