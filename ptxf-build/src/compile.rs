//! Compiles a crate of kernels to PTX.
//!
//! The repository's checks compile with the same code, so that they check what users build.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::toolchain::{Toolchain, is_foreign};
use crate::{Error, TARGET, Target};

/// A PTX file and its sources.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The PTX file.
    pub file: PathBuf,
    /// The source files of the crate and of its dependencies by path.
    pub sources: Vec<PathBuf>,
}

/// A crate for devices.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A user's crate, whose directory is read only.
    Found(PathBuf),
    /// A crate that was written for the kernels of the package `host`. The host's Cargo
    /// configuration applies.
    Written { krate: PathBuf, host: PathBuf },
}

impl Toolchain {
    /// Compiles the library of the crate in `krate` with these features. Compiled code is below
    /// `target_dir`.
    ///
    /// The versions of dependencies are those of the `Cargo.lock` of the crate's workspace.
    ///
    /// # Errors
    ///
    /// Returns an error if the compiler does not know the target, if the kernels do not compile, or
    /// if there is no `Cargo.lock`, without which two builds could have different dependencies.
    pub fn compile(
        &self,
        krate: &Path,
        target: &Target,
        features: &[String],
        target_dir: &Path,
    ) -> Result<Compiled, Error> {
        self.compile_at(&Place::Found(krate.to_owned()), target, features, target_dir, &target_dir.join("ptx"))
    }

    /// Compiles a crate of either kind, with the PTX in `directory`.
    pub(crate) fn compile_at(
        &self,
        place: &Place,
        target: &Target,
        features: &[String],
        target_dir: &Path,
        directory: &Path,
    ) -> Result<Compiled, Error> {
        let build = Build { toolchain: self, place, target, features, target_dir, flags: target.flags(self)? };
        let name = build.package()?;
        build.fetch()?;
        std::fs::create_dir_all(directory).map_err(Error::io(directory.display().to_string()))?;
        let file = directory.join(format!("{name}-{target}.ptx"));
        build.rustc(&file)?;
        if !file.is_file() {
            // Cargo found the crate fresh, but the file was removed.
            build.run(build.cargo("clean").args(["--release", "--target", TARGET, "--package", &name]))?;
            build.rustc(&file)?;
        }
        if !file.is_file() {
            return Err(build.failed(&format!("the compiler wrote no {}", file.display())));
        }
        Ok(Compiled { file, sources: build.sources(&name) })
    }

    /// Returns the `Cargo.lock` of a crate's workspace. Returns `None` if there is none.
    pub(crate) fn lock_of(&self, krate: &Path) -> Option<PathBuf> {
        let mut cargo = Command::new(&self.cargo);
        cargo.args(["locate-project", "--workspace", "--message-format", "plain"]).current_dir(krate);
        let output = cargo.env("RUSTC", &self.rustc).output().ok()?;
        let manifest = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        Some(manifest.with_file_name("Cargo.lock")).filter(|lock| lock.is_file())
    }
}

/// A compilation.
struct Build<'a> {
    toolchain: &'a Toolchain,
    place: &'a Place,
    target: &'a Target,
    features: &'a [String],
    target_dir: &'a Path,
    flags: String,
}

