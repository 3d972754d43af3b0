//! `--install`: tools from Debian and PyPI.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ptxf_build::{NotFound, Toolchain};

use super::output;
use super::tools::CudaTools;
use crate::{debian, pypi, shell};

/// Time limit of a download of some 300 MiB.
const LIMIT: Duration = Duration::from_secs(900);

/// Installs missing tools: compiler, assembler, disassembler.
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
pub(super) fn cuda(tools: &Path) -> Result<()> {
    // The recorded release: another may have other targets and expand other forms.
    pypi::unpack(LIMIT, &["nvidia-cuda-nvcc~=13.5.0", "nvidia-cuda-nvdisasm~=13.5.0"], tools)?;
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
