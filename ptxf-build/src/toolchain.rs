//! Finds a compiler that can build for nvptx64.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::not_found::NotFound;
use crate::sm::sm;
use crate::{TARGET, Version};

/// The variable that names a compiler.
pub(crate) const OVERRIDE: &str = "PTXF_RUSTC";

/// The heading in `--print target-features` of the features without a `cfg`.
const BACK_END: &str = "Code-generation features";

/// A compiler with the NVPTX back end and a core library for it.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The compiler.
    pub rustc: PathBuf,
    /// The cargo of the compiler.
    pub cargo: PathBuf,
    /// `true` if the core library has to be built from source.
    pub build_std: bool,
    /// The version, such as `rustc 1.96.0 (ac68faa20 2026-05-25)`.
    pub version: String,
    /// The targets that it supports, such as `sm_90`.
    pub targets: Vec<String>,
    /// The targets that `cfg(target_feature)` knows.
    pub known: Vec<String>,
    /// The PTX versions that it supports, in order, and `true` if `cfg(target_feature)` knows the
    /// version.
    pub ptx: Vec<(Version, bool)>,
}

impl Toolchain {
    /// Returns the first usable toolchain: the one of `PTXF_RUSTC` if it is set, else rustup's
    /// nightlies, its other toolchains, or the system's.
    ///
    /// # Errors
    ///
    /// Returns [`NotFound`], with all candidates, if no compiler can build for devices.
    pub fn find() -> Result<Self, NotFound> {
        match std::env::var_os(OVERRIDE) {
            Some(rustc) => Self::beside(Path::new(&rustc)),
            None => Self::first(candidates()),
        }
    }

    /// Returns the toolchain of a compiler. Its cargo is in the same directory.
    ///
    /// # Errors
    ///
    /// Returns [`NotFound`], with the reason, if the compiler cannot build for devices.
    pub fn beside(rustc: &Path) -> Result<Self, NotFound> {
        Self::first([rustc.parent().unwrap_or(Path::new("")).to_owned()])
    }

    /// Returns the first usable toolchain in these directories.
    fn first(directories: impl IntoIterator<Item = PathBuf>) -> Result<Self, NotFound> {
        let mut tried = Vec::new();
        for bin in directories {
            match Self::at(&bin) {
                Ok(toolchain) => return Ok(toolchain),
                Err(why) => tried.push((bin, why)),
            }
        }
        Err(NotFound { tried })
    }

    /// Returns the toolchain in `bin`. The error says why it cannot build for devices.
    fn at(bin: &Path) -> Result<Self, String> {
        let (rustc, cargo) = (bin.join("rustc"), bin.join("cargo"));
        for (program, name) in [(&rustc, "rustc"), (&cargo, "cargo")] {
            if !program.is_file() {
                return Err(format!("no {name}"));
            }
        }
        let print = |what: &[&str]| print(&rustc, what);
        let sysroot = PathBuf::from(print(&["--print", "sysroot"])?.trim());
        let library = sysroot.join("lib/rustlib");
        let source = library.join("src/rust/library/core/src/lib.rs").is_file();
        if !source && !library.join(TARGET).join("lib").is_dir() {
            return Err(format!("neither the core library's source nor a core library for {TARGET}"));
        }
        let targets = print(&["--print", "target-cpus", "--target", TARGET])?;
        let features = print(&["--print", "target-features", "--target", TARGET])?;
        Ok(Self {
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

    /// Returns the newest target up to `target` that `cfg` knows, if it does not know `target`
    /// itself. As a target feature it makes the forms of that target native.
    #[must_use]
    pub fn stand_in(&self, target: &str) -> Option<&str> {
        if self.known.iter().any(|k| k == target) {
            return None;
        }
        let plain = self.known.iter().filter(|k| k.ends_with(|c: char| c.is_ascii_digit()));
        plain.filter(|k| sm(k) <= sm(target)).max_by_key(|k| sm(k)).map(String::as_str)
    }

    /// Returns the version number, such as `1.96.0`, which keeps compiled code of several compilers
    /// apart.
    #[must_use]
    pub fn number(&self) -> &str {
        self.version.split(' ').nth(1).unwrap_or("unknown")
    }
}

/// Returns the output of the compiler, or the first line of its error.
fn print(rustc: &Path, arguments: &[&str]) -> Result<String, String> {
    // The variables that Cargo set for a build script belong to another compiler.
    let mut command = Command::new(rustc);
    command.env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN").args(arguments);
    let output = command.output().map_err(|e| format!("it does not start: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let reason = said.lines().find(|l| !l.trim().is_empty()).unwrap_or("no reason given");
    Err(format!("rustc {}: {reason}", arguments.join(" ")))
}

/// Returns directories that may contain a compiler.
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

/// Returns the `ptxNN` lines of `--print target-features`. `cfg` does not know those below the back
/// end's heading.
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

/// Returns `true` for a variable of Cargo or rustup that belongs to another compiler. The user's
/// settings for the network and registries stay.
pub(crate) fn is_foreign(name: &OsStr) -> bool {
    const KEPT: &[&str] = &["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR", "RUSTUP_HOME"];
    let name = name.to_string_lossy();
    let set = ["CARGO", "RUSTUP_", "RUSTC", "RUSTFLAGS", "RUSTDOC"].iter().any(|prefix| name.starts_with(prefix));
    set && !KEPT.iter().any(|prefix| name.starts_with(prefix))
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

    #[test]
    fn what_is_missing_says_where_it_was_sought_and_what_brings_it() {
        let missing = Toolchain::beside(Path::new("/nowhere/bin/rustc")).unwrap_err().to_string();
        for part in ["/nowhere/bin: no rustc", "rust-src", "rustc-web", "PTXF_RUSTC"] {
            assert!(missing.contains(part), "{part}: {missing}");
        }
    }

    #[test]
    fn the_users_settings_stay() {
        let foreign = |name: &str| is_foreign(OsStr::new(name));
        assert!(
            ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"]
                .map(foreign)
                .iter()
                .all(|f| *f)
        );
        assert!(!["CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTUP_HOME", "PATH"].map(foreign).iter().any(|f| *f));
    }
}
