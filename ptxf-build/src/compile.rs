//! Compiles a crate of kernels to PTX.
//!
//! This is the one recipe for it: what the repository checks is compiled by it as well, so that users' builds are what is checked.

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

/// A crate for devices.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A user's crate, in which nothing is written.
    Found(PathBuf),
    /// A crate that was written for the kernels of the package `host`, whose configuration of Cargo holds for it.
    Written { krate: PathBuf, host: PathBuf },
}

impl Toolchain {
    /// Compiles the library of the crate in `krate` with these features of it; what is made lies under `target_dir`.
    ///
    /// Dependencies are those of the `Cargo.lock` of its workspace.
    ///
    /// # Errors
    ///
    /// It returns an error if the compiler does not know the target or the options that this crate passes, if the kernels do not
    /// compile, and if there is no `Cargo.lock`, without which two builds could have different dependencies.
    pub fn compile(
        &self,
        krate: &Path,
        target: &Target,
        features: &[String],
        target_dir: &Path,
    ) -> Result<Compiled, Error> {
        self.compile_at(&Place::Found(krate.to_owned()), target, features, target_dir, &target_dir.join("ptx"))
    }

    /// The same for a crate of either kind; the PTX lies in `directory`.
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
            // Cargo found the crate fresh, but the file has been removed since.
            build.run(build.cargo("clean").args(["--release", "--target", TARGET, "--package", &name]))?;
            build.rustc(&file)?;
        }
        if !file.is_file() {
            return Err(build.failed(&format!("the compiler wrote no {}", file.display())));
        }
        Ok(Compiled { file, sources: build.sources(&name) })
    }

    /// The `Cargo.lock` of a crate's workspace.
    pub(crate) fn lock_of(&self, krate: &Path) -> Option<PathBuf> {
        let mut cargo = Command::new(&self.cargo);
        cargo.args(["locate-project", "--workspace", "--message-format", "plain"]).current_dir(krate);
        let output = cargo.env("RUSTC", &self.rustc).output().ok()?;
        let manifest = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        Some(manifest.with_file_name("Cargo.lock")).filter(|lock| lock.is_file())
    }
}

/// One compilation.
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
        // Where Cargo begins to look for its configuration: registries, vendored sources, patches.
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
            // These settings make the assembly whole, whatever the profile says; in a workspace only the root's profile counts.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3")
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
            // Macros run on the host, and their line tables take a quarter of the time in which they are compiled.
            .env("CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_DEBUG", "false");
        command
    }

    /// Makes sure that the crate's dependencies are on this machine, and leaves a `Cargo.lock` that names them.
    ///
    /// A build script is not told of Cargo's `--offline`. So the network is asked only for what the host's own dependencies have
    /// not brought, and not even then where Cargo's configuration or `CARGO_NET_OFFLINE` forbids it.
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
            // A published package's lock is that of its authors, and a program that depends on it may have downloaded other versions.
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

    /// Runs the command and shows its output only if it fails, since the compiler warns of every PTX version that it is told.
    fn run(&self, command: &mut Command) -> Result<(), Error> {
        let output = command.output().map_err(Error::io(self.toolchain.cargo.display().to_string()))?;
        if output.status.success() { Ok(()) } else { Err(self.failed(&String::from_utf8_lossy(&output.stderr))) }
    }

    fn failed(&self, output: &str) -> Error {
        Error::Compile { krate: self.krate().to_owned(), target: self.target.to_string(), output: output.to_owned() }
    }

    /// The package's name, which has a line of its own in the manifest.
    fn package(&self) -> Result<String, Error> {
        let manifest = self.krate().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).map_err(Error::io(manifest.display().to_string()))?;
        let mut lines =
            text.lines().map(str::trim).skip_while(|l| *l != "[package]").skip(1).take_while(|l| !l.starts_with('['));
        let name = lines.find_map(|l| l.strip_prefix("name")?.trim_start().strip_prefix('='));
        let name = name.map(|n| n.trim().trim_matches(['"', '\'']).to_owned());
        name.ok_or_else(|| self.failed(&format!("{} names no package", manifest.display())))
    }

    /// The files that the library was made from, by what Cargo wrote beside it.
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
