//! `ptxf cuda`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};
use std::{env, iter};

use ptxf_cuda::Folder;

use crate::{Failure, ptxas};

/// Run a program of CUDA's driver or runtime API without a GPU: this CPU executes the PTX of its
/// kernels.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Another library in the place of NVIDIA's driver; without this option, the one that `ptxf`
    /// contains
    #[arg(long = "library", value_name = "FILE")]
    driver: Option<PathBuf>,
    /// Report at the end how many executed instructions were exact, had the bits of a device, or
    /// were only within the documented bound, by form. PTXF_REPORT=FILE also gets a line of JSON
    #[arg(long)]
    report: bool,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

const AFTER_HELP: &str = "\
The program finds the library under the names of `libcuda` and `libcudart` in the first folder of LD_LIBRARY_PATH. It loads
the latter if it was linked by `nvcc -cudart shared`. The library is also in LD_PRELOAD, where NVIDIA's bindings for Python
find its stand-in for nvJitLink before NVIDIA's.
In the first folder of PATH, `ptxas`, `nvlink` and `nvcc -cubin` wrap PTX for this library. Triton's variables name this
`ptxas`.

Variables:
  PTXF_VM_SM=90        compute capability of the device; default: the newest that an instruction needs
  PTXF_VM_THREADS=4    threads of this CPU; default: all. With 1, runs are reproducible
  PTXF_VM_DEVICES=2    number of devices, from 0 to 16; default: 1
  PTXF_VM_REPORT=1     the same as --report
  PTXF_VM_LEFT=1       report what a context has not freed when it ends
  PTXF_VM_CHECK=LEVEL  checks of each launch: memcheck, initcheck or racecheck; default: memcheck
  PTXF_REPORT=FILE     append a line of JSON for each fault and for each finding of a check

Examples:
  ptxf cuda -- ./program --size 1000
  ptxf cuda --report -- ./program
  PTXF_VM_SM=75 ptxf cuda -- python3 train.py

Exit codes: the program's, or 128 plus the number of the signal that ended it; 1 if it does not start.";

pub(crate) fn run(args: &Args, carried: &[u8], out: &mut impl Write) -> Result<ExitCode, Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::Input("`ptxf cuda` runs under Linux only".to_owned()));
    }
    let folder = match &args.driver {
        Some(file) => Folder::new(file).map_err(wrong(&file.display().to_string()))?,
        None if carried.is_empty() => {
            let advice = "name one: `cargo build --release --package ptxf-cuda` makes target/release/libptxf_cuda.so";
            return Err(Failure::Input(format!(
                "this build of ptxf contains no libptxf_cuda.so; with --library {advice}"
            )));
        }
        None => Folder::with_library(carried).map_err(wrong("the folder for temporary files"))?,
    };
    // Print everything of ours before the program prints.
    out.flush()?;
    let [program, rest @ ..] = &args.program[..] else {
        return Err(Failure::Usage("error: a program is expected".to_owned()));
    };
    let temporary = wrong("the folder for temporary files");
    let path = folder.search_path().map_err(&temporary)?;
    let mut command = Command::new(program);
    command.args(rest).env("LD_LIBRARY_PATH", path).env("LD_PRELOAD", folder.preload());
    let tools = ptxas::stand_ins(&folder.path().join("cuda")).map_err(&temporary)?;
    let old = env::var_os("PATH").unwrap_or_default();
    let all = env::join_paths(iter::once(tools.clone()).chain(env::split_paths(&old)));
    command.env("PATH", all.map_err(|error| temporary(io::Error::other(error)))?);
    for variable in ASSEMBLERS.iter().filter(|variable| env::var_os(variable).is_none()) {
        command.env(variable, tools.join("ptxas"));
    }
    if args.report {
        command.env("PTXF_VM_REPORT", "1");
    }
    Ok(code(command.status().map_err(wrong(program))?))
}

/// The variables that name Triton's assemblers.
const ASSEMBLERS: [&str; 2] = ["TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"];

fn wrong(subject: &str) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::Input(format!("{subject}: {error}"))
}

/// Returns the exit code that a shell reports for the status.
pub(crate) fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = status.code().or(signal.map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
