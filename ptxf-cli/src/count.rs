//! `ptxf count`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use ptxf_vm::{Check, LineCount};
use serde::Serialize;

use crate::Failure;
use crate::forms::table;
use crate::json;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch};

/// Run an entry and count its instructions, operations and accesses, line by line.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{COLUMNS}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// Print a line of JSON for each instruction, and one for the sum
    #[arg(long)]
    json: bool,
}

const COLUMNS: &str = "\
Columns:
  warps       executions of the instruction by a warp, or by a part of it that arrived on its own
  lanes       lanes in which it executed, on average: those whose guard was true
  diverged    executions while other threads of the warp were at another instruction
  flops       floating-point operations by format; an fma counts as two
  bytes       bytes that lanes read or wrote in global memory
  sectors     sectors of 32 bytes that one access of global memory touched, on average
  shared      bytes that lanes read or wrote in shared memory
  conflicts   additional passes over shared memory because lanes used the same bank";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    launch.refuse_output()?;
    let mut ready = launch.ready(Check::Memory)?;
    let counts = ready.machine.count(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args);
    let counts = counts.map_err(|fault| ready.fault(&fault))?;
    let total = counts.total();
    if args.json {
        for line in counts.lines() {
            json::line(&Line::of(line), out)?;
        }
        json::line(&Line::of(&total), out)?;
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

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    /// The function; empty for the sum, which has no line either.
    function: &'a str,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(flatten)]
    source: Option<json::Source<'a>>,
    executed: u64,
    lanes: u64,
    divergent: u64,
    flops: BTreeMap<&'a str, u64>,
    read: u64,
    written: u64,
    requests: u64,
    sectors: u64,
    shared: u64,
    conflicts: u64,
}

#[derive(Serialize)]
struct Place<'a> {
    line: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn of(count: &'a LineCount) -> Self {
        let is_sum = count.line == 0;
        Self {
            function: if is_sum { "" } else { &count.function },
            place: (!is_sum).then_some(Place { line: count.line, text: &count.text }),
            source: json::source(count.source.as_ref()),
            executed: count.executed,
            lanes: count.lanes,
            divergent: count.divergent,
            flops: count.flops.iter().map(|(format, n)| (*format, *n)).collect(),
            read: count.read,
            written: count.written,
            requests: count.requests,
            sectors: count.sectors,
            shared: count.shared,
            conflicts: count.conflicts,
        }
    }
}
