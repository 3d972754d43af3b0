//! `cargo xtask faults`: a check that the tests of kernels and matrices notice faults.
//!
//! The sources are copied. Each fault replaces one piece of text in the copy, which has to occur
//! once. The tests have to compile and then to fail.

mod list;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::shell;
use list::{FAULTS, Fault};

/// Put faults into a copy of the sources, one at a time, and check that the tests of kernels or
/// matrices fail.
///
/// Each fault takes a build of the macros and the kernels, or of the library. A fault that makes a
/// kernel endless counts as caught when the tests have used ten times their CPU time. Exits with
/// status 1 if a fault is missed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the faults whose names contain one of these
    names: Vec<String>,
    /// Print the faults, and exit
    #[arg(long)]
    list: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let wanted = |fault: &&Fault| args.names.is_empty() || args.names.iter().any(|name| fault.name.contains(&**name));
    let faults: Vec<&Fault> = FAULTS.iter().filter(wanted).collect();
    ensure!(!faults.is_empty(), "there is no such fault");
    if args.list {
        faults.iter().for_each(|fault| println!("{:<36} {}", fault.name, fault.file));
        return Ok(ExitCode::SUCCESS);
    }
    let copy = shell::target().join("faults/source");
    copy_sources(&copy)?;
    let packages: BTreeSet<_> = faults.iter().map(|fault| fault.package()).collect();
    for package in packages {
        let failing = failing(&copy, package)?;
        ensure!(failing.is_none(), "{} fails without a fault", failing.unwrap_or_default());
    }
    let mut missed = Vec::new();
    for fault in faults {
        let path = copy.join(fault.file);
        let text = fs::read_to_string(&path).with_context(|| fault.file)?;
        fs::write(&path, fault.put(&text)?)?;
        let outcome =
            compiles(&copy, fault.package()).and_then(|compiles| Ok((compiles, failing(&copy, fault.package())?)));
        fs::write(&path, text)?;
        match outcome? {
            (true, Some(test)) => println!("{:<36} caught by {test}", fault.name),
            (is_compiled, _) => {
                println!("{:<36} {}", fault.name, if is_compiled { "MISSED" } else { "does not compile" });
                missed.push(fault.name);
            }
        }
    }
    if missed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("not caught: {}", missed.join(", "));
    Ok(ExitCode::FAILURE)
}

impl Fault {
    /// Returns the package whose tests notice the fault. A CPU runs neither the device's checks nor
    /// its alignment, which have tests of their own.
    fn package(&self) -> &'static str {
        match self.file {
            "ptxf-macros/src/kernel/expand/range.rs" | "ptxf-macros/src/kernel/parity.rs" => "ptxf-macros",
            "ptxf-core/src/kernel/course.rs" | "ptxf-core/src/kernel/row.rs" => "ptxf-core",
            file if file.contains("/matrix") || file.starts_with("ptxf-vm/") => "matrix",
            _ => "kernels",
        }
    }

    /// Returns the text with the fault.
    fn put(&self, text: &str) -> Result<String> {
        let count = text.matches(self.right).count();
        ensure!(count == 1, "{}: `{}` is {count} times in {}", self.name, self.right, self.file);
        Ok(text.replace(self.right, self.wrong))
    }
}

/// Copies the tracked and untracked files that differ from the copy.
fn copy_sources(to: &Path) -> Result<()> {
    let mut list = shell::command("git", &["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = shell::output(&mut list).context("git ls-files")?;
    for file in list.lines() {
        let (from, to) = (shell::root().join(file), to.join(file));
        // A file that is deleted but not committed.
        let Ok(content) = fs::read(&from) else { continue };
        if fs::read(&to).is_ok_and(|old| old == content) {
            continue;
        }
        fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
        fs::write(&to, content)?;
    }
    Ok(())
}

/// CPU seconds that a program may use. The tests need about a tenth.
const LIMIT: &str = "600";

fn test(copy: &Path, package: &str, arguments: &[&str]) -> Command {
    let limited = r#"ulimit -t "$0" && exec cargo test --quiet --package "$@""#;
    let mut command = shell::command("sh", &["-c", limited, LIMIT, package]);
    command.args(arguments).current_dir(copy).env("CARGO_TARGET_DIR", copy.with_file_name("target"));
    // The handwritten kernels have to catch each fault, and compile sooner alone.
    command.env("PTXF_KERNELS", "0:0:0");
    // The short tests of matrices compare enough products.
    if package == "matrix" {
        command.env_remove("PTXF_TESTS")
    } else {
        command.env("PTXF_TESTS", "long")
    };
    command
}

/// Returns the tests of the package that notice faults.
fn tests_of(package: &str) -> &'static [&'static str] {
    match package {
        "matrix" => &["--test", "matrix"],
        "kernels" => &["--lib"],
        _ => &["--lib", "kernel"],
    }
}

fn compiles(copy: &Path, package: &str) -> Result<bool> {
    Ok(test(copy, package, tests_of(package))
        .arg("--no-run")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?
        .success())
}

/// Returns the first test that fails, or `None` if all pass.
fn failing(copy: &Path, package: &str) -> Result<Option<String>> {
    let output = test(copy, package, tests_of(package)).output()?;
    if output.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stdout);
    // The names follow the messages of the tests.
    let name = said.rsplit_once("failures:\n").and_then(|(_, names)| names.lines().next());
    Ok(Some(name.map_or_else(|| output.status.to_string(), |name| name.trim().to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_in_the_sources() {
        for fault in FAULTS {
            let text = fs::read_to_string(shell::root().join(fault.file)).unwrap();
            assert_ne!(fault.put(&text).unwrap(), text);
        }
    }
}
