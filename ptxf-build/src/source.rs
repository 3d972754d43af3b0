//! The source of the host's `ptxf`, which the kernels for a device have to share.

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::toolchain::Toolchain;

/// A source of a package. It displays as the keys of a dependency in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A registry, with this crate's version.
    Registry,
    /// A directory.
    Path(String),
    /// A git repository, with a key and value such as `branch` and `main`.
    Git { url: String, reference: Option<(String, String)> },
}

impl Source {
    /// Reads the output of `cargo pkgid`: `path+file:///a/ptxf#0.1.0`,
    /// `git+https://example.com/ptxf?rev=1a2b#0.1.0` or `registry+https://…`.
    fn parse(id: &str) -> Self {
        let (source, _) = id.trim().rsplit_once('#').unwrap_or((id.trim(), ""));
        if let Some(path) = source.strip_prefix("path+file://") {
            return Self::Path(unescaped(path));
        }
        let Some(git) = source.strip_prefix("git+") else { return Self::Registry };
        let (url, query) = git.split_once('?').map_or((git, None), |(url, query)| (url, Some(query)));
        let reference = query.and_then(|query| query.split_once('='));
        Self::Git { url: url.to_owned(), reference: reference.map(|(key, value)| (key.to_owned(), unescaped(value))) }
    }
}

/// Replaces `%20` and other escapes of a URL.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => {
                bytes.push(b'%');
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry => write!(f, "version = {:?}", env!("CARGO_PKG_VERSION")),
            Self::Path(path) => write!(f, "path = {path:?}"),
            Self::Git { url, reference: None } => write!(f, "git = {url:?}"),
            Self::Git { url, reference: Some((key, value)) } => write!(f, "git = {url:?}, {key} = {value:?}"),
        }
    }
}

impl Toolchain {
    /// Returns the source of the `ptxf` that the package in this directory uses. It is a registry
    /// if Cargo does not know one.
    pub(crate) fn source_of(&self, package: &Path) -> Source {
        let mut cargo = Command::new(&self.cargo);
        cargo.args(["pkgid", "--offline", "ptxf"]).current_dir(package).env("RUSTC", &self.rustc);
        let output = cargo.output().ok().filter(|output| output.status.success());
        output.map_or(Source::Registry, |output| Source::parse(&String::from_utf8_lossy(&output.stdout)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_package_id_becomes_the_keys_of_a_dependency() {
        for (id, keys) in [
            ("path+file:///my%20own/ptxf#0.1.0\n", "path = \"/my own/ptxf\""),
            ("path+file:///a/b#ptxf@0.1.0", "path = \"/a/b\""),
            ("git+https://example.com/ptxf?branch=a%2Fb#0.1.0", "git = \"https://example.com/ptxf\", branch = \"a/b\""),
            ("git+https://example.com/ptxf?rev=1a2b#ptxf@0.1.0", "git = \"https://example.com/ptxf\", rev = \"1a2b\""),
            ("git+ssh://git@example.com/a.git#ptxf@0.1.0", "git = \"ssh://git@example.com/a.git\""),
            ("registry+https://github.com/rust-lang/crates.io-index#ptxf@0.1.0", "version = \"0."),
            ("", "version = \"0."),
        ] {
            let shown = Source::parse(id).to_string();
            assert!(shown.starts_with(keys), "{id}: {shown}");
        }
    }

    #[test]
    fn a_package_of_this_workspace_has_the_library_by_path() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let toolchain = Toolchain {
            rustc: PathBuf::from("rustc"),
            cargo: PathBuf::from(env!("CARGO")),
            build_std: false,
            version: String::new(),
            targets: Vec::new(),
            known: Vec::new(),
            ptx: Vec::new(),
        };
        assert_eq!(toolchain.source_of(&root.join("ptxf-vm")), Source::Path(root.display().to_string()));
    }
}