impl Build<'_> {
    fn krate(&self) -> &Path {
        let (Place::Found(krate) | Place::Written { krate, .. }) = self.place;
        krate
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.toolchain.cargo);
        command.arg(subcommand);
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_foreign(name)) {
            command.env_remove(name);
        }
        // Cargo looks here for its configuration: registries, vendored sources, patches.
        match self.place {
            Place::Found(krate) => command.current_dir(krate),
            Place::Written { krate, host } => {
                command.current_dir(host).arg("--manifest-path").arg(krate.join("Cargo.toml"))
            }
        };
        command
            .env("RUSTC", &self.toolchain.rustc)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", &self.flags)
            .env("CARGO_TARGET_DIR", self.target_dir)
            // These settings make the assembly whole. They override the profile of a workspace's
            // root.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3")
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
            // Macros run on the host. Their line tables would take a quarter of their compile time.
            .env("CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_DEBUG", "false");
        command
    }

    /// Downloads missing dependencies of the crate, and leaves a `Cargo.lock` that names all
    /// dependencies.
    ///
    /// Cargo does not tell build scripts of `--offline`. The network is therefore used only for
    /// dependencies that the host does not have, and not if Cargo's configuration or
    /// `CARGO_NET_OFFLINE` forbids it.
    fn fetch(&self) -> Result<(), Error> {
        let fetch = |flags: &[&str]| {
            let mut cargo = self.cargo("fetch");
            cargo.args(["--quiet", "--target", TARGET]).args(self.build_std()).args(flags);
            self.run(&mut cargo)
        };
        let Place::Written { krate, .. } = self.place else {
            let krate = self.krate();
            self.toolchain.lock_of(krate).ok_or_else(|| Error::NoLock(krate.to_owned()))?;
            return fetch(&["--locked", "--offline"]).or_else(|_| fetch(&["--locked"]));
        };
        let lock = krate.join("Cargo.lock");
        let others = |_| {
            // The lock of a published package is that of its authors. Other versions may have been
            // downloaded.
            let authors = std::fs::read(&lock).ok();
            let _ = std::fs::remove_file(&lock);
            let found = fetch(&["--offline"]);
            if let (Err(_), Some(authors)) = (&found, authors) {
                std::fs::write(&lock, authors).map_err(Error::io(lock.display().to_string()))?;
            }
            found
        };
        fetch(&["--offline"]).or_else(others).or_else(|_| fetch(&[]))
    }

    fn build_std(&self) -> Option<&'static str> {
        self.toolchain.build_std.then_some("-Zbuild-std=core")
    }

    fn rustc(&self, file: &Path) -> Result<(), Error> {
        let mut cargo = self.cargo("rustc");
        cargo.args(["--quiet", "--locked", "--offline", "--lib", "--crate-type", "cdylib", "--release"]);
        cargo.args(["--target", TARGET]).args(self.build_std());
        if !self.features.is_empty() {
            cargo.arg("--features").arg(self.features.join(","));
        }
        let mut emit = OsString::from("--emit=asm=");
        emit.push(file);
        self.run(cargo.arg("--").arg(emit))
    }

    /// Runs the command and shows its output only if it fails: the compiler warns of every PTX
    /// version.
    fn run(&self, command: &mut Command) -> Result<(), Error> {
        let output = command.output().map_err(Error::io(self.toolchain.cargo.display().to_string()))?;
        if output.status.success() { Ok(()) } else { Err(self.failed(&String::from_utf8_lossy(&output.stderr))) }
    }

    fn failed(&self, output: &str) -> Error {
        Error::Compile { krate: self.krate().to_owned(), target: self.target.to_string(), output: output.to_owned() }
    }

    /// Returns the package's name, from its line in the manifest.
    fn package(&self) -> Result<String, Error> {
        let manifest = self.krate().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).map_err(Error::io(manifest.display().to_string()))?;
        let mut lines =
            text.lines().map(str::trim).skip_while(|l| *l != "[package]").skip(1).take_while(|l| !l.starts_with('['));
        let name = lines.find_map(|l| l.strip_prefix("name")?.trim_start().strip_prefix('='));
        let name = name.map(|n| n.trim().trim_matches(['"', '\'']).to_owned());
        name.ok_or_else(|| self.failed(&format!("{} names no package", manifest.display())))
    }

    /// Returns the library's source files, which Cargo wrote to a file beside it.
    fn sources(&self, package: &str) -> Vec<PathBuf> {
        let file = self.target_dir.join(TARGET).join("release").join(format!("{}.d", package.replace('-', "_")));
        std::fs::read_to_string(file).map(|text| dependencies(&text)).unwrap_or_default()
    }
}

/// Returns the files after the colon of a rule for `make`, in which a space of a name has a
/// backslash.
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
