//! `ptxf trace`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::mpsc;

use ptxf_vm::{Check, Extent, Filter, Step, Value};
use serde::Serialize;

use crate::launch::{ARGUMENTS, EXIT_CODES, Launch, extent};
use crate::operand::excerpt;
use crate::{Failure, json};

/// Run an entry and print the instructions of its threads, with operands and results in bits and
/// values.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    #[command(flatten)]
    chosen: Chosen,
    /// Only instructions that read or write this register, such as %f7
    #[arg(long, value_name = "NAME")]
    reg: Option<String>,
    /// Only these lines of PTX, such as 120 or 120-140
    #[arg(long, value_name = "FROM[-TO]", value_parser = lines)]
    line: Option<RangeInclusive<usize>>,
    /// Print a line of JSON for each step
    #[arg(long)]
    json: bool,
}

/// The threads that a command examines.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Chosen {
    /// The thread of this number in its block, counted along x first; default: all
    #[arg(long, value_name = "N")]
    thread: Option<u32>,
    /// The block with this index, counted from 0; default: all, or the first one with --thread
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = index)]
    at: Option<Extent>,
}

impl Chosen {
    pub(crate) fn filter(self) -> Filter {
        let first = self.thread.map(|_| Extent([0; 3]));
        Filter { thread: self.thread, block: self.at.or(first).map(|at| at.0), ..Filter::default() }
    }
}

const EXAMPLES: &str = "\
Examples:
  ptxf trace k.ptx scale --block 128 --thread 63 'buf:x.bin' u64:512 f32:0.5
  ptxf trace k.ptx scale --block 128 --at 2 --thread 63 --reg %f7 --line 120-140 --json 'buf:x.bin' u64:512 f32:0.5

A line has the line number of the PTX text, the instruction, its results, and after <- its operands. The steps of one thread stand in
order. Those of several blocks are interleaved by chance, unless --threads is 1.";

/// Reads the index of a block. Missing coordinates are 0.
fn index(text: &str) -> Result<Extent, String> {
    let Extent(mut all) = extent(text)?;
    all.iter_mut().skip(text.split(',').count()).for_each(|n| *n = 0);
    Ok(Extent(all))
}

fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |word: &str| {
        word.trim().parse().map_err(|_| format!("{} is no line number: write 120, or 120-140", excerpt(word)))
    };
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to): (usize, usize) = (number(from)?, number(to)?);
    if from > to { Err(format!("{from} is above {to}: write the first line first")) } else { Ok(from..=to) }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    launch.refuse_output()?;
    let mut ready = launch.ready(Check::Memory)?;
    let filter = Filter { lines: args.line.clone(), register: args.reg.clone(), ..args.chosen.filter() };
    // The bounded channel makes the machine wait for the printer, so that a long trace is not
    // stored.
    let (sender, receiver) = mpsc::sync_channel::<String>(1024);
    let (machine, entry, passed) = (&mut ready.machine, &ready.entry, &ready.args);
    let done = std::thread::scope(|scope| -> Result<_, Failure> {
        let runs = scope.spawn(move || {
            let sink = |step: &Step| {
                let line = if args.json { object(step) } else { text(step, args.chosen.thread.is_none()) };
                // If the output has failed, the printer has ended.
                let _ = sender.send(line);
            };
            machine.trace(entry, launch.grid, launch.block, launch.shared, passed, &filter, &sink)
        });
        let mut written = Ok(());
        for line in receiver {
            if written.is_ok() {
                written = writeln!(out, "{line}");
            }
        }
        let done = runs.join().map_err(|_| Failure::Input("the machine stopped".to_owned()))?;
        written?;
        Ok(done)
    })?;
    done.map_err(|fault| ready.fault(&fault))?;
    // A program reads JSON only.
    if args.json {
        ready.write(&mut io::sink())?
    } else {
        ready.write(out)?
    }
    Ok(ExitCode::SUCCESS)
}

fn text(step: &Step, names_thread: bool) -> String {
    let [x, y, z] = step.block;
    if names_thread { format!("({x}, {y}, {z}) {:>4} {step}", step.thread) } else { step.to_string() }
}

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    block: [u32; 3],
    thread: u32,
    function: &'a str,
    line: usize,
    text: &'a str,
    #[serde(flatten)]
    source: Option<json::Source<'a>>,
    results: Vec<Register<'a>>,
    operands: Vec<Register<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

#[derive(Serialize)]
struct Register<'a> {
    name: &'a str,
    bits: String,
    /// `value`, or `value0` and so on for the lanes of a packed register.
    #[serde(flatten)]
    values: BTreeMap<String, serde_json::Value>,
}

impl<'a> Register<'a> {
    fn of(value: &'a Value) -> Self {
        let lanes: Vec<f64> = (0..).map_while(|lane| value.float(lane)).collect();
        let name = |lane| if lanes.len() == 1 { "value".to_owned() } else { format!("value{lane}") };
        let values = lanes.iter().enumerate().map(|(lane, x)| (name(lane), json::float(*x))).collect();
        Self { name: &value.name, bits: format!("{:#x}", value.bits), values }
    }
}

fn object(step: &Step) -> String {
    let line = Line {
        block: step.block,
        thread: step.thread,
        function: &step.function,
        line: step.line,
        text: &step.text,
        source: json::source(step.source.as_ref()),
        results: step.results.iter().map(Register::of).collect(),
        operands: step.operands.iter().map(Register::of).collect(),
        address: step.address.map(|address| format!("{address:#x}")),
    };
    serde_json::to_string(&line).unwrap_or_default()
}
