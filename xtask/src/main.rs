//! The project's own commands: `cargo xtask <command>`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod aarch64;
mod ci;
mod debian;
mod exhaust;
mod faults;
mod firmware;
mod fit;
mod gpu;
mod kernels;
mod metadata;
mod model;
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
    Aarch64(aarch64::Args),
    Exhaust(exhaust::Args),
    Faults(faults::Args),
    Firmware(firmware::Args),
    Fit(fit::Args),
    Kernels(kernels::Args),
    Model(model::Args),
    NoStd(no_std::Args),
    Gpu(gpu::Args),
    Ptx(ptx::Args),
    Ci(ci::Args),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    // The library passes over a wrong value, and then other vectors would be checked than those that were asked for.
    if let Err(error) = ptxf::Level::from_env() {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    let outcome = match command {
        Command::Aarch64(args) => aarch64::run(&args),
        Command::Exhaust(args) => exhaust::run(&args),
        Command::Faults(args) => faults::run(&args),
        Command::Firmware(args) => firmware::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Model(args) => model::run(&args),
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
