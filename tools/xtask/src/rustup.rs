//! Toolchains for one check, beside the one that the workspace is built with.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::shell;

/// How long rustup may take for a toolchain of 300 MiB.
const LIMIT: Duration = Duration::from_secs(240);

/// A toolchain of rustup's.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    name: String,
    /// Where it is, if not with the user's own.
    home: Option<PathBuf>,
}

impl Toolchain {
    /// The toolchain with these components: the user's own, or one in `target/rustup`, which `install` may fill. The user's own
    /// toolchains stay as they are.
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

    /// Whether it is there, with these components.
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
