//! `cargo xtask firmware`: the library on microcontrollers, run under QEMU, and its size.
//!
//! The proofs:
//!
//! - *the same bits*: `examples/firmware` classifies the digits and compares its checksums with the
//!   desktop's; the checksum of every form and conversion over a grid is compared with what this
//!   program computes from the same file;
//! - *no panic*: a program with every form links although its panic handler calls a function that
//!   does not exist, and does not link as soon as something in it can panic;
//! - *small*: the programs that the guide's table weighs hold functions of the library and the
//!   compiler's integer helpers, and nothing else.

mod board;
mod compare;
mod elf;
mod narrow;
mod size;

use std::ops::Range;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use crate::no_std::toolchain::{Finder, Way};
use crate::shell;
use board::{BOARDS, Board, Qemu};

/// Build `examples/firmware` for bare machines, run it under QEMU, compare its bits with this
/// machine's, and measure its size.
///
/// Finds a compiler as `cargo xtask no-std` does. If a tool is missing it exits with status 3; with
/// PTXF_STRICT=1 with status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install what is missing: QEMU and, if necessary, a compiler (APT)
    #[arg(long)]
    install: bool,
    /// Run every form on every board; otherwise a ninth of them on each
    #[arg(long)]
    whole: bool,
    /// Choose other ninths
    #[arg(long, default_value_t = 0, conflicts_with = "whole")]
    seed: u64,
    /// Only measure the programs of the guide's tables
    #[arg(long)]
    size: bool,
    /// Write the guide's tables
    #[arg(long)]
    bless: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (mut finder, mut missing) = (Finder::new(args.install), Vec::new());
    let mut ready = Vec::new();
    for board in &BOARDS {
        match (finder.find(board.target), Qemu::find(board, args.install)) {
            (Some(way), Some(qemu)) => match board::links(&way, args.install) {
                Ok(()) => ready.push((board, way, qemu)),
                Err(what) => missing.push(what),
            },
            (None, _) => missing.push(format!("a compiler for {0} (rustup target add {0})", board.target)),
            (_, None) => missing.push(format!("{} (apt-get update && apt-get install {})", board.qemu, board.package)),
        }
    }
    let (mut weights, mut measured) = (Vec::new(), Vec::new());
    for (place, (board, way, qemu)) in (0..).zip(&ready) {
        println!("{}: {}, {way}; QEMU's {}", board.name, board.target, board.machine);
        if !args.size {
            let part = ((args.seed + place) % u64::from(board.parts)) as u8;
            check(board, if args.whole { 0..board.parts } else { part..part + 1 }, way, qemu)?;
        }
        weights.push(size::weigh(board, way, qemu)?);
        if narrow::is_measured(board) {
            measured.push(narrow::measure(board, way, qemu)?);
        }
    }
    if missing.is_empty() {
        size::settle(&ready[0].1, &weights, args.bless)?;
        size::settle_table(&ready[0].1, "weights", &narrow::table(&measured)?, args.bless)?;
        return Ok(ExitCode::SUCCESS);
    }
    missing.dedup();
    let missing = format!("{}\nOn Debian `cargo xtask firmware --install` installs all of it.", missing.join("\n"));
    if shell::is_strict() {
        bail!("missing: {missing}");
    }
    println!("SKIPPED what needs the following, and the tables of sizes: {missing}");
    Ok(ExitCode::from(3))
}

/// Checks everything but sizes on one board, with these parts of the programs that hold all forms.
fn check(board: &Board, parts: Range<u8>, way: &Way, qemu: &Qemu) -> Result<()> {
    lint(board, way)?;
    panics(board, parts.clone(), way)?;

    board::build(board, way, "digits", "")?;
    let digits = qemu.run(board, "digits", true)?;
    ensure!(digits.status == Some(0), "digits on {}: {digits}", board.name);
    println!("  digits:    {}", compare::digits(&digits.text)?);

    let mut sums = String::new();
    for part in parts.clone() {
        board::build_part(board, way, "forms", part)?;
        let forms = qemu.run(board, "forms", false)?;
        ensure!(forms.status == Some(0), "forms on {}: {forms}", board.name);
        sums.push_str(&forms.text);
    }
    let problems = compare::forms(&sums, &parts, board.parts);
    ensure!(problems.is_empty(), "{} on {}:\n{}", problems.len(), board.name, problems.join("\n"));
    let is_sample = parts.len() < board.parts.into();
    let rest = if is_sample { format!("; SAMPLED, part {} of {}", parts.start, board.parts) } else { String::new() };
    println!("  forms:     {} checksums equal this machine's{rest}", sums.lines().count());
    Ok(())
}

/// Runs Clippy, which only rustup's toolchains always have.
fn lint(board: &Board, way: &Way) -> Result<()> {
    if !matches!(way, Way::Target) {
        println!("  lints:     NOT CHECKED, this compiler comes without Clippy");
        return Ok(());
    }
    for features in ["", "size-table,size-stack,weights-e4m3", "weights-mxfp4,weights-alone"] {
        let mut clippy = board::cargo(board, way, "clippy");
        shell::run(clippy.args(["--release", "--features", features, "--", "-D", "warnings"]))?;
    }
    Ok(())
}

/// Checks that `no_panic` links, and that it does not link with a panic.
fn panics(board: &Board, parts: Range<u8>, way: &Way) -> Result<()> {
    for part in parts {
        board::build_part(board, way, "no_panic", part)?;
    }
    let mut cargo = board::cargo(board, way, "build");
    // The seeded panic is in the first ninth.
    cargo.args(["--release", "--bin", "no_panic", "--features", "seeded-panic"]).env("FORMS_PART", "0/9");
    let output = cargo.output().with_context(|| shell::shown(&cargo))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(!output.status.success(), "no_panic links with something in it that can panic: it proves nothing");
    ensure!(said.contains("undefined symbol: ptxf_can_panic"), "no_panic fails for another reason:\n{said}");
    println!("  panics:    none in these forms, and one is noticed");
    Ok(())
}
