//! `--install`: what this Debian and PyPI offer.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use ptxf_build::{NotFound, Toolchain};

use super::output;
use super::tools::CudaTools;
use crate::{debian, shell};

/// How long a download of some 300 MiB may take.
const LIMIT: Duration = Duration::from_secs(900);

/// Brings whatever is missing of compiler, assembler and disassembler.
pub(crate) fn install(tools: &Path) -> Result<()> {
    if let Err(missing) = Toolchain::find() {
        compiler(&missing)?;
    }
    if CudaTools::find(tools)?.is_none_or(|t| t.nvdisasm.is_none()) {
        cuda(tools)?;
    }
    Ok(())
}

fn compiler(missing: &NotFound) -> Result<()> {
    if is_root() && has("apt-get") {
        return debian::install(LIMIT, &["rustc-web", "cargo-web", "rust-web-src"]);
    }
    ensure!(has("rustup"), "neither root on Debian nor rustup here: {missing}");
    shell::run_for(
        LIMIT,
        Command::new("rustup")
            .args(["toolchain", "install", "nightly", "--profile", "minimal"])
            .args(["--component", "rust-src"]),
    )
}

/// Unpacks NVIDIA's wheels, which hold plain programs, into `tools`.
fn cuda(tools: &Path) -> Result<()> {
    let pip = |command: &str| {
        Command::new(command).args(["-m", "pip", "--version"]).output().is_ok_and(|o| o.status.success())
    };
    if !pip("python3") {
        if !is_root() || !has("apt-get") {
            bail!("python3 with pip is needed to fetch NVIDIA's assembler from PyPI");
        }
        debian::install(LIMIT, &["python3", "python3-pip"])?;
    }
    std::fs::create_dir_all(tools)?;
    shell::run_for(
        LIMIT,
        Command::new("python3")
            .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"])
            .arg(tools)
            // The release of the record: another may know other targets and expand other forms.
            .args(["nvidia-cuda-nvcc~=13.5.0", "nvidia-cuda-nvdisasm~=13.5.0"]),
    )?;
    for entry in tools.read_dir()?.flatten().filter(|e| e.path().extension().is_some_and(|e| e == "whl")) {
        shell::run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(entry.path()).arg(tools))?;
        std::fs::remove_file(entry.path())?;
    }
    let bins = tools.join("nvidia").read_dir().context("the wheels hold no programs")?;
    for program in bins.flatten().flat_map(|e| ["ptxas", "nvdisasm"].map(|p| e.path().join("bin").join(p))) {
        if program.is_file() {
            // Python's unpacker drops the permission.
            shell::run(Command::new("chmod").arg("755").arg(program))?;
        }
    }
    Ok(())
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn has(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|p| std::env::split_paths(&p).any(|dir| dir.join(program).is_file()))
}
