//! `ptxf run`.

use std::io::Write;
use std::process::ExitCode;

use ptxf_vm::Check;

use crate::Failure;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch};

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
}

const EXAMPLES: &str = "\
Examples:
  ptxf run k.ptx scale --grid 4 --block 128 'buf:x.bin>y.bin' u64:512 f32:0.5
  ptxf run k.ptx fill --block 32,4 'zero:f32:128>out.npy'
  ptxf run k.ptx sum --block 256 --check racecheck rand:f32:256:1 zero:4";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    let mut ready = launch.ready(args.check)?;
    let done = ready.machine.launch(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args);
    let is_reported = ready.report();
    done.map_err(|fault| ready.fault(&fault))?;
    ready.write(out)?;
    Ok(if is_reported { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
