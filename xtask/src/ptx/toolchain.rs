//! Finds a compiler that can build for nvptx64.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::probe::sm;
use super::{Version, output};

/// The target that all of this is about.
pub(crate) const TARGET: &str = "nvptx64-nvidia-cuda";

/// The heading in `--print target-features` under which stands what `cfg` does not know.
const BACK_END: &str = "Code-generation features";

/// A compiler with the NVPTX back end, and the core library for it in one form or another.
#[derive(Debug)]
pub(crate) struct Toolchain {
    pub rustc: PathBuf,
    pub cargo: PathBuf,
    /// Whether the core library has to be built from source, as nothing precompiled is there.
    pub build_std: bool,
    /// `rustc 1.96.0 (ac68faa20 2026-05-25)`
    pub version: String,
    /// The targets it offers, `sm_90`.
    pub targets: Vec<String>,
    /// Those of them that `cfg(target_feature)` knows.
    pub known: Vec<String>,
    /// The PTX versions it offers, in order, and whether `cfg(target_feature)` knows of them.
    pub ptx: Vec<(Version, bool)>,
}

impl Toolchain {
    /// The first usable one: rustup's nightlies, its other toolchains, the system's.
    pub(crate) fn find() -> Option<Self> {
        candidates().iter().find_map(|bin| Self::at(bin))
    }

    /// The toolchain of the given compiler.
    pub(crate) fn beside(rustc: &Path) -> Option<Self> {
        Self::at(rustc.parent()?)
    }

    /// The toolchain in `bin`, if it can build for the target.
    fn at(bin: &Path) -> Option<Self> {
        let (rustc, cargo) = (bin.join("rustc"), bin.join("cargo"));
        if !rustc.is_file() || !cargo.is_file() {
            return None;
        }
        let print = |what: &[&str]| output(Command::new(&rustc).env("RUSTC_BOOTSTRAP", "1").args(what)).ok();
        let sysroot = PathBuf::from(print(&["--print", "sysroot"])?.trim());
        let library = sysroot.join("lib/rustlib");
        let source = library.join("src/rust/library/core/src/lib.rs").is_file();
        if !source && !library.join(TARGET).join("lib").is_dir() {
            return None;
        }
        let targets = print(&["--print", "target-cpus", "--target", TARGET])?;
        let features = print(&["--print", "target-features", "--target", TARGET])?;
        Some(Self {
            build_std: source,
            version: print(&["--version"])?.trim().to_owned(),
            targets: targets.split_whitespace().filter(|t| t.starts_with("sm_")).map(str::to_owned).collect(),
            known: features
                .lines()
                .take_while(|l| !l.starts_with(BACK_END))
                .filter_map(|l| l.split_whitespace().next().filter(|name| name.starts_with("sm_")))
                .map(str::to_owned)
                .collect(),
            ptx: ptx_versions(&features),
            rustc,
            cargo,
        })
    }

    /// For a target that `cfg` does not know, the newest before it that it does: as a target feature it makes the forms of
    /// that target native without changing the target.
    pub(crate) fn stand_in(&self, target: &str) -> Option<&str> {
        if self.known.iter().any(|k| k == target) {
            return None;
        }
        let plain = self.known.iter().filter(|k| k.ends_with(|c: char| c.is_ascii_digit()));
        plain.filter(|k| sm(k) < sm(target)).max_by_key(|k| sm(k)).map(String::as_str)
    }

    /// What to do where none is found.
    pub(crate) fn advice() -> &'static str {
        "no compiler for nvptx64-nvidia-cuda was found. One of these brings it:\n\
         \x20   cargo xtask ptx --install                                       (Debian, as root)\n\
         \x20   rustup toolchain install nightly --profile minimal --component rust-src"
    }
}

/// Directories that may hold a compiler.
fn candidates() -> Vec<PathBuf> {
    let home = std::env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|h| Path::new(&h).join(".rustup")));
    let entries = home.and_then(|h| h.join("toolchains").read_dir().ok());
    let mut toolchains: Vec<_> = entries.into_iter().flatten().flatten().map(|e| e.path()).collect();
    let nightly = |p: &PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("nightly"));
    toolchains.sort_by_key(|p| (!nightly(p), p.clone()));
    toolchains.iter().map(|t| t.join("bin")).chain([PathBuf::from("/usr/bin")]).collect()
}

/// The `ptxNN` lines of `--print target-features`; those below the back end's heading are unknown to `cfg`.
fn ptx_versions(features: &str) -> Vec<(Version, bool)> {
    let mut known = true;
    let mut versions = Vec::new();
    for line in features.lines() {
        if line.starts_with(BACK_END) {
            known = false;
        }
        let name = line.split_whitespace().next().unwrap_or_default();
        if let Some(digits) = name.strip_prefix("ptx")
            && let Ok(number) = digits.parse::<u8>()
        {
            versions.push((Version { major: number / 10, minor: number % 10 }, known));
        }
    }
    versions.sort();
    versions
}

/// NVIDIA's assembler and disassembler.
#[derive(Debug)]
pub(crate) struct CudaTools {
    pub ptxas: PathBuf,
    pub nvdisasm: Option<PathBuf>,
    /// `13.5`
    pub release: String,
}

impl CudaTools {
    /// Looks in `PTXF_CUDA_TOOLS`, in what `--install` left, in `CUDA_HOME` and in `PATH`.
    pub(crate) fn find(installed: &Path) -> Result<Option<Self>> {
        let mut places: Vec<PathBuf> = Vec::new();
        places.extend(std::env::var_os("PTXF_CUDA_TOOLS").map(PathBuf::from));
        let wheels = installed.join("nvidia").read_dir().ok();
        places.extend(wheels.into_iter().flatten().flatten().map(|e| e.path().join("bin")));
        places.extend(std::env::var_os("CUDA_HOME").map(|h| Path::new(&h).join("bin")));
        places.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
        let find = |name: &str| places.iter().map(|p| p.join(name)).find(|p| p.is_file());
        let Some(ptxas) = find("ptxas") else { return Ok(None) };
        let version = output(Command::new(&ptxas).arg("--version"))?;
        let release = version.split("release ").nth(1).and_then(|r| r.split(',').next());
        let release = release.with_context(|| format!("ptxas --version says {version}"))?.to_owned();
        Ok(Some(Self { ptxas, nvdisasm: find("nvdisasm"), release }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_ptx_versions_with_a_cfg_from_those_without() {
        let text = "Features supported by rustc for this target:\n    crt-static - Enables\n    ptx87      - Use\n    ptx70      - Use\n\nCode-generation features supported by LLVM for this target:\n    ptx88      - Use\n";
        let v = |major, minor| Version { major, minor };
        assert_eq!(ptx_versions(text), [(v(7, 0), true), (v(8, 7), true), (v(8, 8), false)]);
    }
}
