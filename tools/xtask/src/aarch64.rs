//! `cargo xtask aarch64`: the vector code on AArch64, under an emulator on other machines.
//!
//! Checksums of every slice function's results are compared with this machine's. Then slices, the
//! operations of kernels, and whole kernels are tested. Three processors are tried: one with
//! arithmetic on f16, where every level is tested; the same one at the level without; and one
//! without that extension, where such an instruction ends the program. Emulation gives no
//! information about speed.

use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};

use crate::{debian, probe, shell};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
/// The C library for programs under the emulator.
const SYSROOT: &str = "/usr/aarch64-linux-gnu";
/// Time limit of a download: 100 MiB of C compiler and emulator, 200 MiB of Rust's.
const LIMIT: Duration = Duration::from_secs(600);

/// Test slices, kernels and the vector levels on AArch64: under qemu-user where this machine is
/// another one.
///
/// Exits with status 3 if the compiler, the linker or the emulator is missing; with PTXF_STRICT=1
/// with status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install what is missing: Rust's target by rustup or from Debian, linker and emulator from
    /// Debian
    #[arg(long)]
    install: bool,
    /// Test the values of slices too, on their edge cases: a quarter of an hour under emulation
    #[arg(long)]
    whole: bool,
    /// Test these kernels only: in f16, in modules, or generated, for N = 0, 1 and 2 modulo 3
    #[arg(long, value_name = "N", conflicts_with = "whole")]
    seed: Option<u64>,
}

/// The compiler for the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toolchain {
    Current,
    Debian,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if cfg!(target_arch = "aarch64") {
        shell::run(tests(&mut shell::command("cargo", &[]), &[]))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.install {
        install()?;
    }
    let (toolchain, missing) = (toolchain(), missing());
    let Some(toolchain) = toolchain.filter(|_| missing.is_empty()) else {
        let target = toolchain.is_none().then_some(TARGET);
        let missing = target.iter().copied().chain(missing).collect::<Vec<_>>().join(", ");
        let remedy = "cargo xtask aarch64 --install";
        if shell::is_strict() {
            bail!("missing: {missing}; on Debian\n  {remedy}");
        }
        println!("SKIPPED: missing: {missing}; on Debian\n  {remedy}");
        return Ok(ExitCode::from(3));
    };
    if toolchain == Toolchain::Current {
        let lints = ["clippy", "--package", "ptxf-core", "--features", "std", "--", "-D", "warnings"];
        shell::run(emulated(toolchain).args(lints))?;
    }
    println!("every level");
    let program = probe::build(emulated(toolchain), Some(TARGET))?;
    let run = || {
        let mut run = shell::command(emulator(), &["-L", SYSROOT]);
        run.arg(&program);
        run
    };
    probe::compare(&mut run(), "AArch64")?;
    let kernels = args.seed.map_or(KERNELS, |seed| std::slice::from_ref(&KERNELS[(seed % 3) as usize]));
    let names = if args.whole { &[] } else { &[OPERATIONS, kernels].concat()[..] };
    if args.seed.is_some() {
        println!("SAMPLED: of the kernels' tests {}", kernels.join(", "));
    }
    shell::run(tests(&mut emulated(toolchain), names).env("PTXF_STRICT", "1"))?;
    println!("f16 arithmetic not wanted");
    shell::run(tests(&mut emulated(toolchain), &["levels_are_chosen"]).env("PTXF_LEVEL", "neon"))?;
    println!("no f16 arithmetic: its level is to be skipped");
    probe::compare(run().env("QEMU_CPU", "cortex-a57"), "AArch64 without it")?;
    if args.whole {
        let names = ["levels_are_chosen", "convert", "reduce", "16_is_the_meaning", "every_alignment"];
        shell::run(tests(&mut emulated(toolchain), &names).env("QEMU_CPU", "cortex-a57").env_remove("PTXF_STRICT"))?;
    }
    shell::run(
        tests(&mut emulated(toolchain), &["divergence"]).env("QEMU_CPU", "cortex-a57").env_remove("PTXF_STRICT"),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The tests of slices and vectors that run under emulation.
const OPERATIONS: &[&str] =
    &["kernel::", "lanes::", "reduce::", "every_length_at_every_alignment", "levels_are", "lengths_that_differ"];

/// The tests of kernels that run there: handwritten ones in f16, those in modules, and two
/// generated ones.
const KERNELS: &[&str] = &["::in_f16", "::test_", "generated::"];

/// Adds the tests to run: all that depend on levels, or those with these names. One command shares
/// one build of the library.
fn tests<'a>(cargo: &'a mut Command, names: &[&str]) -> &'a mut Command {
    cargo.args([
        "test",
        "--package",
        "ptxf-core",
        "--package",
        "slices",
        "--package",
        "kernels",
        "--lib",
        "--test",
        "slices",
    ]);
    // Tests without vectors run where nothing is emulated.
    cargo.args(["--", "--skip", "scalar::vfp", "--skip", "sem::", "--skip", "good_enough"]);
    // A generated kernel costs a compiler and an emulator as much as four others.
    cargo.args(names).env("PTXF_KERNELS", "64:0:2")
}

fn emulated(toolchain: Toolchain) -> Command {
    let mut cargo = match toolchain {
        Toolchain::Current => shell::command("cargo", &[]),
        Toolchain::Debian => shell::command("/usr/bin/cargo", &[]),
    };
    if toolchain == Toolchain::Debian {
        cargo.env("RUSTC", "/usr/bin/rustc").env_remove("RUSTUP_TOOLCHAIN");
    }
    cargo.env("PTXF_EMULATED", "1");
    // Overrides the environment's settings for the build's target.
    cargo.env("CARGO_BUILD_TARGET", TARGET).env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", format!("{} -L {SYSROOT}", emulator()));
    cargo
}

/// Returns the emulator's name, installed or not.
fn emulator() -> &'static str {
    if has("qemu-aarch64-static") { "qemu-aarch64-static" } else { "qemu-aarch64" }
}

/// Returns the missing programs of linker and emulator.
fn missing() -> Vec<&'static str> {
    [LINKER, emulator()].into_iter().filter(|program| !has(program)).collect()
}

fn has(program: &str) -> bool {
    shell::output(&mut shell::command(program, &["--version"])).is_some()
}

fn toolchain() -> Option<Toolchain> {
    let library = |rustc| {
        let path = shell::output(&mut shell::command(rustc, &["--print", "target-libdir", "--target", TARGET]));
        path.is_some_and(|path| std::path::Path::new(&path).is_dir())
    };
    if library("rustc") {
        return Some(Toolchain::Current);
    }
    library("/usr/bin/rustc").then_some(Toolchain::Debian)
}

fn install() -> Result<()> {
    if !missing().is_empty() {
        debian::install(LIMIT, &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"])?;
    }
    if toolchain().is_some() {
        return Ok(());
    }
    if has("rustup") {
        match shell::run_for(LIMIT, &mut shell::command("rustup", &["target", "add", TARGET])) {
            Ok(()) => return Ok(()),
            Err(error) => println!("{error:#}"),
        }
    }
    debian::privileged(LIMIT, "dpkg", &["--add-architecture", "arm64"])?;
    debian::install(LIMIT, &["rustc-web", "cargo-web", "libstd-rust-web-dev:arm64"])
}
