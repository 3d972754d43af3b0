//! The project's own checks: `cargo xtask <command>`.
//!
//! What it builds is what checks need. Programs that are made of the library's loops or talk to a device have crates of their own:
//! `exhaust`, `gpu`, `model`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod aarch64;
mod ci;
mod debian;
mod faults;
mod firmware;
mod inventory;
mod kernels;
mod licences;
mod metadata;
mod miri;
mod no_std;
mod package;
mod ptx;
mod rustup;
mod shell;

/// The project's own checks.
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
    Faults(faults::Args),
    Firmware(firmware::Args),
    Inventory(inventory::Args),
    Kernels(kernels::Args),
    Licences(licences::Args),
    Miri(miri::Args),
    NoStd(no_std::Args),
    Package(package::Args),
    Ptx(ptx::Args),
    Ci(ci::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Aarch64(args) => aarch64::run(&args),
        Command::Advisories(args) => licences::advisories(&args),
        Command::Faults(args) => faults::run(&args),
        Command::Firmware(args) => firmware::run(&args),
        Command::Inventory(args) => inventory::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Licences(args) => licences::run(&args),
        Command::Miri(args) => miri::run(&args),
        Command::NoStd(args) => no_std::run(&args),
        Command::Package(args) => package::run(&args),
        Command::Ptx(args) => ptx::run(&args),
        Command::Ci(args) => ci::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
