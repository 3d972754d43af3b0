//! The program `ptxf`. All of it is in the library, so that tests and fuzz targets can call it.

mod closed;

use std::process::ExitCode;

fn main() -> ExitCode {
    ptxf_cli::main(std::env::args_os(), closed::streams())
}
