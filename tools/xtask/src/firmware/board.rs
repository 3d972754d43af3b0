//! The boards, and programs on them.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::no_std::toolchain::{Way, apt};
use crate::shell;

/// Time limit of a program; the slowest takes 10 s.
const LIMIT: Duration = Duration::from_secs(300);

/// The linker of Debian's compiler for bare targets.
const LINKER: &str = "/usr/bin/rust-lld";

/// A machine that QEMU emulates.
#[derive(Debug)]
pub(super) struct Board {
    /// The processor's name.
    pub name: &'static str,
    pub target: &'static str,
    /// QEMU's program, Debian's package of it, and QEMU's name of the board.
    pub qemu: &'static str,
    pub package: &'static str,
    pub machine: &'static str,
    options: &'static [&'static str],
    /// Number of programs over which all forms are spread, so that each fits into flash and
    /// compiles quickly; at most 9.
    pub parts: u8,
}

/// A Cortex-M4F with 4 MiB of each memory; the Cortex-M0 of a micro:bit with 256 KiB of flash and
/// 16 KiB of RAM, the only M0 in QEMU; RISC-V's virtual board without firmware.
pub(super) const BOARDS: [Board; 3] = [
    Board {
        name: "Cortex-M4F",
        target: "thumbv7em-none-eabihf",
        qemu: "qemu-system-arm",
        package: "qemu-system-arm",
        machine: "mps2-an386",
        options: &["-cpu", "cortex-m4"],
        parts: 9,
    },
    Board {
        name: "Cortex-M0",
        target: "thumbv6m-none-eabi",
        qemu: "qemu-system-arm",
        package: "qemu-system-arm",
        machine: "microbit",
        options: &["-cpu", "cortex-m0"],
        parts: 9,
    },
    Board {
        name: "RV32IMC",
        target: "riscv32imc-unknown-none-elf",
        qemu: "qemu-system-riscv32",
        package: "qemu-system-misc",
        machine: "virt",
        options: &["-bios", "none"],
        parts: 9,
    },
];

/// `cargo <subcommand>` for the firmware.
pub(super) fn cargo(board: &Board, way: &Way, subcommand: &str) -> Command {
    let mut cargo = way.cargo(board.target, subcommand);
    cargo.args(["--manifest-path", "examples/firmware/Cargo.toml", "--locked"]);
    cargo
}

/// Builds one of its programs.
pub(super) fn build(board: &Board, way: &Way, program: &str, features: &str) -> Result<()> {
    let mut cargo = cargo(board, way, "build");
    cargo.args(["--release", "--bin", program, "--features", features]);
    finish(cargo)
}

/// Builds a part of a program that holds all forms.
pub(super) fn build_part(board: &Board, way: &Way, program: &str, part: u8) -> Result<()> {
    let mut cargo = cargo(board, way, "build");
    cargo.args(["--release", "--bin", program]).env("FORMS_PART", format!("{part}/{}", board.parts));
    finish(cargo)
}

fn finish(mut cargo: Command) -> Result<()> {
    let output = cargo.output().with_context(|| shell::shown(&cargo))?;
    if !output.status.success() {
        bail!("{}: {}\n{}", shell::shown(&cargo), output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Checks that the way can link too. Debian's `rust-lld` is a link to a program of another package
/// with the same name.
pub(super) fn links(way: &Way, install: bool) -> Result<(), String> {
    if !matches!(way, Way::Debian) {
        return Ok(());
    }
    let is_there = || shell::output(&mut shell::command(LINKER, &["-flavor", "gnu", "--version"])).is_some();
    let package = fs::read_link(LINKER).ok().and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    let package = package.unwrap_or_else(|| "lld".to_owned());
    if is_there() || install && apt(&[&package]) && is_there() {
        return Ok(());
    }
    Err(format!("a linker for {LINKER} to be (apt-get update && apt-get install {package})"))
}

/// Returns the program's file.
pub(super) fn file(board: &Board, program: &str) -> PathBuf {
    shell::target().join("no-std").join(board.target).join("release").join(program)
}

/// A proof that QEMU for a board is installed.
#[derive(Debug)]
pub(super) struct Qemu(());

/// A program's output and its exit status.
#[derive(Debug)]
pub(super) struct Outcome {
    pub text: String,
    /// `None` if the program ran out of time.
    pub status: Option<i32>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "status {status}\n{}", self.text),
            None => write!(f, "not done after {} s\n{}", LIMIT.as_secs(), self.text),
        }
    }
}

impl Qemu {
    pub(super) fn find(board: &Board, install: bool) -> Option<Self> {
        let is_there = || shell::output(&mut shell::command(board.qemu, &["--version"])).is_some();
        (is_there() || install && apt(&[board.package]) && is_there()).then_some(Self(()))
    }

    /// Runs a program to its end. If `counted`, an instruction takes a nanosecond of the board's
    /// time.
    pub(super) fn run(&self, board: &Board, program: &str, counted: bool) -> Result<Outcome> {
        let mut qemu = shell::command(board.qemu, &["-machine", board.machine]);
        qemu.args(board.options).args(["-nographic", "-semihosting-config", "enable=on,target=native"]);
        if counted {
            qemu.args(["-icount", "shift=0"]);
        }
        let file = file(board, program);
        qemu.arg("-kernel").arg(&file);
        let path = file.with_extension("txt");
        let status = wait(&mut qemu, &path).with_context(|| shell::shown(&qemu))?;
        let text = fs::read(&path).with_context(|| path.display().to_string())?;
        Ok(Outcome { text: String::from_utf8_lossy(&text).into_owned(), status })
    }
}

fn wait(command: &mut Command, output: &Path) -> Result<Option<i32>> {
    let out = File::create(output)?;
    command.stderr(Stdio::from(out.try_clone()?)).stdout(Stdio::from(out));
    let start = Instant::now();
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            // A signal is no exit status of the program.
            return status.code().map(Some).context("QEMU was ended by a signal");
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(20));
    }
}
