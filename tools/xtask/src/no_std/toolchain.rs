//! Compilers for a target whose standard library may be missing.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{debian, shell};

/// Time limit of rustup for a target of 10 MiB.
const RUSTUP: Duration = Duration::from_secs(90);
/// Time limit of APT for a compiler of 300 MiB.
const APT: Duration = Duration::from_secs(300);
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// A way to compile for a target.
#[derive(Debug)]
pub(crate) enum Way {
    /// The target's standard library is installed.
    Target,
    /// A rustup toolchain compiles `core` from source.
    Source { toolchain: String },
    /// Debian's compiler compiles `core` from source.
    Debian,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target => f.write_str("target of the current toolchain"),
            Self::Source { toolchain } => write!(f, "core from the source of {toolchain}"),
            Self::Debian => f.write_str("core from the source of Debian's toolchain"),
        }
    }
}

impl Way {
    /// `cargo <subcommand>` for the target, in a target directory of its own.
    pub(crate) fn cargo(&self, target: &str, subcommand: &str) -> Command {
        let mut command = match self {
            Self::Target => shell::command("cargo", &[subcommand]),
            Self::Source { toolchain } => shell::command("rustup", &["run", toolchain, "cargo", subcommand]),
            Self::Debian => shell::command("/usr/bin/cargo", &[subcommand]),
        };
        command.arg("--target-dir").arg(shell::target().join("no-std")).args(["--quiet", "--target", target]);
        if matches!(self, Self::Source { .. } | Self::Debian) {
            command.arg("-Zbuild-std=core,compiler_builtins").env("RUSTC_BOOTSTRAP", "1");
        }
        if matches!(self, Self::Debian) {
            command.env("RUSTC", "/usr/bin/rustc").env_remove("RUSTUP_TOOLCHAIN");
        }
        command
    }
}

/// A search for ways to compile, which does not repeat downloads that failed.
#[derive(Debug)]
pub(crate) struct Finder {
    /// `true` while rustup may still be able to add a target.
    rustup: bool,
    /// `true` while Debian's packages may still be installed.
    install: bool,
}

impl Finder {
    pub(crate) fn new(install: bool) -> Self {
        Self { rustup: shell::output(&mut shell::command("rustup", &["--version"])).is_some(), install }
    }

    /// Returns the first possible way: the current toolchain, a rustup toolchain with the source of
    /// `core`, Debian's packages.
    pub(crate) fn find(&mut self, target: &str) -> Option<Way> {
        if is_installed(target) || self.add(target) {
            return Some(Way::Target);
        }
        if let Some(toolchain) = with_source() {
            return Some(Way::Source { toolchain });
        }
        let debian = has_debian() || std::mem::take(&mut self.install) && apt(&PACKAGES) && has_debian();
        debian.then_some(Way::Debian)
    }

    fn add(&mut self, target: &str) -> bool {
        let add = &mut shell::command("rustup", &["target", "add", target]);
        self.rustup = self.rustup && succeeded(shell::run_for(RUSTUP, add));
        self.rustup
    }
}

fn is_installed(target: &str) -> bool {
    let sysroot = shell::output(&mut shell::command("rustc", &["--print", "sysroot"]));
    sysroot.is_some_and(|s| Path::new(&s).join("lib/rustlib").join(target).join("lib").is_dir())
}

/// Returns a rustup toolchain that is new enough and has the source of `core`.
fn with_source() -> Option<String> {
    let list = shell::output(&mut shell::command("rustup", &["toolchain", "list", "--quiet"]))?;
    let usable = |toolchain: &&str| {
        let rustc = |what: &[&str]| {
            let mut arguments = vec!["run", toolchain, "rustc"];
            arguments.extend(what);
            shell::output(&mut shell::command("rustup", &arguments))
        };
        rustc(&["--version"]).is_some_and(|v| is_new_enough(&v))
            && rustc(&["--print", "sysroot"]).is_some_and(|s| has_source(&s))
    };
    list.lines().find(usable).map(str::to_owned)
}

fn has_source(sysroot: &str) -> bool {
    Path::new(sysroot).join("lib/rustlib/src/rust/library/core/Cargo.toml").is_file()
}

fn has_debian() -> bool {
    let rustc = |what: &[&str]| shell::output(&mut shell::command("/usr/bin/rustc", what));
    Path::new("/usr/bin/cargo").is_file()
        && rustc(&["--version"]).is_some_and(|v| is_new_enough(&v))
        && rustc(&["--print", "sysroot"]).is_some_and(|s| has_source(&s))
}

/// Installs Debian's packages.
pub(crate) fn apt(packages: &[&str]) -> bool {
    succeeded(debian::install(APT, packages))
}

fn succeeded(outcome: anyhow::Result<()>) -> bool {
    outcome.map_err(|error| println!("{error:#}")).is_ok()
}

/// Returns `true` if `rustc --version` reports at least the workspace's minimum.
fn is_new_enough(version: &str) -> bool {
    let number = |text: &str| -> Option<(u32, u32)> {
        let (major, rest) = text.split_once('.')?;
        Some((major.parse().ok()?, rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?))
    };
    let found = version.split(' ').nth(1).and_then(number);
    found.is_some_and(|found| number(env!("CARGO_PKG_RUST_VERSION")).is_some_and(|least| found >= least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_new_enough("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"));
        assert!(is_new_enough("rustc 1.100.0-nightly"));
        assert!(!is_new_enough("rustc 1.85.0"));
        assert!(!is_new_enough("rustc 1.9.0"));
        assert!(!is_new_enough("nonsense"));
    }
}
