//! `cargo xtask models`: the library's matrix units against published models of them.
//!
//! mmasim (Xie and others) and mmaemu (Ding) are packages of PyPI, whose authors compared them with
//! devices. Neither shares code with the library. They need PyTorch, which is 3 GiB to download.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::{pypi, shell};

const PACKAGES: [&str; 2] = ["mmasim~=2.1", "mmaemu~=0.1.0"];
/// Time limit of the download.
const LIMIT: Duration = Duration::from_secs(1800);

/// Compare random matrix products of every unit with mmasim and mmaemu, which are models of
/// NVIDIA's matrix units in Python.
///
/// Exits with status 3 if they are missing or do not run; with PTXF_STRICT=1 with status 1. mmasim
/// compiles a function when it starts, with a C++ compiler.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install what is missing from PyPI into target/models: with PyTorch and its libraries 5 GiB
    #[arg(long)]
    install: bool,
    /// Compare 10⁶ products of each instruction
    #[arg(long)]
    whole: bool,
    /// The first operands, which differ between seeds
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = shell::target().join("models");
    let mut found = find(&folder);
    if args.install && found.is_err() {
        if let Err(error) = pypi::install(LIMIT, &PACKAGES, &folder) {
            println!("{error:#}");
        }
        found = find(&folder);
    }
    if let Err(why) = found {
        let why = format!("mmasim and mmaemu are missing: {why}\nGet them with\n  cargo xtask models --install");
        if shell::is_strict() {
            bail!(why);
        }
        println!("SKIPPED: no product was compared with a published model: {why}");
        return Ok(ExitCode::from(3));
    }
    let words =
        ["test", "--package", "matrix", "--", "--ignored", "--exact", "--nocapture", "models::published_models"];
    let mut test = shell::command("cargo", &words);
    test.env("PTXF_SEED", args.seed.to_string());
    if args.whole {
        test.env("PTXF_TESTS", "long");
    } else {
        test.env_remove("PTXF_TESTS");
        println!("SAMPLED: 12,000 products of each instruction; --whole compares 1,000,000");
    }
    shell::run(with_models(&mut test, &folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Loads both packages, from the folder or from Python's own. If they do not load, the error is the
/// last line of Python's message.
fn find(folder: &Path) -> Result<(), String> {
    let mut python = shell::command("python3", &["-c", "import mmasim.nv_ptx, mmaemu"]);
    let output = with_models(&mut python, folder).output().map_err(|error| format!("python3: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().lines().next_back().unwrap_or_default().to_owned())
}

/// Lets Python find the packages in the folder, and mmasim its build tool and a place for what it
/// compiles.
fn with_models<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    let mut path = vec![folder.join("bin")];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    command
        .env("PATH", std::env::join_paths(path).expect("no part of PATH has a separator"))
        .env("PYTHONPATH", folder)
        .env("TORCH_EXTENSIONS_DIR", folder.join("compiled"))
}
