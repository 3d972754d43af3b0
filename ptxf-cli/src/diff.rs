//! `ptxf diff`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ptxf_vm::json::Object;
use ptxf_vm::{Check, Difference, Recording};

use crate::Failure;
use crate::forms::table;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch, fault};
use crate::operand::excerpt;
use crate::trace::Chosen;

/// Run two entries and compare what they compute, line by line of their source.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// The entry to compare with; the same if left out
    #[arg(long, value_name = "ENTRY")]
    to: Option<String>,
    /// The file that has it; the same if left out
    #[arg(long, value_name = "FILE")]
    to_file: Option<PathBuf>,
    /// What is passed to it, once for each of its parameters; the same if left out
    #[arg(long, value_name = "ARG")]
    to_arg: Vec<String>,
    #[command(flatten)]
    chosen: Chosen,
    /// How far values may be apart, in parts of the larger one
    #[arg(long, value_name = "PART", default_value_t = 0.0, value_parser = tolerance)]
    tolerance: f64,
    /// Print a line of JSON for each line that differs
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ptxf diff k.ptx dot_f32 --to dot_f16 --block 32 'buf:x32.npy' --to-arg 'buf:x16.npy' --tolerance 0.01
  ptxf diff old.ptx k --to-file new.ptx --block 128 --thread 5 'buf:x.bin'

Of each line of the source, which .loc names, the first value is compared with the first one, the second with the second. Values are
results of arithmetic in floating point; moves and conversions are left out. Without .loc lines are those of PTX.";

fn tolerance(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|x: &f64| *x >= 0.0);
    part.ok_or_else(|| format!("{} is no part of a number, such as 0.01", excerpt(text)))
}

fn record(launch: &Launch, args: &Args) -> Result<Recording, Failure> {
    let mut ready = launch.ready(Check::Memory)?;
    let filter = args.chosen.filter();
    ready.machine.record(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args, &filter).map_err(fault)
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut other = args.launch.clone();
    other.entry = args.to.clone().unwrap_or(other.entry);
    other.file = args.to_file.clone().unwrap_or(other.file);
    if !args.to_arg.is_empty() {
        other.args.clone_from(&args.to_arg);
    }
    let comparison = record(&args.launch, args)?.compare(&record(&other, args)?, args.tolerance);
    if args.json {
        for (is_first, found) in comparison
            .first
            .iter()
            .map(|first| (true, first))
            .chain(comparison.lines.iter().map(|l| (false, &l.largest)))
        {
            writeln!(out, "{}", object(found).plain("first", is_first))?;
        }
    } else if let Some(first) = &comparison.first {
        let [x, y, z] = first.block;
        writeln!(out, "first difference: {}, block ({x}, {y}, {z}), thread {}", place(first), first.thread)?;
        for (value, (line, text)) in first.values.iter().zip(&first.instructions) {
            match value {
                Some(value) => writeln!(out, "  {line}:  {text}  is {value:?}")?,
                None => writeln!(out, "  nothing: it went another way")?,
            }
        }
        let head = ["line", "values", "different", "largest", "thread", "one", "other"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(comparison.lines.iter().map(|line| {
            let largest = &line.largest;
            let [x, y, z] = largest.block;
            let value = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:?}"));
            vec![
                place(largest),
                line.compared.to_string(),
                line.different.to_string(),
                format!("{:.3e}", largest.relative),
                format!("({x}, {y}, {z}) {}", largest.thread),
                value(largest.values[0]),
                value(largest.values[1]),
            ]
        }));
        writeln!(out)?;
        table(&rows, "", out)?;
    } else {
        writeln!(out, "{} values, none different", comparison.compared)?;
    }
    Ok(if comparison.first.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The line of the source, or of the PTX.
fn place(of: &Difference) -> String {
    let (file, line) = &of.source;
    if file.is_empty() { format!("line {line}") } else { format!("{file}:{line}") }
}

fn object(of: &Difference) -> Object {
    let object = Object::default()
        .source((!of.source.0.is_empty()).then_some((of.source.0.as_str(), of.source.1)))
        .list("block", of.block)
        .plain("thread", of.thread)
        .float("relative", of.relative);
    let sides = [("one", 0), ("other", 1)].into_iter();
    sides.fold(object, |object, (name, i)| {
        let (line, text) = &of.instructions[i];
        match of.values[i] {
            Some(value) => {
                object.plain(&format!("{name}_line"), line).text(&format!("{name}_text"), text).float(name, value)
            }
            None => object.plain(name, "null"),
        }
    })
}
