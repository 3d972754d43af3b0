//! `ptxf diff`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ptxf_vm::{Check, Difference, Recording};
use serde::Serialize;

use crate::forms::table;
use crate::launch::{ARGUMENTS, EXIT_CODES, Launch};
use crate::operand::excerpt;
use crate::trace::Chosen;
use crate::{Failure, json};

/// Run two entries and compare what they compute, line by line of their source.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ARGUMENTS}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// The entry to compare with; default: the same
    #[arg(long, value_name = "ENTRY")]
    to: Option<String>,
    /// The file of that entry; default: the same
    #[arg(long, value_name = "FILE")]
    to_file: Option<PathBuf>,
    /// An argument of that entry, once for each of its parameters; default: the same arguments
    #[arg(long, value_name = "ARG")]
    to_arg: Vec<String>,
    #[command(flatten)]
    chosen: Chosen,
    /// Relative difference that is ignored, such as 0.01
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

The command compares the results of floating-point arithmetic, without moves and conversions. The n-th value of a source line, which
.loc names, is compared with the n-th value of the same line. Without .loc, lines are lines of PTX.";

fn tolerance(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|x: &f64| *x >= 0.0);
    part.ok_or_else(|| format!("{} is no relative difference: write a number from 0, such as 0.01", excerpt(text)))
}

fn record(launch: &Launch, args: &Args) -> Result<Recording, Failure> {
    launch.refuse_output()?;
    launch.refuse_input(0)?;
    let mut ready = launch.ready(Check::Memory)?;
    let filter = args.chosen.filter();
    let recording = ready.machine.record(&ready.entry, launch.grid, launch.block, launch.shared, &ready.args, &filter);
    recording.map_err(|fault| ready.fault(&fault))
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
            json::line(&Line::of(found, is_first), out)?;
        }
    } else if let Some(first) = &comparison.first {
        let [x, y, z] = first.block;
        writeln!(out, "first difference: {}, block ({x}, {y}, {z}), thread {}", place(first), first.thread)?;
        for (value, (line, text)) in first.values.iter().zip(&first.instructions) {
            match value {
                Some(value) => writeln!(out, "  {line}:  {text}  is {value:?}")?,
                None => writeln!(out, "  nothing: the thread took another branch")?,
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

/// Returns the line of the source, or without `.loc` the line of the PTX.
fn place(of: &Difference) -> String {
    let (file, line) = &of.source;
    if file.is_empty() { format!("line {line}") } else { format!("{file}:{line}") }
}

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    source: Option<json::Source<'a>>,
    block: [u32; 3],
    thread: u32,
    relative: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_text: Option<&'a str>,
    /// `null` if the thread took another branch; then its line and its text are missing.
    one: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_text: Option<&'a str>,
    other: Option<serde_json::Value>,
    first: bool,
}

impl<'a> Line<'a> {
    fn of(found: &'a Difference, is_first: bool) -> Self {
        let (file, line) = &found.source;
        let sides = [0, 1].map(|i| {
            let (line, text) = &found.instructions[i];
            found.values[i].map(|value| (*line, text.as_str(), json::float(value)))
        });
        let line_of = |i: usize| sides[i].as_ref().map(|side| side.0);
        let text_of = |i: usize| sides[i].as_ref().map(|side| side.1);
        let value_of = |i: usize| sides[i].as_ref().map(|side| side.2.clone());
        Self {
            source: (!file.is_empty()).then_some(json::Source { source: file, source_line: *line }),
            block: found.block,
            thread: found.thread,
            relative: json::float(found.relative),
            one_line: line_of(0),
            one_text: text_of(0),
            one: value_of(0),
            other_line: line_of(1),
            other_text: text_of(1),
            other: value_of(1),
            first: is_first,
        }
    }
}
