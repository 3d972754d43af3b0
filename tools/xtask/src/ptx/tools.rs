//! Finds NVIDIA's assembler and disassembler.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::output;

/// NVIDIA's assembler and disassembler.
#[derive(Debug)]
pub(crate) struct CudaTools {
    pub ptxas: PathBuf,
    pub nvdisasm: Option<PathBuf>,
    /// `13.5`
    pub release: String,
}

impl CudaTools {
    /// Looks for the programs as [`program`](Self::program) does.
    pub(crate) fn find(installed: &Path) -> Result<Option<Self>> {
        let find = |name| Self::program(installed, name);
        let Some(ptxas) = find("ptxas") else { return Ok(None) };
        let version = output(Command::new(&ptxas).arg("--version"))?;
        let release = version.split("release ").nth(1).and_then(|r| r.split(',').next());
        let release = release.with_context(|| format!("ptxas --version says {version}"))?.to_owned();
        Ok(Some(Self { ptxas, nvdisasm: find("nvdisasm"), release }))
    }

    /// Looks in `PTXF_CUDA_TOOLS`, in what `--install` left, in `CUDA_HOME` and in `PATH`.
    pub(crate) fn program(installed: &Path, name: &str) -> Option<PathBuf> {
        let mut places: Vec<PathBuf> = Vec::new();
        places.extend(std::env::var_os("PTXF_CUDA_TOOLS").map(PathBuf::from));
        let wheels = installed.join("nvidia").read_dir().ok();
        places.extend(wheels.into_iter().flatten().flatten().map(|e| e.path().join("bin")));
        places.extend(std::env::var_os("CUDA_HOME").map(|h| Path::new(&h).join("bin")));
        places.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
        places.iter().map(|p| p.join(name)).find(|p| p.is_file())
    }
}
