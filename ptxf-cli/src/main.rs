//! The program `ptxf`. Its code is in the library, where tests and fuzz targets can call it.

use std::process::ExitCode;

/// The bytes of `libptxf_cuda.so`. Empty if this build has no such library.
static DRIVER: &[u8] = include_bytes!(env!("LIBPTXF_CUDA"));

fn main() -> ExitCode {
    ptxf_cli::main(std::env::args_os(), DRIVER)
}
