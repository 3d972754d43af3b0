//! The `ptxf` command: PTX floating-point instructions for people at a terminal.
//!
//! | file | does |
//! |---|---|
//! | `arguments` | makes the words of the command line fit for its parser |
//! | `eval` | computes one form on operands given as bits or values |
//! | `batch` | computes a stream of lines, in bits only |
//! | `forms` | lists the legal spellings |
//! | `explain` | prints everything the table knows about one spelling |
//! | `format` | prints a number format, and where numbers are in it |
//! | `place` | finds a number's neighbours and what conversions make of it |
//! | `run` | runs an entry of a PTX file |
//! | `count`, `births`, `trace`, `diff` | run it, and say what it executes, where numbers are lost, what threads do, where two runs part |
//! | `launch`, `argument`, `npy` | what a launch is made of; what is passed to it; arrays in files |
//! | `progress` | shows on a terminal how far a launch is |
//! | `cuda` | runs a program of CUDA's driver API without a GPU |
//! | `operand`, `number` | turn text into register bits and back |
//! | `lane`, `shape` | are the formats of lanes, as the library describes them |
//! | `decimal` | calculates with decimals of any length |
//! | `suggest` | says what is wrong with a spelling that is not legal |
//! | `fuzz` | states what holds for any bytes at all |
//!
//! An answer that nobody can read is an error. So a closed or full output ends the command with status 1, and a reader that has gone
//! ends it with status 141, silently, as the shell's own tools end.

#![forbid(unsafe_code)]

mod argument;
mod arguments;
mod batch;
mod births;
mod count;
mod cuda;
mod decimal;
mod diff;
mod eval;
mod explain;
mod format;
mod forms;
#[doc(hidden)]
pub mod fuzz;
mod lane;
mod launch;
mod npy;
mod number;
mod operand;
mod place;
mod progress;
mod run;
mod shape;
mod suggest;
mod trace;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Evaluate, list and explain NVIDIA PTX floating-point instructions and formats, bit for bit, without a GPU.
#[derive(Debug, Parser)]
#[command(name = "ptxf", version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  ptxf eval fma.rn.f16 1.5 -2 0.25       1.5 · -2 + 0.25 in half precision
  ptxf eval add.f16x2 0x3c004000 1,-1    bits and values mix; 1,-1 is the lower lane, then the upper
  ptxf forms 'fma.*.bf16*'               every legal fma on bf16 and bf16x2
  ptxf explain min.ftz.NaN.f16           what it means, since when, special values
  ptxf format e4m3 0.3                   a format's bits and values, and 0.3 between its neighbours
  ptxf run k.ptx scale --block 32 'buf:x.bin>y.bin' f32:0.5   an entry, over a grid of threads
  ptxf births k.ptx scale --block 32 buf:x.npy f32:0.5        where its NaNs come from; also count, trace, diff
  ptxf cuda -- ./program                 a program of CUDA's driver API, without a GPU

Exit codes:
  0    done
  1    bad input: a form, format or operand that is not one, nothing found, a fault of a kernel; or input or output failed
  2    wrong usage of the command line
  141  whoever read the output has gone";

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Args),
    Forms(forms::Args),
    Explain(explain::Args),
    Format(format::Args),
    Run(run::Args),
    Cuda(cuda::Args),
    Count(count::Args),
    Births(births::Args),
    Trace(trace::Args),
    Diff(diff::Args),
}

/// Which standard streams were closed when the program started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closed {
    /// Standard input.
    pub input: bool,
    /// Standard output.
    pub output: bool,
}

/// Why a command ended early.
#[derive(Debug)]
enum Failure {
    /// A mistake in the user's words or input, as a message.
    Input(String),
    /// The words of the command line.
    Usage(String),
    /// Standard input.
    Read(io::Error),
    /// Standard output.
    Write(io::Error),
}

/// The operator `?` turns errors of output into this, and no others.
impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Write(e)
    }
}

/// The status that a shell reports of a program that SIGPIPE ended: 128 and the signal's number. Rust's programs ignore the signal.
const READER_GONE: u8 = 141;

const WRONG_USAGE: u8 = 2;

/// Runs the command with the words of its command line, of which the first is the program's name.
pub fn main(words: impl Iterator<Item = OsString>, closed: Closed) -> ExitCode {
    // `println!` would panic when the reader of a pipe has gone.
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = command(words, closed, &mut out);
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => code,
        Err(Failure::Write(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(READER_GONE),
        Err(Failure::Write(e)) => fail(&format!("cannot write to standard output: {e}")),
        Err(Failure::Read(e)) => fail(&format!("cannot read standard input: {e}")),
        Err(Failure::Input(message)) => fail(&message),
        Err(Failure::Usage(message)) => {
            say(message.trim_end());
            ExitCode::from(WRONG_USAGE)
        }
    }
}

fn command(
    words: impl Iterator<Item = OsString>,
    closed: Closed,
    out: &mut io::BufWriter<io::StdoutLock<'_>>,
) -> Result<ExitCode, Failure> {
    let words = arguments::read(words).map_err(|e| Failure::Usage(format!("error: {e}")))?;
    let parsed = Cli::try_parse_from(words);
    if let Err(wrong) = &parsed
        && wrong.use_stderr()
    {
        return Err(Failure::Usage(wrong.render().to_string()));
    }
    let is_closed = |is: bool| if is { Err(io::Error::other("it is closed")) } else { Ok(()) };
    is_closed(closed.output)?;
    let command = match parsed {
        Ok(cli) => cli.command,
        // This is the help, or the version. clap would not notice that nobody could read it.
        Err(asked) => {
            write!(out, "{}", asked.render())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    match command {
        Command::Eval(args) if args.batch => {
            let model = eval::model(&args)?;
            is_closed(closed.input).map_err(Failure::Read)?;
            batch::run(model, &mut io::stdin().lock(), out.get_mut())
        }
        Command::Eval(args) => eval::run(&args, out),
        Command::Forms(args) => forms::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Format(args) => format::run(&args, out),
        Command::Run(args) => run::run(&args, out),
        Command::Cuda(args) => cuda::run(&args, out),
        Command::Count(args) => count::run(&args, out),
        Command::Births(args) => births::run(&args, out),
        Command::Trace(args) => trace::run(&args, out),
        Command::Diff(args) => diff::run(&args, out),
    }
}

fn fail(message: &str) -> ExitCode {
    say(&format!("error: {message}"));
    ExitCode::FAILURE
}

/// Writes a line to stderr; when even that is impossible there is nobody left to tell.
fn say(message: &str) {
    progress::clear();
    let _ = writeln!(io::stderr(), "{message}");
}
