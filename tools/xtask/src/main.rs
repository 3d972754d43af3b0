//! The project's own checks: `cargo xtask <command>`.
//!
//! A check builds only what it needs. Checks of texts do not wait for the library; checks that
//! compare with the library enable the feature `library`, and those that generate kernels
//! `kernels`. Programs that run the library's loops or talk to a device are crates of their own:
//! `exhaust` and the silicon tool.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod aarch64;
mod apart;
mod ci;
mod debian;
mod faults;
#[cfg(feature = "library")]
mod firmware;
mod inventory;
mod ir;
#[cfg(feature = "kernels")]
mod kernels;
mod licences;
mod links;
mod metadata;
mod miri;
mod models;
#[cfg(feature = "library")]
mod no_std;
mod package;
mod probe;
mod programs;
mod prose;
#[cfg(feature = "library")]
mod ptx;
mod pypi;
mod rustup;
mod shell;
mod wasm;
#[cfg(not(feature = "generated"))]
mod with_library;

#[cfg(feature = "library")]
use ptx::{peers, spellings};
#[cfg(not(feature = "kernels"))]
use with_library as kernels;
#[cfg(not(feature = "library"))]
use with_library::{self as firmware, self as no_std, self as peers, self as ptx, self as spellings};

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
    #[cfg_attr(not(feature = "library"), doc = "Firmware under QEMU against this machine (builds the library)")]
    Firmware(firmware::Args),
    Inventory(inventory::Args),
    Ir(ir::Args),
    #[cfg_attr(not(feature = "kernels"), doc = "Generated kernels of any seed (builds their generator)")]
    Kernels(kernels::Args),
    Licences(licences::Args),
    Links(links::Args),
    Miri(miri::Args),
    Models(models::Args),
    #[cfg_attr(not(feature = "library"), doc = "The library on bare machines (builds the library)")]
    NoStd(no_std::Args),
    Package(package::Args),
    #[cfg_attr(not(feature = "library"), doc = "The suite's kernels in CUDA C++, by nvcc (builds the library)")]
    Peers(peers::Args),
    Programs(programs::Args),
    Prose(prose::Args),
    #[cfg_attr(not(feature = "library"), doc = "PTX of every form against the table (builds the library)")]
    Ptx(ptx::Args),
    #[cfg_attr(not(feature = "library"), doc = "The table against NVIDIA's assembler (builds the library)")]
    Spellings(spellings::Args),
    Wasm(wasm::Args),
    Ci(ci::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Aarch64(args) => aarch64::run(&args),
        Command::Advisories(args) => licences::advisories(&args),
        Command::Faults(args) => faults::run(&args),
        Command::Firmware(args) => firmware::run(&args),
        Command::Inventory(args) => inventory::run(&args),
        Command::Ir(args) => ir::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Licences(args) => licences::run(&args),
        Command::Links(args) => links::run(&args),
        Command::Miri(args) => miri::run(&args),
        Command::Models(args) => models::run(&args),
        Command::NoStd(args) => no_std::run(&args),
        Command::Package(args) => package::run(&args),
        Command::Peers(args) => peers::run(&args),
        Command::Programs(args) => programs::run(&args),
        Command::Prose(args) => prose::run(&args),
        Command::Ptx(args) => ptx::run(&args),
        Command::Spellings(args) => spellings::run(&args),
        Command::Wasm(args) => wasm::run(&args),
        Command::Ci(args) => ci::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
