//! `ptxf trace`.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::mpsc;

use ptxf_vm::json::Object;
use ptxf_vm::{Check, Extent, Filter, Step, Value};

use crate::Failure;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch, extent, fault};
use crate::operand::excerpt;

/// Run an entry and print what threads do: instructions with their operands and results, in bits and values.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    #[command(flatten)]
    chosen: Chosen,
    /// Instructions that read or write this register alone, such as %f7
    #[arg(long, value_name = "NAME")]
    reg: Option<String>,
    /// These lines of PTX alone, such as 120 or 120-140
    #[arg(long, value_name = "FROM[-TO]", value_parser = lines)]
    line: Option<RangeInclusive<usize>>,
    /// Print a line of JSON for each step
    #[arg(long)]
    json: bool,
}

/// Which threads are looked at.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Chosen {
    /// The thread of this number in its block, with x running first; all if left out
    #[arg(long, value_name = "N")]
    thread: Option<u32>,
    /// Threads of the block with this index, counted from 0; the first one if a thread is named alone
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

A line has the number in the PTX text, the instruction, what it wrote, and behind <- what it read. Steps of one thread are in its order;
those of several blocks are as they came unless --threads is 1.";

/// The index of a block: without z and y these are 0.
fn index(text: &str) -> Result<Extent, String> {
    let Extent(mut all) = extent(text)?;
    all.iter_mut().skip(text.split(',').count()).for_each(|n| *n = 0);
    Ok(Extent(all))
}

fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |word: &str| word.trim().parse().map_err(|_| format!("{} is no number of a line", excerpt(word)));
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to): (usize, usize) = (number(from)?, number(to)?);
    if from > to { Err(format!("{from} is behind {to}: the first line comes first")) } else { Ok(from..=to) }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let launch = &args.launch;
    let mut ready = launch.ready(Check::Memory)?;
    let filter = Filter { lines: args.line.clone(), register: args.reg.clone(), ..args.chosen.filter() };
    // What runs waits for what prints, so that a long trace is not kept.
    let (sender, receiver) = mpsc::sync_channel::<String>(1024);
    let (machine, entry, passed) = (&mut ready.machine, &ready.entry, &ready.args);
    let done = std::thread::scope(|scope| -> Result<_, Failure> {
        let runs = scope.spawn(move || {
            let sink = |step: &Step| {
                let line = if args.json { object(step).to_string() } else { text(step, args.chosen.thread.is_none()) };
                // Nobody prints any more if the output has failed.
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
    done.map_err(fault)?;
    // What programs read is JSON alone.
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

fn object(step: &Step) -> Object {
    let value = |value: &Value| {
        let object = Object::default().text("name", &value.name).text("bits", &format!("{:#x}", value.bits));
        let lanes: Vec<f64> = (0..).map_while(|lane| value.float(lane)).collect();
        match lanes.as_slice() {
            [] => object,
            [x] => object.float("value", *x),
            all => (0..).zip(all).fold(object, |object, (lane, x)| object.float(&format!("value{lane}"), *x)),
        }
    };
    let object = Object::default()
        .list("block", step.block)
        .plain("thread", step.thread)
        .text("function", &step.function)
        .plain("line", step.line)
        .text("text", &step.text)
        .source(step.source.as_ref().map(|(file, line)| (file.as_str(), *line)))
        .list("results", step.results.iter().map(value))
        .list("operands", step.operands.iter().map(value));
    match step.address {
        Some(address) => object.text("address", &format!("{address:#x}")),
        None => object,
    }
}
