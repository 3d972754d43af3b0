//! `probes/slices`: a checksum of each slice function's results, on this machine and on another.
//!
//! It is built without optimization: where an optimizer is at work, each form's loop is compiled for each level, which takes minutes.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::shell;

/// Builds the program by `cargo` for a target, which the command itself may know too: its file without an ending.
pub(crate) fn build(mut cargo: Command, target: Option<&str>) -> Result<PathBuf> {
    cargo.args(["build", "--package", "slices-probe"]);
    if let Some(target) = target {
        cargo.args(["--target", target]);
    }
    shell::run(&mut cargo)?;
    Ok(shell::target().join(target.unwrap_or_default()).join("debug/slices-probe"))
}

/// Has what the command prints be the checksums of this machine, where every level that the CPU has is compared with the others.
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

/// What a command prints, if it ends well.
fn printed(command: &mut Command) -> Result<String> {
    println!("$ {}", shell::shown(command).lines().next().unwrap_or_default());
    let output = command.output().with_context(|| shell::shown(command))?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {}\n{error}", shell::shown(command), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
