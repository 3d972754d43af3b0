//! `ptxf cuda`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

use crate::Failure;

/// Run a program of CUDA's driver API without a GPU: its kernels' PTX is executed on this CPU.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The library that stands in for NVIDIA's driver, if it is not beside this program
    #[arg(long = "library", value_name = "FILE")]
    driver: Option<PathBuf>,
    /// The program, and what is passed to it
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

const AFTER_HELP: &str = "\
The program finds `libptxf_cuda.so` as `libcuda.so` and `libcuda.so.1`, first in LD_LIBRARY_PATH.

Variables:
  PTXF_VM_SM=90        the device's capability; that of the newest instruction if left out
  PTXF_VM_THREADS=4    threads of this CPU; all if left out. With 1 every result can be reproduced
  PTXF_VM_DEVICES=2    how many devices there are, from 0 to 16
  PTXF_VM_LEFT=1       say at the end of each context what was not freed
  PTXF_VM_CHECK=LEVEL  what launches are checked for: memcheck, initcheck or racecheck
  PTXF_REPORT=FILE     append a line of JSON for each fault, and for what a check finds

Examples:
  ptxf cuda -- ./program --size 1000
  PTXF_VM_SM=75 ptxf cuda -- python3 train.py

Exit codes: that of the program, or 128 and the number of the signal that ended it; 1 if it does not start.";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::Input("`ptxf cuda` is there for Linux alone".to_owned()));
    }
    let driver = match &args.driver {
        Some(driver) => driver.clone(),
        None => ptxf_cuda::library().map_err(|error| Failure::Input(error.to_string()))?,
    };
    let shown = driver.display().to_string();
    let folder = ptxf_cuda::Folder::new(&driver).map_err(wrong(&shown))?;
    // What the program prints comes behind what was printed before.
    out.flush()?;
    let [program, rest @ ..] = &args.program[..] else {
        return Err(Failure::Usage("error: a program is expected".to_owned()));
    };
    let path = folder.search_path().map_err(wrong("the folder of temporary files"))?;
    let status = Command::new(program).args(rest).env("LD_LIBRARY_PATH", path).status().map_err(wrong(program))?;
    Ok(code(status))
}

fn wrong(what: &str) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::Input(format!("{what}: {error}"))
}

/// As a shell has it.
fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = status.code().or(signal.map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
