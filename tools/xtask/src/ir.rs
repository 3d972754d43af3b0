//! `cargo xtask ir`: the size of three kernels after inlining, against a bound.
//!
//! A kernel's operations are always inlined. LLVM then promotes its memory to registers, which
//! takes time in proportion to stack slots times blocks, for code that never runs as well. So
//! constants have to reach the inliner as scalar arguments: where they travel in a structure, a
//! kernel of a hundred lines compiles for minutes instead of seconds.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{ExitCode, Stdio};
use std::time::SystemTime;

use anyhow::{Context as _, Result, ensure};

use crate::shell;

/// Compile the kernels of probes/inlined, and compare the size of their IR after inlining with a
/// bound.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// The most that all versions of a kernel may have together, and the most in one function.
///
/// A tenth more than on 28 November 2026, with rustc 1.95.
const BOUNDS: [(&str, Size, u64); 3] = [
    ("flux", Size { lines: 690_000, slots: 94_000 }, 37),
    ("horner", Size { lines: 38_000, slots: 5_200 }, 1),
    ("saxpy", Size { lines: 18_500, slots: 2_200 }, 1),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    /// Lines of IR.
    lines: u64,
    /// Stack slots, `alloca`.
    slots: u64,
}

/// A function of LLVM's.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    size: Size,
    blocks: u64,
}

/// Runs the command.
pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    let probe = shell::root().join("probes/inlined");
    // Cargo would repeat what the last run printed.
    let touched = File::options().append(true).open(probe.join("src/lib.rs"))?;
    touched.set_modified(SystemTime::now())?;
    let manifest = probe.join("Cargo.toml").display().to_string();
    let target = shell::target().join("inlined").display().to_string();
    let line = ["rustc", "--release", "--locked", "--manifest-path", &manifest, "--target-dir", &target, "--"];
    let mut cargo = shell::command("cargo", &line);
    // With the kernel's name in the names of generic functions.
    cargo.args(["-C", "symbol-mangling-version=v0", "-C", "codegen-units=1"]);
    cargo.args(["-C", "llvm-args=-print-after=always-inline"]);
    let mut child = cargo.stderr(Stdio::piped()).spawn().context("cargo")?;
    let functions = functions(BufReader::new(child.stderr.take().expect("it is piped")))?;
    ensure!(child.wait()?.success(), "{} failed", shell::shown(&cargo));

    println!("kernel      lines   slots   most slots × blocks in a function, in millions");
    let mut larger = Vec::new();
    for (kernel, bound, most_product) in BOUNDS {
        let own: Vec<_> = functions.iter().filter(|f| f.name.contains(kernel)).collect();
        ensure!(!own.is_empty(), "no function of `{kernel}` was compiled");
        let size = own
            .iter()
            .fold(Size::default(), |sum, f| Size { lines: sum.lines + f.size.lines, slots: sum.slots + f.size.slots });
        let product = own.iter().map(|f| f.size.slots * f.blocks).max().unwrap_or(0).div_ceil(1_000_000);
        println!("{kernel:<8} {:>8} {:>7} {product:>5}", size.lines, size.slots);
        ensure!(size.lines > bound.lines / 4, "not all versions of `{kernel}` were found in what LLVM printed");
        if size.lines > bound.lines || size.slots > bound.slots || product > most_product {
            larger.push(format!(
                "{kernel}: at most {} lines, {} slots, {most_product} million",
                bound.lines, bound.slots
            ));
        }
    }
    ensure!(larger.is_empty(), "kernels have become larger, and slower to compile\n  {}", larger.join("\n  "));
    Ok(ExitCode::SUCCESS)
}

/// Reads the functions that LLVM prints, in the order of the text.
fn functions(text: impl BufRead) -> Result<Vec<Function>> {
    let mut all: Vec<Function> = Vec::new();
    let mut inside = false;
    for line in text.split(b'\n') {
        let line = line?;
        if line.starts_with(b"define") {
            let line = String::from_utf8_lossy(&line);
            let name = line.split_once('@').map_or("", |(_, name)| name).split('(').next().unwrap_or_default();
            all.push(Function { name: name.to_owned(), size: Size::default(), blocks: 0 });
            inside = true;
        } else if line.starts_with(b"}") {
            inside = false;
        } else if inside && let Some(function) = all.last_mut() {
            let is_slot = line.windows(10).any(|w| w == b" = alloca ");
            let is_block = line.first().is_some_and(|&b| b != b' ' && b != b';');
            function.size.lines += 1;
            function.size.slots += u64::from(is_slot);
            function.blocks += u64::from(is_block);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_lines_slots_and_blocks() {
        let text = "; *** IR Dump After AlwaysInlinerPass ***\ndefine void @flux(i64 %n) {\nstart:\n  %x = alloca [64 x i8], align 64\n\
                    \x20 br label %end\n\nend:                ; preds = %start\n  ret void\n}\ndeclare void @other()\n";
        let flux = Function { name: "flux".to_owned(), size: Size { lines: 6, slots: 1 }, blocks: 2 };
        assert_eq!(functions(text.as_bytes()).unwrap(), [flux]);
    }
}
