//! Compiles a crate of kernels to PTX.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::toolchain::{Toolchain, is_foreign};
use crate::{Error, TARGET, Target};

/// A PTX file and what it was made from.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The PTX file.
    pub file: PathBuf,
    /// The source files of the crate and of those that it has by a path.
    pub sources: Vec<PathBuf>,
}

impl Toolchain {
    /// Compiles the library of the crate in `krate` with these features of it; what is made lies under `target_dir`.
    ///
    /// # Errors
    ///
    /// If the compiler does not know the target, or not this crate's way with Rust.
    pub fn compile(
        &self,
        krate: &Path,
        target: &Target,
        features: &[String],
        target_dir: &Path,
    ) -> Result<Compiled, Error> {
        let build = Build { toolchain: self, krate, target, features, target_dir, flags: target.flags(self)? };
        let name = build.package()?;
        let directory = target_dir.join("ptx");
        std::fs::create_dir_all(&directory).map_err(Error::io(directory.display().to_string()))?;
        let file = directory.join(format!("{name}-{target}.ptx"));
        build.rustc(&file)?;
        if !file.is_file() {
            // Cargo found the crate fresh, but somebody took the file away.
            build.run(build.cargo().args(["clean", "--release", "--target", TARGET, "--package", &name]))?;
            build.rustc(&file)?;
        }
        if !file.is_file() {
            return Err(build.failed(&format!("the compiler wrote no {}", file.display())));
        }
        Ok(Compiled { file, sources: build.sources(&name) })
    }
}

/// One compilation.
struct Build<'a> {
    toolchain: &'a Toolchain,
    krate: &'a Path,
    target: &'a Target,
    features: &'a [String],
    target_dir: &'a Path,
    flags: String,
}

impl Build<'_> {
    fn cargo(&self) -> Command {
        let mut command = Command::new(&self.toolchain.cargo);
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_foreign(name)) {
            command.env_remove(name);
        }
        command
            .current_dir(self.krate)
            .env("RUSTC", &self.toolchain.rustc)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", &self.flags)
            .env("CARGO_TARGET_DIR", self.target_dir)
            // What makes the assembly whole, whatever the profile says; in a workspace only the root's counts.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3")
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort");
        command
    }

    fn rustc(&self, file: &Path) -> Result<(), Error> {
        let mut cargo = self.cargo();
        cargo.args(["rustc", "--quiet", "--lib", "--crate-type", "cdylib", "--release", "--target", TARGET]);
        if !self.features.is_empty() {
            cargo.arg("--features").arg(self.features.join(","));
        }
        if self.toolchain.build_std {
            cargo.arg("-Zbuild-std=core");
        }
        let mut emit = OsString::from("--emit=asm=");
        emit.push(file);
        self.run(cargo.arg("--").arg(emit))
    }

    /// Silent unless it fails: the compiler warns of every PTX version it is told.
    fn run(&self, command: &mut Command) -> Result<(), Error> {
        let output = command.output().map_err(Error::io(self.toolchain.cargo.display().to_string()))?;
        if output.status.success() { Ok(()) } else { Err(self.failed(&String::from_utf8_lossy(&output.stderr))) }
    }

    fn failed(&self, output: &str) -> Error {
        Error::Compile { krate: self.krate.to_owned(), target: self.target.to_string(), output: output.to_owned() }
    }

    /// The package's name, which its manifest gives a line.
    fn package(&self) -> Result<String, Error> {
        let manifest = self.krate.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).map_err(Error::io(manifest.display().to_string()))?;
        let mut lines =
            text.lines().map(str::trim).skip_while(|l| *l != "[package]").skip(1).take_while(|l| !l.starts_with('['));
        let name = lines.find_map(|l| l.strip_prefix("name")?.trim_start().strip_prefix('='));
        let name = name.map(|n| n.trim().trim_matches(['"', '\'']).to_owned());
        name.ok_or_else(|| self.failed(&format!("{} names no package", manifest.display())))
    }

    /// What Cargo says that the library was made from.
    fn sources(&self, package: &str) -> Vec<PathBuf> {
        let file = self.target_dir.join(TARGET).join("release").join(format!("{}.d", package.replace('-', "_")));
        std::fs::read_to_string(file).map(|text| dependencies(&text)).unwrap_or_default()
    }
}

/// The files behind the colon of a rule for `make`, in which a space of a name has a backslash.
fn dependencies(rule: &str) -> Vec<PathBuf> {
    let line = rule.lines().next().unwrap_or_default();
    let Some((_, files)) = line.split_once(": ") else { return Vec::new() };
    files.replace("\\ ", "\0").split(' ').filter(|f| !f.is_empty()).map(|f| f.replace('\0', " ").into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_spaces() {
        let files = dependencies("/t/kernels.ptx: /a/src/lib.rs /my\\ own/b.rs\n\n/a/src/lib.rs:\n");
        assert_eq!(files, [Path::new("/a/src/lib.rs"), Path::new("/my own/b.rs")]);
    }
}
