//! The project's own commands: `cargo xtask <command>`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod gpu;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Gpu(gpu::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Gpu(args) => gpu::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
