//! A batch of kernels, compiled to one program of tests.

use std::collections::BTreeSet;
use std::fs;
use std::process::Output;

use anyhow::{Context as _, Result, ensure};
use oracle::kernels::{Sample, module};
use serde_json::Value;

use crate::shell;

/// A way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The expansion does not compile.
    Compile,
    /// The kernel's test fails.
    Test,
}

/// Returns the kernels that fail. Prints the compiler's messages and the tests' output if `shown`.
pub(super) fn failures(samples: &[Sample], shown: bool) -> Result<Vec<(Sample, Failure)>> {
    let (numbers, failure) = match compile(samples, shown)? {
        Compiled::Program(program) => (failing(&program, samples, shown)?, Failure::Test),
        Compiled::Wrong(numbers) => (numbers, Failure::Compile),
    };
    let (fail, pass): (Vec<_>, Vec<_>) =
        samples.iter().cloned().partition(|sample| numbers.contains(&sample.kernel.number));
    let mut failures: Vec<_> = fail.into_iter().map(|sample| (sample, failure)).collect();
    if failure == Failure::Compile && !pass.is_empty() {
        failures.extend(self::failures(&pass, shown)?);
    }
    Ok(failures)
}

/// The length of a line in the compiler's messages.
const WIDTH: usize = 200;

enum Compiled {
    Program(String),
    /// The numbers of the kernels with errors.
    Wrong(BTreeSet<usize>),
}

/// Compiles the tests of these kernels to a program.
///
/// Without LLVM's passes a kernel takes an eighth of the time: without inlining the code that its
/// versions share is compiled once.
fn compile(samples: &[Sample], shown: bool) -> Result<Compiled> {
    let folder = shell::target().join("kernels");
    fs::create_dir_all(&folder)?;
    let tapes = folder.join(format!("{}.tapes", std::process::id()));
    let text: String = samples.iter().map(|sample| sample.tape() + "\n").collect();
    fs::write(&tapes, text).with_context(|| tapes.display().to_string())?;
    let mut build =
        shell::command("cargo", &["rustc", "--quiet", "--package", "kernels", "--lib", "--profile", "test"]);
    build.args(["--message-format", "json", "--", "--cfg", "only_generated"]);
    build.args(["-C", "no-prepopulate-passes", "-C", "debuginfo=0"]);
    // A batch is never compiled again.
    build.env("PTXF_KERNELS", &tapes).env("CARGO_INCREMENTAL", "0");
    let output = build.output().context("cargo")?;
    fs::remove_file(&tapes)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if output.status.success() {
        let program = messages.iter().find_map(|message| Some(message.get("executable")?.as_str()?.to_owned()));
        return Ok(Compiled::Program(program.context("cargo names no program")?));
    }
    let errors: Vec<&Value> =
        messages.iter().map(|message| &message["message"]).filter(|message| message["level"] == "error").collect();
    let mut lines = BTreeSet::new();
    errors.iter().for_each(|error| collect(error, &mut lines));
    // The lines of `generated.rs`, each with the number of its kernel.
    let mut number = None;
    let generated = module(samples);
    let numbers = generated.lines().map(|line| {
        let named = line.strip_prefix("mod kernel_").and_then(|rest| rest.strip_suffix(" {")?.parse::<usize>().ok());
        number = named.or(number);
        number
    });
    let wrong: BTreeSet<usize> =
        (1..).zip(numbers).filter(|(line, _)| lines.contains(line)).filter_map(|(_, number)| number).collect();
    // A kernel for one thread is one line.
    let rendered = errors.iter().filter_map(|error| error["rendered"].as_str()).flat_map(str::lines);
    let rendered: String = rendered.map(|line| line.chars().take(WIDTH).chain(['\n']).collect::<String>()).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(!wrong.is_empty(), "{}: {}\n{rendered}{said}", shell::shown(&build), output.status);
    if shown {
        eprintln!("{rendered}");
    }
    Ok(Compiled::Wrong(wrong))
}

/// Collects the lines of `generated.rs` in a message, also those of expansions.
fn collect(message: &Value, lines: &mut BTreeSet<u64>) {
    match message {
        Value::Object(fields) => {
            if fields.get("file_name").and_then(Value::as_str).is_some_and(|name| name.ends_with("/generated.rs")) {
                lines.extend(fields.get("line_start").and_then(Value::as_u64));
            }
            fields.values().for_each(|value| collect(value, lines));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, lines)),
        _ => {}
    }
}

/// Runs the tests. Returns the numbers of the kernels whose tests fail.
fn failing(program: &str, samples: &[Sample], shown: bool) -> Result<BTreeSet<usize>> {
    let output = run(program, &["generated"])?;
    let text = String::from_utf8_lossy(&output.stdout);
    if shown && !output.status.success() {
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    let numbers = samples.iter().map(|sample| sample.kernel.number);
    let name = |number: usize| format!("generated::kernel_{number}::siblings_agree");
    if matches!(output.status.code(), Some(0 | 101)) {
        return Ok(numbers.filter(|&number| text.contains(&format!("test {} ... FAILED", name(number)))).collect());
    }
    // A test has ended the program.
    let mut failing = BTreeSet::new();
    for number in numbers {
        if !run(program, &["--exact", &name(number)])?.status.success() {
            failing.insert(number);
        }
    }
    Ok(failing)
}

/// CPU seconds that a program may use. The tests of a hundred kernels need a tenth.
const LIMIT: &str = "600";

fn run(program: &str, arguments: &[&str]) -> Result<Output> {
    let limited = r#"ulimit -t "$0" && exec "$@""#;
    let mut command = shell::command("sh", &["-c", limited, LIMIT, program]);
    command.args(arguments).output().with_context(|| program.to_owned())
}
