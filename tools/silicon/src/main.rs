//! `ptxf-gpu`, in the repository `cargo gpu`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ptxf_gpu::run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
