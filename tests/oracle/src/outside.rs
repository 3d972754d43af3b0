//! Cargo as a user outside of this workspace calls it: for tests of users' builds.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory that all of these builds share, so that common dependencies are compiled once.
#[must_use]
pub fn target() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate lies in the workspace");
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())).join("outside")
}

/// `cargo` with these words in a directory, without the environment of this run of Cargo.
#[must_use]
pub fn cargo(directory: &Path, words: &str) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
        command.env_remove(name);
    }
    command.args(words.split(' ')).current_dir(directory).env("CARGO_TARGET_DIR", target());
    // The build is used once and never debugged.
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}
