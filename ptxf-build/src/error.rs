//! Errors: why there are no kernels for a device.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::not_found::NotFound;
use crate::ptx;

/// Why kernels could not be built. `Debug` prints what `Display` does, for that is what a build script's `main` shows.
pub enum Error {
    /// No compiler for the target.
    Compiler(NotFound),
    /// The compiler offers no such target.
    Target {
        /// What was asked for.
        target: String,
        /// `rustc 1.97.0-nightly (…)`
        compiler: String,
        /// What it offers.
        offered: Vec<String>,
    },
    /// The text is no PTX version, or one that the compiler does not offer.
    Version(String),
    /// The kernel crate does not compile.
    Compile {
        /// The crate.
        krate: PathBuf,
        /// What for.
        target: String,
        /// The compiler's words.
        output: String,
    },
    /// The kernel crate's PTX contains something that is not understood.
    Ptx {
        /// The PTX.
        file: PathBuf,
        /// What is wrong with it, and where.
        error: ptx::Error,
    },
    /// The PTX of the kernels has no entry.
    NoEntry(PathBuf),
    /// The path leads neither to a file of kernels nor to a crate.
    NoKernels(PathBuf),
    /// The kernel crate has no `Cargo.lock`, and a build script writes none into sources.
    NoLock(PathBuf),
    /// A file or a program.
    Io {
        /// What was being done with it.
        what: String,
        /// What the system says.
        error: io::Error,
    },
    /// A variable is missing that Cargo sets for build scripts, so this is none.
    NoBuildScript(&'static str),
}

impl Error {
    /// For `map_err`.
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
