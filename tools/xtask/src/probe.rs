//! `probes/slices`: a checksum of each slice function's results, on this machine and on another.
//!
//! The probe is built without optimization: an optimizer takes minutes for the loops of each form
//! and level.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::shell;

/// Builds the program by `cargo` for a target, which the command may set too. Returns its file
/// without an ending.
pub(crate) fn build(mut cargo: Command, target: Option<&str>) -> Result<PathBuf> {
    cargo.args(["build", "--package", "slices-probe"]);
    if let Some(target) = target {
        cargo.args(["--target", target]);
    }
    shell::run(&mut cargo)?;
    Ok(shell::target().join(target.unwrap_or_default()).join("debug/slices-probe"))
}

/// Compares the command's checksums with this machine's, which compares the levels of its CPU with
/// each other.
pub(crate) fn compare(there: &mut Command, name: &str) -> Result<()> {
    let here = printed(&mut Command::new(build(shell::command("cargo", &[]), None)?))?;
    let there = printed(there)?;
    if let Some((here, there)) = here.lines().zip(there.lines()).find(|(here, there)| here != there) {
        bail!("this machine has {here}, {name} {there}");
    }
    let (here, there) = (here.lines().count(), there.lines().count());
    ensure!(here == there && here > 0, "{there} checksums of {name}, and {here} of this machine");
    println!("{there} checksums of {name} are this machine's");
    Ok(())
}

/// Returns the output of a command that succeeds.
fn printed(command: &mut Command) -> Result<String> {
    println!("$ {}", shell::shown(command).lines().next().unwrap_or_default());
    let output = command.output().with_context(|| shell::shown(command))?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {}\n{error}", shell::shown(command), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
