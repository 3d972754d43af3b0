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
mod inventory;
mod kernels;
mod licences;
mod metadata;
mod miri;
mod model;
mod no_std;
mod package;
mod ptx;
mod rustup;
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
    Advisories(licences::AdvisoriesArgs),
    Exhaust(exhaust::Args),
    Faults(faults::Args),
    Firmware(firmware::Args),
    Fit(fit::Args),
    Inventory(inventory::Args),
    Kernels(kernels::Args),
    Licences(licences::Args),
    Miri(miri::Args),
    Model(model::Args),
    NoStd(no_std::Args),
    Package(package::Args),
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
        Command::Advisories(args) => licences::advisories(&args),
        Command::Exhaust(args) => exhaust::run(&args),
        Command::Faults(args) => faults::run(&args),
        Command::Firmware(args) => firmware::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Inventory(args) => inventory::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Licences(args) => licences::run(&args),
        Command::Miri(args) => miri::run(&args),
        Command::Model(args) => model::run(&args),
        Command::NoStd(args) => no_std::run(&args),
        Command::Package(args) => package::run(&args),
        Command::Gpu(args) => gpu::run(&args),
        Command::Ptx(args) => ptx::run(&args),
        Command::Ci(args) => ci::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
