//! Errors of a build.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::not_found::NotFound;

/// An error of a build. `Debug` prints what `Display` prints, since `main` of a build script shows
/// `Debug`.
pub enum Error {
    /// There is no compiler for devices.
    Compiler(NotFound),
    /// The compiler does not support the target.
    Target {
        /// The target.
        target: String,
        /// The compiler, such as `rustc 1.97.0-nightly (…)`.
        compiler: String,
        /// The targets that it supports.
        offered: Vec<String>,
    },
    /// A text is not a PTX version, or the compiler does not support the version.
    Version(String),
    /// The kernel crate does not compile.
    Compile {
        /// The directory of the crate.
        krate: PathBuf,
        /// The target.
        target: String,
        /// The compiler's output.
        output: String,
    },
    /// The PTX cannot be read.
    Ptx {
        /// The PTX file.
        file: PathBuf,
        /// The fault with its place.
        error: ptxf_text::Error,
    },
    /// The PTX has no entry.
    NoEntry(PathBuf),
    /// The path names neither a file of kernels nor a crate.
    NoKernels(PathBuf),
    /// The kernel crate has no `Cargo.lock`. A build script does not write one into sources.
    NoLock(PathBuf),
    /// A file cannot be accessed or a program cannot run.
    Io {
        /// The file or the program.
        what: String,
        /// The system's error.
        error: io::Error,
    },
    /// Cargo's variable of this name is missing, so that the program is not a build script.
    NoBuildScript(&'static str),
}

impl Error {
    /// Converts an error for `map_err`.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compiler(missing) => missing.fmt(f),
            Self::Target { target, compiler, offered } => {
                write!(f, "{compiler} offers no target `{target}`; it offers {}", offered.join(" "))
            }
            Self::Version(text) => write!(f, "`{text}` is no PTX version that this compiler offers, such as 7.8"),
            Self::Compile { krate, target, output } => {
                write!(f, "{} does not compile for {target}:\n{}", krate.display(), output.trim_end())
            }
            Self::Ptx { file, error } => write!(f, "{}: {error}", file.display()),
            Self::NoEntry(krate) => write!(
                f,
                "{} has no kernel: `#[ptx_kernel]` on a function of the library, or of a module of it, makes one",
                krate.display()
            ),
            Self::NoKernels(path) => write!(
                f,
                "{} is neither a file of kernels, whose name is a module's, such as src/kernels.rs, nor a crate with a Cargo.toml. \
                 Cargo leaves a directory with a Cargo.toml of its own out of a package: what is published keeps its kernels in a file",
                path.display()
            ),
            Self::NoLock(krate) => write!(
                f,
                "{0} has no Cargo.lock, and a build script writes none into sources. Make the crate a member of the host's \
                 workspace (a line `[workspace]` in the host's Cargo.toml does), or write one by\n    \
                 cargo generate-lockfile --manifest-path {0}/Cargo.toml",
                krate.display()
            ),
            Self::Io { what, error } => write!(f, "{what}: {error}"),
            Self::NoBuildScript(name) => {
                write!(f, "{name} is not set: this is for build scripts; elsewhere, use `Toolchain::compile`")
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::Ptx { error, .. } => Some(error),
            _ => None,
        }
    }
}
