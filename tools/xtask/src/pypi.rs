//! Packages of PyPI with programs and libraries.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::{debian, shell};

/// Unpacks packages into a folder, without their dependencies.
pub(crate) fn unpack(limit: Duration, packages: &[&str], folder: &Path) -> Result<()> {
    pip(limit, &["download", "--no-deps", "--dest"], packages, folder)?;
    for entry in folder.read_dir()?.flatten().filter(|e| e.path().extension().is_some_and(|e| e == "whl")) {
        shell::run(shell::command("python3", &["-m", "zipfile", "-e"]).arg(entry.path()).arg(folder))?;
        std::fs::remove_file(entry.path())?;
    }
    Ok(())
}

/// Installs packages into a folder, with their dependencies.
pub(crate) fn install(limit: Duration, packages: &[&str], folder: &Path) -> Result<()> {
    pip(limit, &["install", "--upgrade", "--target"], packages, folder)
}

/// Installs packages into a virtual environment, which is created if it is missing. Libraries that
/// search their own folders find each other there.
pub(crate) fn environment(limit: Duration, packages: &[&str], folder: &Path) -> Result<()> {
    let python = folder.join("bin/python");
    if !python.exists() {
        let words = ["-m", "venv"];
        let made = shell::run_for(limit, shell::command("python3", &words).arg(folder));
        made.with_context(|| format!("python3 with venv is needed to install {}", packages.join(" and ")))?;
    }
    let words = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install"];
    shell::run_for(limit, shell::command(&python.to_string_lossy(), &words).args(packages))
}

/// Runs pip, which is installed from Debian if it is missing. The last option takes the folder.
fn pip(limit: Duration, options: &[&str], packages: &[&str], folder: &Path) -> Result<()> {
    if shell::output(&mut shell::command("python3", &["-m", "pip", "--version"])).is_none() {
        let needed = || format!("python3 with pip is needed to fetch {} from PyPI", packages.join(" and "));
        debian::install(limit, &["python3", "python3-pip"]).with_context(needed)?;
    }
    std::fs::create_dir_all(folder)?;
    let words = [&["-m", "pip", "--quiet", "--disable-pip-version-check"], options].concat();
    shell::run_for(limit, shell::command("python3", &words).arg(folder).args(packages))
}
