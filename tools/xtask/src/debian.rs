//! Installation of Debian's packages.

use std::time::Duration;

use anyhow::Result;

use crate::shell;

/// Installs packages by APT, as root or through sudo.
pub(crate) fn install(limit: Duration, packages: &[&str]) -> Result<()> {
    // An outdated list may still serve.
    if let Err(error) = privileged(limit, "apt-get", &["update", "--quiet"]) {
        println!("{error:#}");
    }
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    privileged(limit, "apt-get", &[&install, packages].concat())
}

/// Runs a command as root.
pub(crate) fn privileged(limit: Duration, program: &str, arguments: &[&str]) -> Result<()> {
    let root = shell::output(&mut shell::command("id", &["-u"])).is_some_and(|id| id == "0");
    let mut words = if root { Vec::new() } else { vec!["sudo", "--non-interactive"] };
    words.push(program);
    words.extend(arguments);
    let mut command = shell::command(words[0], &words[1..]);
    shell::run_for(limit, command.env("DEBIAN_FRONTEND", "noninteractive"))
}
