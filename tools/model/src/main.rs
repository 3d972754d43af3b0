//! `cargo model`: device models out of what GPUs returned.
//!
//! A third program beside `ptxf-gpu`, which asks a GPU, and the library, which has the models: it runs at the sources, where
//! results were adopted and models are committed, and a machine with a GPU needs nothing of it. It alone puts hypotheses about
//! hardware to the results (`ptxf_tables::device::unit`, which nobody else is promised).
//!
//! ```text
//! ptxf-gpu capture, adopt ─► ptxf-tables/device/sm_NN ─► fit ─► make ─► ptxf-tables/src/device/measured
//! ```

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod fit;
mod make;

/// Make device models out of what GPUs returned.
#[derive(Parser)]
#[command(name = "cargo model", bin_name = "cargo model")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fit(fit::Args),
    Make(make::Args),
}

fn main() -> ExitCode {
    run(&Args::parse().command).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Fit(args) => fit::run(args),
        Command::Make(args) => make::run(args),
    }
}

/// The workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate lies in the workspace")
}
