//! `ptxf count`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf_vm::json::Object;
use ptxf_vm::{Check, LineCount};

use crate::Failure;
use crate::forms::table;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch, fault};

/// Run an entry and count, line by line, what it executes.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{COLUMNS}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// Print a line of JSON for each instruction, and one for all
    #[arg(long)]
    json: bool,
}

const COLUMNS: &str = "\
Columns:
  warps       how many times a warp executed the instruction, or a part of it whose threads came there apart
  lanes       in how many lanes on average: those whose guard was true
  diverged    how many times other threads of the warp were elsewhere
  flops       operations in floating point, two of fma, by format
  bytes       that lanes read or wrote in global memory
  sectors     of 32 bytes that a warp's access of global memory touched, on average
  shared      bytes that lanes read or wrote in shared memory
  conflicts   passes that accesses of shared memory took beyond the least, since lanes met in a bank";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    let mut ready = launch.ready(Check::Memory)?;
    let counts =
        ready.machine.count(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args).map_err(fault)?;
    let total = counts.total();
    if args.json {
        for line in counts.lines() {
            writeln!(out, "{}", object(line))?;
        }
        writeln!(out, "{}", object(&total))?;
        return ready.write(&mut io::sink()).map(|()| ExitCode::SUCCESS);
    }
    let head =
        ["line", "warps", "lanes", "diverged", "flops", "bytes", "sectors", "shared", "conflicts", "instruction"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(counts.lines().iter().map(row));
    rows.push(row(&total));
    table(&rows, "", out)?;
    ready.write(out)?;
    Ok(ExitCode::SUCCESS)
}

fn row(line: &LineCount) -> Vec<String> {
    let or_nothing = |n: u64| if n == 0 { String::new() } else { n.to_string() };
    let average =
        |all: u64, times: u64| if times == 0 { String::new() } else { format!("{:.1}", all as f64 / times as f64) };
    let flops = line.flops.iter().map(|(format, count)| format!("{count} {format}")).collect::<Vec<_>>().join(", ");
    vec![
        or_nothing(line.line as u64),
        line.executed.to_string(),
        average(line.lanes, line.executed),
        or_nothing(line.divergent),
        flops,
        or_nothing(line.read + line.written),
        average(line.sectors, line.requests),
        or_nothing(line.shared),
        or_nothing(line.conflicts),
        if line.line == 0 { "all".to_owned() } else { line.text.clone() },
    ]
}

fn object(line: &LineCount) -> Object {
    let object = Object::default();
    // All lines together have no place.
    let object = if line.line == 0 {
        object.text("function", "")
    } else {
        object.text("function", &line.function).plain("line", line.line).text("text", &line.text)
    };
    let flops = line.flops.iter().fold(Object::default(), |flops, (format, count)| flops.plain(format, count));
    object
        .source(line.source.as_ref().map(|(file, at)| (file.as_str(), *at)))
        .plain("executed", line.executed)
        .plain("lanes", line.lanes)
        .plain("divergent", line.divergent)
        .plain("flops", flops)
        .plain("read", line.read)
        .plain("written", line.written)
        .plain("requests", line.requests)
        .plain("sectors", line.sectors)
        .plain("shared", line.shared)
        .plain("conflicts", line.conflicts)
}
