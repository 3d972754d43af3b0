//! The `ptxf` command: PTX floating-point instructions for people at a terminal.
//!
//! | file | does |
//! |---|---|
//! | `eval` | one form on operands given as bits or values |
//! | `batch` | the same for a stream of lines, bits only |
//! | `forms` | the list of legal spellings |
//! | `explain` | everything the table knows about one spelling |
//! | `operand`, `number` | text to register bits and back |
//! | `suggest` | what is wrong with a spelling that is not legal |

#![forbid(unsafe_code)]

mod batch;
mod eval;
mod explain;
mod forms;
mod number;
mod operand;
mod suggest;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Evaluate, list and explain NVIDIA PTX floating-point instructions, bit for bit, without a GPU.
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

Exit codes:
  0  done
  1  bad input: a form or operand that is not one, nothing found; or input or output failed
  2  wrong usage of the command line";

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Args),
    Forms(forms::Args),
    Explain(explain::Args),
}

/// Why a command ended early.
#[derive(Debug)]
enum Failure {
    /// Something in what the user gave, as a message.
    Input(String),
    /// Reading or writing.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    // `println!` would panic when the reader of a pipe has gone.
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = match command {
        Command::Eval(args) if args.batch => {
            eval::model(&args).and_then(|model| batch::run(model, &mut io::stdin().lock(), out.get_mut()))
        }
        Command::Eval(args) => eval::run(&args, &mut out),
        Command::Forms(args) => forms::run(&args, &mut out),
        Command::Explain(args) => explain::run(&args, &mut out),
    };
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => code,
        Err(Failure::Io(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(e)) => fail(&format!("input or output failed: {e}")),
        Err(Failure::Input(message)) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    say(&format!("error: {message}"));
    ExitCode::FAILURE
}

/// Writes a line to stderr; when even that is impossible there is nobody left to tell.
fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
