//! Toolchains for one check, besides the workspace's own.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::shell;

/// Time limit of rustup for a toolchain of 300 MiB.
const LIMIT: Duration = Duration::from_secs(240);

/// A toolchain of rustup's.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    name: String,
    /// The folder of a toolchain that is not the user's.
    home: Option<PathBuf>,
}

impl Toolchain {
    /// Returns the toolchain with these components: the user's own, or one in `target/rustup`.
    /// `install` adds it there, so that the user's toolchains do not change.
    pub(crate) fn find(name: &str, components: &[&str], install: bool) -> Option<Self> {
        let at = |home| Self { name: name.to_owned(), home };
        let (own, other) = (at(None), at(Some(shell::target().join("rustup"))));
        if own.has(components) {
            return Some(own);
        }
        if !other.has(components) && install {
            let mut words = vec!["toolchain", "install", name, "--profile", "minimal", "--no-self-update"];
            words.extend(components.iter().flat_map(|component| ["--component", component]));
            if let Err(error) = shell::run_for(LIMIT, &mut other.rustup(&words)) {
                println!("{error:#}");
            }
        }
        other.has(components).then_some(other)
    }

    fn rustup(&self, words: &[&str]) -> Command {
        let mut command = shell::command("rustup", words);
        if let Some(home) = &self.home {
            command.env("RUSTUP_HOME", home);
        }
        command
    }

    /// Returns `true` if the toolchain has these components.
    fn has(&self, components: &[&str]) -> bool {
        let list = ["component", "list", "--installed", "--toolchain", &self.name];
        let has = |installed: String| components.iter().all(|c| installed.lines().any(|line| line.starts_with(c)));
        self.version().is_some() && shell::output(&mut self.rustup(&list)).is_some_and(has)
    }

    /// `rustc 1.89.0 (29483883e 2025-08-04)`
    pub(crate) fn version(&self) -> Option<String> {
        shell::output(&mut self.rustup(&["run", &self.name, "rustc", "--version"]))
    }

    /// `cargo` of this toolchain.
    pub(crate) fn cargo(&self, words: &[&str]) -> Command {
        self.rustup(&[&["run", &self.name, "cargo"], words].concat())
    }
}
