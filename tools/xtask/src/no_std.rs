//! `cargo xtask no-std`: the library on machines without operating system, allocator or FPU.
//!
//! The proofs:
//!
//! - *no std*: the targets have none, so anything that asks for it does not compile;
//! - *no alloc*: an archive that links `alloc` without providing an allocator does not compile
//!   either;
//! - *no FPU, no soft float, no libm*: on these targets every float operation is a call. The whole
//!   library is linked into one object (fat LTO), so the symbols which that object does not define
//!   are all that the library asks for at run time, and each has to be on a short list of integer
//!   and memory helpers.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::{metadata, shell};

pub(crate) mod archive;
pub(crate) mod toolchain;

use toolchain::{Finder, Way};

/// Cortex-M4F, whose FPU has no f64, and Cortex-M0, which has none.
const TARGETS: [&str; 2] = ["thumbv7em-none-eabihf", "thumbv6m-none-eabi"];

/// Build for machines without anything, and check the symbols that the library needs from them.
///
/// Finds a compiler for bare targets: an installed target, `rustup target add`, a toolchain with
/// the standard library's source, or Debian's packages. Without any it exits with status 3; with
/// PTXF_STRICT=1 with status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install Debian's rustc-web, cargo-web and rust-web-src (APT) if necessary
    #[arg(long)]
    install: bool,
    /// Targets other than the usual two
    #[arg(long, value_name = "TRIPLE", value_delimiter = ',')]
    target: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let targets: Vec<&str> = match &args.target[..] {
        [] => TARGETS.to_vec(),
        targets => targets.iter().map(String::as_str).collect(),
    };
    let (mut finder, mut without) = (Finder::new(args.install), Vec::new());
    for target in targets {
        match finder.find(target) {
            Some(way) => {
                println!("{target}, {way}\n{}", archive::inspect(&way, target)?);
                features(&way, target)?;
            }
            None => without.push(target),
        }
    }
    if without.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let without = without.join(" ");
    let remedy = format!("rustup target add {without}\nor, on Debian\n  cargo xtask no-std --install");
    if shell::is_strict() {
        bail!("no toolchain here compiles for {without}; get one with\n  {remedy}");
    }
    println!("SKIPPED: no toolchain here compiles for {without}; get one with\n  {remedy}");
    Ok(ExitCode::from(3))
}

/// Checks every feature that does without the standard library on a bare target.
fn features(way: &Way, target: &str) -> Result<()> {
    let features = bare_features("ptxf")?.join(",");
    let mut cargo = way.cargo(target, "check");
    cargo.args(["--package", "ptxf", "--no-default-features", "--features", &features]);
    shell::run(archive::profile(&mut cargo))
}

/// Returns the features of a package that do without the standard library, in order: neither they
/// nor the features that they enable, here or in the packages below, are `std`.
fn bare_features(package: &str) -> Result<Vec<String>> {
    let packages = metadata::packages()?;
    let features = metadata::features(package)?.into_iter();
    Ok(features.filter(|f| !enables_std(&packages, package, f)).collect())
}

/// Returns `true` if a feature of a package is or enables `std`.
fn enables_std(packages: &[serde_json::Value], package: &str, feature: &str) -> bool {
    let enabled = packages.iter().find(|p| p["name"] == package).and_then(|p| p["features"][feature].as_array());
    feature == "std"
        || enabled.into_iter().flatten().filter_map(|e| e.as_str()).any(|e| match e.split_once('/') {
            Some((package, feature)) => enables_std(packages, package, feature),
            None => enables_std(packages, package, e),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_features_are_those_without_std() {
        let (all, bare) = (metadata::features("ptxf").unwrap(), bare_features("ptxf").unwrap());
        let hosted: Vec<&String> = all.iter().filter(|f| !bare.contains(f)).collect();
        assert_eq!(hosted, ["arbitrary", "default", "kernel-trace", "rayon", "std"]);
    }
}
