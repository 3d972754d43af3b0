//! `cargo xtask package`: the packages for publication, checked and built.
//!
//! Cargo makes the packages. They are unpacked and built as if they came from a registry, together
//! with a program that uses them, with the oldest compiler that they declare.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use crate::rustup::Toolchain;
use crate::{metadata, shell};

mod inspect;

/// Make the packages of all published crates, check their contents, and build them with the oldest
/// compiler that they declare.
///
/// Exits with status 3 if that compiler is missing and they were built with the current one; with
/// PTXF_STRICT=1 with status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let rustup get the oldest compiler, into target/rustup
    #[arg(long)]
    install: bool,
}

/// The full version of the compiler that the manifests declare.
const OLDEST: &str = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");
/// A user's program.
const PROGRAM: &str = include_str!("package/program.rs");

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let packages = metadata::published()?;
    let place = shell::target().join("packages");
    let mut package = shell::command("cargo", &["package", "--quiet", "--allow-dirty", "--no-verify"]);
    packages.iter().for_each(|p| _ = package.args(["--package", &p.name]));
    shell::run(package.arg("--target-dir").arg(&place))?;

    let unpacked = place.join("unpacked");
    remove(&unpacked)?;
    std::fs::create_dir_all(&unpacked)?;
    let mut problems = Vec::new();
    for package in &packages {
        let name = format!("{}-{}", package.name, package.version);
        let file = place.join("package").join(format!("{name}.crate"));
        let file_name = file.to_string_lossy();
        // Cargo gives all files one old time, by which it would not rebuild a changed one.
        shell::run(shell::command("tar", &["-xmzf", &file_name]).current_dir(&unpacked))?;
        let found = inspect::Found::at(&unpacked.join(&name))?;
        println!("{name}: {} files, {} KiB packed", found.files.len(), std::fs::metadata(&file)?.len() >> 10);
        problems.extend(found.problems(shell::root())?.into_iter().map(|problem| format!("{name}: {problem}")));
    }
    problems.extend(package_metadata(&packages));
    problems.extend(said(&std::fs::read_to_string(shell::root().join("README.md"))?));
    problems.iter().for_each(|problem| println!("    {problem}"));
    ensure!(problems.is_empty(), "{} faults in what would be published", problems.len());

    let toolchain = Toolchain::find(OLDEST, &[], args.install);
    let mut cargo = match &toolchain {
        Some(toolchain) => toolchain.cargo(&["run"]),
        None => shell::command("cargo", &["run"]),
    };
    workspace(&unpacked, &packages)?;
    println!("{}", toolchain.as_ref().and_then(Toolchain::version).unwrap_or("the current compiler".to_owned()));
    cargo.args(["--quiet", "--package", "program"]).current_dir(&unpacked).env("CARGO_TARGET_DIR", &place);
    // Older compilers' warnings are irrelevant, as for anything from a registry.
    shell::run(cargo.env("RUSTFLAGS", "--cap-lints allow"))?;
    if toolchain.is_some() {
        return Ok(ExitCode::SUCCESS);
    }
    let why = format!(
        "Rust {OLDEST}, which the manifests declare, is not here; get it with\n  cargo xtask package --install"
    );
    if shell::is_strict() {
        bail!("{why}");
    }
    println!("SKIPPED: the packages were built with the current compiler alone: {why}");
    Ok(ExitCode::from(3))
}

/// Returns the faults in manifests: fields for a registry and for docs.rs.
fn package_metadata(packages: &[metadata::Package]) -> Vec<String> {
    let mut problems = Vec::new();
    for package in packages {
        let fields = ["description", "readme", "license", "repository", "homepage", "documentation", "rust_version"];
        let mut miss = |what: &str| problems.push(format!("{}: the manifest has no {what}", package.name));
        fields.iter().filter(|field| !package.manifest[**field].is_string()).for_each(|field| miss(field));
        let docs = &package.manifest["metadata"]["docs"]["rs"];
        if docs["all-features"] != true || docs["targets"].as_array().is_none_or(Vec::is_empty) {
            miss("`all-features` and `targets` in [package.metadata.docs.rs]");
        }
        // Parts under another licence would need a field of their own, and are left out of the
        // packages.
        if package.manifest["license"] != "MIT OR Apache-2.0" {
            miss("license = \"MIT OR Apache-2.0\"");
        }
    }
    problems
}

/// Checks that the README names the tested compiler.
fn said(readme: &str) -> Option<String> {
    let sentence = concat!("Rust ", env!("CARGO_PKG_RUST_VERSION"), " is the oldest that builds it");
    (!readme.contains(sentence)).then(|| format!("README.md does not say `{sentence}`"))
}

/// Writes a user's workspace around the unpacked packages, with the versions of our lock.
fn workspace(unpacked: &Path, packages: &[metadata::Package]) -> Result<()> {
    let directory = |p: &metadata::Package| format!("{}-{}", p.name, p.version);
    let patches: String = packages.iter().map(|p| format!("{} = {{ path = {:?} }}\n", p.name, directory(p))).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [\"program\"]\n\n[patch.crates-io]\n{patches}");
    std::fs::write(unpacked.join("Cargo.toml"), manifest)?;
    std::fs::copy(shell::root().join("Cargo.lock"), unpacked.join("Cargo.lock"))?;
    let features = metadata::features("ptxf")?;
    let version = &packages.iter().find(|p| p.name == "ptxf").context("ptxf is not published")?.version;
    let dependencies = format!(
        "ptxf = {{ version = {version:?}, features = {features:?} }}\nptxf-vm = {version:?}\n\n\
         [build-dependencies]\nptxf-build = {version:?}\nptxf-cli = {version:?}\nptxf-cuda = {version:?}\n"
    );
    let source = unpacked.join("program/src");
    std::fs::create_dir_all(&source)?;
    let package = "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    std::fs::write(unpacked.join("program/Cargo.toml"), format!("{package}\n[dependencies]\n{dependencies}"))?;
    std::fs::write(unpacked.join("program/build.rs"), "fn main() {\n    println!(\"{}\", ptxf_build::TARGET);\n}\n")?;
    Ok(std::fs::write(source.join("main.rs"), PROGRAM)?)
}

fn remove(directory: &PathBuf) -> Result<()> {
    match std::fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_says_so_to_a_registry() {
        let packages = metadata::published().unwrap();
        let names: Vec<_> = packages.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "ptxf",
                "ptxf-build",
                "ptxf-cli",
                "ptxf-core",
                "ptxf-cuda",
                "ptxf-cudarc",
                "ptxf-macros",
                "ptxf-spec",
                "ptxf-tables",
                "ptxf-text",
                "ptxf-vm"
            ]
        );
        assert_eq!(package_metadata(&packages), [""; 0]);
    }

    #[test]
    fn a_field_that_is_missing_is_missed() {
        let package = |manifest: &str| metadata::Package {
            name: "p".to_owned(),
            version: "1.0.0".to_owned(),
            manifest: serde_json::from_str(manifest).unwrap(),
        };
        let problems = package_metadata(&[package(r#"{"description": "d", "license": "MIT"}"#)]);
        for part in ["readme", "repository", "homepage", "rust_version", "docs.rs", "MIT OR Apache-2.0"] {
            assert!(problems.iter().any(|p| p.contains(part)), "{part}: {problems:?}");
        }
    }
}
