//! The error of a missing compiler for devices.

use std::fmt;
use std::path::PathBuf;

use crate::TARGET;

/// A missing compiler for devices. It displays the candidates and what to install.
#[derive(Clone, Debug)]
pub struct NotFound {
    /// Directories, each with the reason why its compiler cannot be used.
    pub tried: Vec<(PathBuf, String)>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no compiler for {TARGET} was found. Looked at")?;
        for (bin, why) in &self.tried {
            write!(f, "\n    {}: {why}", bin.display())?;
        }
        f.write_str(
            "\nOne of these brings it:\n    \
             rustup toolchain install nightly --profile minimal --component rust-src\n    \
             apt-get update && apt-get install rustc-web cargo-web rust-web-src      (Debian, as root; an old list has an old compiler)\n\
             A compiler elsewhere is named by PTXF_RUSTC=/path/to/rustc, its cargo beside it.",
        )
    }
}

impl std::error::Error for NotFound {}
