//! The program; the library of its name is the command.

mod closed;

use std::process::ExitCode;

fn main() -> ExitCode {
    ptxf_cli::main(std::env::args_os(), closed::streams())
}
