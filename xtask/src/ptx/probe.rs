//! Compiles a crate of kernels to PTX.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use ptxf::spec::FORMS;

use super::toolchain::{TARGET, Toolchain};
use super::{Version, output};
use crate::shell;

/// What to compile for.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    /// `sm_90`
    pub target: String,
    /// A PTX version above the target's own, and whether `cfg` knows it.
    pub ptx: Option<(Version, bool)>,
}

impl Configuration {
    /// The target with the PTX version that the compiler chooses by itself.
    pub(crate) fn of(target: &str) -> Self {
        Self { target: target.to_owned(), ptx: None }
    }

    /// The same with the newest PTX version that the table asks for and the compiler offers; `None` where that makes no
    /// further form native after `now`.
    pub(crate) fn newest(&self, toolchain: &Toolchain, now: Version) -> Option<Self> {
        let asked = FORMS.iter().map(|f| Version::of(f.ptx)).max()?;
        let newest = toolchain.ptx.iter().rev().find(|(v, _)| *v <= asked)?;
        let sm = sm(&self.target);
        let gained = |f: &&ptxf::spec::FormInfo| {
            f.until.is_none()
                && f.sm <= sm
                && (now..=newest.0).contains(&Version::of(f.ptx))
                && Version::of(f.ptx) > now
        };
        FORMS.iter().find(gained).map(|_| Self { ptx: Some(*newest), ..self.clone() })
    }

    fn flags(&self, toolchain: &Toolchain) -> String {
        let mut flags = format!("-Ctarget-cpu={} -Clinker=true", self.target);
        let mut features = Vec::new();
        if let Some(stand_in) = toolchain.stand_in(&self.target) {
            // Targets that compilers do not describe came with PTX 8.8 or later.
            flags.push_str(" --cfg ptxf_ptx88");
            features.push(format!("+{stand_in}"));
        }
        if let Some((version, known)) = self.ptx {
            if !known {
                flags.push_str(" --cfg ptxf_ptx88");
            }
            features.push(format!("+{}", version.feature()));
        }
        if !features.is_empty() {
            flags.push_str(&format!(" -Ctarget-feature={}", features.join(",")));
        }
        flags
    }

    /// A name for files, `sm_90` or `sm_90-ptx88`.
    pub(crate) fn file_name(&self) -> String {
        match self.ptx {
            Some((version, _)) => format!("{}-{}", self.target, version.feature()),
            None => self.target.clone(),
        }
    }

    /// Compiles the crate in `krate`; the PTX file lies under `target_dir`.
    pub(crate) fn compile(&self, toolchain: &Toolchain, krate: &Path, target_dir: &Path) -> Result<PathBuf> {
        let name = krate.file_name().context("a crate lies in a directory")?.to_string_lossy();
        let directory = target_dir.join("ptx");
        std::fs::create_dir_all(&directory)?;
        let file = directory.join(format!("{name}-{}.ptx", self.file_name()));
        self.cargo_rustc(toolchain, krate, target_dir, &file)?;
        if !file.is_file() {
            // Cargo found the crate fresh, but somebody took the file away.
            shell::run(
                self.cargo(toolchain, krate, target_dir)
                    .args(["clean", "--release", "--target", TARGET, "--package"])
                    .arg(package(krate)?),
            )?;
            self.cargo_rustc(toolchain, krate, target_dir, &file)?;
        }
        ensure!(file.is_file(), "the compiler wrote no {}", file.display());
        Ok(file)
    }

    fn cargo(&self, toolchain: &Toolchain, krate: &Path, target_dir: &Path) -> Command {
        let mut command = Command::new(&toolchain.cargo);
        // What cargo and rustup set for this command itself is about another compiler.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO_") && name != "CARGO_HOME"
                || name.starts_with("RUSTUP_")
                || name.starts_with("RUSTC")
            {
                command.env_remove(name.as_ref());
            }
        }
        command
            .current_dir(krate)
            .env("RUSTC", &toolchain.rustc)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", self.flags(toolchain))
            .env("CARGO_TARGET_DIR", target_dir);
        command
    }

    fn cargo_rustc(&self, toolchain: &Toolchain, krate: &Path, target_dir: &Path, file: &Path) -> Result<()> {
        let mut cargo = self.cargo(toolchain, krate, target_dir);
        cargo.args(["rustc", "--quiet", "--release", "--target", TARGET]);
        if toolchain.build_std {
            cargo.arg("-Zbuild-std=core");
        }
        let mut emit = std::ffi::OsString::from("--emit=asm=");
        emit.push(file);
        // Silent unless it fails: the compiler warns of every PTX version it is told.
        let compiled = output(cargo.arg("--").arg(emit));
        compiled.map(|_| ()).with_context(|| format!("compiling {} for {}", krate.display(), self.file_name()))
    }
}

/// The number in `sm_90a`.
pub(crate) fn sm(target: &str) -> u32 {
    let digits: String = target.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

fn package(krate: &Path) -> Result<String> {
    let manifest = std::fs::read_to_string(krate.join("Cargo.toml"))?;
    let name = manifest.lines().find_map(|l| l.strip_prefix("name = "));
    Ok(name.context("Cargo.toml has no name")?.trim_matches('"').to_owned())
}
