//! Packages of PyPI with programs and libraries.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::{debian, shell};

/// Unpacks packages into a folder, without their dependencies. Installs Python with pip from Debian
/// if it is missing.
pub(crate) fn unpack(limit: Duration, packages: &[&str], folder: &Path) -> Result<()> {
    if shell::output(&mut shell::command("python3", &["-m", "pip", "--version"])).is_none() {
        let needed = || format!("python3 with pip is needed to fetch {} from PyPI", packages.join(" and "));
        debian::install(limit, &["python3", "python3-pip"]).with_context(needed)?;
    }
    std::fs::create_dir_all(folder)?;
    let options = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"];
    shell::run_for(limit, shell::command("python3", &options).arg(folder).args(packages))?;
    for entry in folder.read_dir()?.flatten().filter(|e| e.path().extension().is_some_and(|e| e == "whl")) {
        shell::run(shell::command("python3", &["-m", "zipfile", "-e"]).arg(entry.path()).arg(folder))?;
        std::fs::remove_file(entry.path())?;
    }
    Ok(())
}
