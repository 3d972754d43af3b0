//! The project's own commands: `cargo xtask <command>`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod ci;
mod exhaust;
mod faults;
mod fit;
mod gpu;
mod kernels;
mod metadata;
mod no_std;
mod ptx;
mod shell;

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Exhaust(exhaust::Args),
    Faults(faults::Args),
    Kernels(kernels::Args),
    Fit(fit::Args),
    NoStd(no_std::Args),
    Gpu(gpu::Args),
    Ptx(ptx::Args),
    Ci(ci::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Exhaust(args) => exhaust::run(&args),
        Command::Faults(args) => faults::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::NoStd(args) => no_std::run(&args),
        Command::Gpu(args) => gpu::run(&args),
        Command::Ptx(args) => ptx::run(&args),
        Command::Ci(args) => ci::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
