//! The `ptxf` command: PTX floating-point instructions at a terminal, and PTX programs without a
//! GPU.
//!
//! | file | subject |
//! |---|---|
//! | `eval` | one form, on operands given as bits or values |
//! | `batch` | a stream of lines, in bits only |
//! | `forms` | the list of legal spellings |
//! | `explain` | everything that the table has on one spelling |
//! | `format` | a number format, and numbers in it |
//! | `place` | a number's neighbours and its conversions |
//! | `run` | a launch of an entry of a PTX file |
//! | `count`, `births`, `trace`, `diff` | launches that report counts, origins of NaNs, steps, differences |
//! | `gemm` | a product of matrices with a device's bits |
//! | `matrix` | matrix instructions, explained and evaluated |
//! | `launch`, `argument`, `npy`, `json` | the parts of a launch: arguments, arrays in files, lines of JSON |
//! | `progress` | the progress of a launch on a terminal |
//! | `cuda` | a program of CUDA's driver API, without a GPU |
//! | `ptxas` | stand-ins for `ptxas`, `nvlink` and `nvcc`, which wrap PTX |
//! | `environment` | the variables `PTXF_…` |
//! | `operand`, `number` | text to register bits and back |
//! | `lane`, `shape` | the formats of lanes, as the library describes them |
//! | `display` | bits, values and fields of a lane as text |
//! | `decimal` | decimals of any length |
//! | `suggest` | advice on an illegal spelling |
//! | `fuzz` | properties that hold for any bytes |
//!
//! An answer that cannot be written is an error: a full output ends the command with status 1. If
//! the reader of a pipe has closed it, the command ends with status 141 and prints nothing, like a
//! shell's tools.

#![forbid(unsafe_code)]

mod argument;
mod batch;
mod births;
mod count;
mod cuda;
mod decimal;
mod diff;
mod display;
mod environment;
mod eval;
mod explain;
mod format;
mod forms;
#[doc(hidden)]
pub mod fuzz;
mod gemm;
mod json;
mod lane;
mod launch;
mod matrix;
mod npy;
mod number;
mod operand;
mod place;
mod progress;
mod ptxas;
mod run;
mod shape;
mod suggest;
mod texture;
mod trace;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Evaluate, list and explain NVIDIA PTX floating-point instructions and formats, bit for bit,
/// without a GPU.
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
  ptxf explain min.ftz.NaN.f16           its result, versions and special values
  ptxf format e4m3 0.3                   a format's bits and values, and 0.3 between its neighbours
  ptxf run k.ptx scale --block 32 'buf:x.npy>y.npy' f32:0.5   an entry, over a grid of threads
  ptxf births k.ptx scale --block 32 buf:x.npy f32:0.5        the origins of its NaNs; also count, trace, diff
  ptxf cuda -- ./program                 a program of CUDA's driver API, without a GPU
  ptxf gemm a.npy b.npy --as sm_90 --type f16 > d.npy         a product of matrices with an H100's bits

Exit codes:
  0    done
  1    bad input: an unknown form, format or operand, or a fault of a kernel; or input or output failed
  2    wrong usage of the command line, or a PTXF_LEVEL that this CPU does not have
  141  the reader of the output has closed it

Variables:
  PTXF_LEVEL=avx2   the vector instructions that compute slices, such as portable or avx512; default: the best of this CPU";

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Args),
    Forms(forms::Args),
    Explain(explain::Args),
    Format(format::Args),
    Run(run::Args),
    Cuda(cuda::Args),
    Gemm(gemm::Args),
    Nvcc(ptxas::NvccArgs),
    Nvlink(ptxas::NvlinkArgs),
    Ptxas(ptxas::Args),
    Count(count::Args),
    Births(births::Args),
    Trace(trace::Args),
    Diff(diff::Args),
}

/// The reason of an early end of a command.
#[derive(Debug)]
enum Failure {
    /// A mistake in the input, as a message.
    Input(String),
    /// A mistake in the command line, as a message.
    Usage(String),
    /// Standard input cannot be read.
    Read(io::Error),
    /// Standard output cannot be written.
    Write(io::Error),
}

/// The operator `?` converts errors of output only. Other errors need a message.
impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Write(e)
    }
}

/// The status that a shell reports for a program that SIGPIPE ended: 128 plus 13. Rust's programs
/// ignore the signal.
const READER_GONE: u8 = 141;

const WRONG_USAGE: u8 = 2;

/// Runs the command. The first of `words` is the program's name. `driver` holds the bytes of
/// `libptxf_cuda.so`, or nothing if the build has no such library.
pub fn main(words: impl Iterator<Item = OsString>, driver: &[u8]) -> ExitCode {
    // `println!` would panic if the reader of a pipe has closed it.
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = command(words, driver, &mut out);
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
    driver: &[u8],
    out: &mut io::BufWriter<io::StdoutLock<'_>>,
) -> Result<ExitCode, Failure> {
    let command = match Cli::try_parse_from(words) {
        Ok(cli) => cli.command,
        Err(wrong) if wrong.use_stderr() => return Err(Failure::Usage(wrong.render().to_string())),
        // The help or the version. clap would ignore an error of the output.
        Err(help) => {
            write!(out, "{}", help.render())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    environment::check()?;
    match command {
        Command::Eval(args) if args.batch => {
            let model = eval::model(&args)?;
            batch::run(model, &mut io::stdin().lock(), out.get_mut())
        }
        Command::Eval(args) => eval::run(&args, out),
        Command::Forms(args) => forms::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Format(args) => format::run(&args, out),
        Command::Run(args) => run::run(&args, out),
        Command::Cuda(args) => cuda::run(&args, driver, out),
        Command::Gemm(args) => gemm::run(&args, out),
        Command::Nvcc(args) => ptxas::nvcc(&args),
        Command::Nvlink(args) => ptxas::nvlink(&args, out),
        Command::Ptxas(args) => ptxas::run(&args, out),
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

/// Writes a line to standard error. An error there cannot be reported anywhere.
fn say(message: &str) {
    progress::clear();
    let _ = writeln!(io::stderr(), "{message}");
}
