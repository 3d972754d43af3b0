//! `cargo xtask licences`: licences and sources of all dependencies. `cargo xtask advisories`:
//! known vulnerabilities.
//!
//! Licences and sources are in Cargo's own description of the dependencies, so they need no other
//! program and no network. `cargo deny` fetches advisories.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use crate::shell;

/// Compare the licences and sources of all dependencies with deny.toml.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Run `cargo deny check`, which compares all dependencies with the advisory database.
///
/// Exits with status 3 without `cargo-deny`, or if the database cannot be fetched; with
/// PTXF_STRICT=1 with status 1.
#[derive(clap::Args)]
pub(crate) struct AdvisoriesArgs {}

/// The registry of every dependency.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Runs `cargo xtask licences`.
pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    let allowed = allowed(&std::fs::read_to_string(shell::root().join("deny.toml"))?)?;
    let mut metadata =
        shell::command("cargo", &["metadata", "--format-version", "1", "--all-features", "--locked", "--quiet"]);
    let text = shell::output(&mut metadata).context("cargo metadata failed: is Cargo.lock up to date?")?;
    let description: serde_json::Value = serde_json::from_str(&text)?;
    let packages = description["packages"].as_array().context("cargo metadata lists no packages")?;
    let (mut by_licence, mut problems) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for package in packages {
        let name =
            format!("{} {}", package["name"].as_str().unwrap_or("?"), package["version"].as_str().unwrap_or("?"));
        let Some(licence) = package["license"].as_str() else {
            problems.push(format!("{name} names no licence"));
            continue;
        };
        *by_licence.entry(licence).or_default() += 1;
        if !is_allowed(licence, &allowed).with_context(|| format!("{name}: {licence}"))? {
            problems.push(format!("{name} is under {licence}, which deny.toml does not allow"));
        }
        if !package["source"].is_null() && package["source"] != REGISTRY {
            problems.push(format!("{name} comes from {}", package["source"]));
        }
    }
    by_licence.iter().for_each(|(licence, count)| println!("{count:>4}  {licence}"));
    problems.iter().for_each(|problem| println!("    {problem}"));
    ensure!(problems.is_empty(), "{} dependencies are not allowed", problems.len());
    Ok(ExitCode::SUCCESS)
}

/// Runs `cargo xtask advisories`.
pub(crate) fn advisories(_: &AdvisoriesArgs) -> Result<ExitCode> {
    let why = if shell::output(&mut shell::command("cargo", &["deny", "--version"])).is_none() {
        "there is no cargo-deny here; get it with\n  cargo install --locked cargo-deny"
    } else if shell::run(&mut shell::command("cargo", &["deny", "fetch", "db"])).is_err() {
        "the advisory database cannot be fetched"
    } else {
        shell::run(&mut shell::command("cargo", &["deny", "check"]))?;
        return Ok(ExitCode::SUCCESS);
    };
    if shell::is_strict() {
        bail!("{why}");
    }
    println!("SKIPPED: nobody asked for advisories about the dependencies: {why}");
    Ok(ExitCode::from(3))
}

/// Returns the licences that `deny.toml` allows.
fn allowed(deny: &str) -> Result<Vec<String>> {
    let deny: toml::Table = deny.parse()?;
    let list = deny.get("licenses").and_then(|l| l.get("allow")).and_then(|a| a.as_array());
    let list = list.context("deny.toml has no list `licenses.allow`")?;
    Ok(list.iter().filter_map(|licence| licence.as_str().map(str::to_owned)).collect())
}

/// Returns `true` if the allowed licences satisfy an SPDX expression. `/` is an old form of `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> Result<bool> {
    let expression = spdx::Expression::parse_mode(expression, spdx::ParseMode::LAX)?;
    Ok(expression.evaluate(|licence| allowed.contains(&licence.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_or_not() {
        let allowed = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        let is = |expression: &str| is_allowed(expression, &allowed).unwrap();
        for met in [
            "MIT",
            "GPL-3.0 OR MIT",
            "Unlicense/MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0 AND ISC OR MIT",
        ] {
            assert!(is(met), "{met}");
        }
        for not in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "Apache-2.0",
            "(MIT OR ISC) AND CC-BY-4.0",
            "MIT WITH Classpath-exception-2.0",
        ] {
            assert!(!is(not), "{not}");
        }
        assert!(is_allowed("MIT OR", &allowed).is_err());
    }

    #[test]
    fn deny_toml_allows_something_but_not_what_binds_users() {
        let allowed = allowed(&std::fs::read_to_string(shell::root().join("deny.toml")).unwrap()).unwrap();
        assert!(allowed.iter().any(|l| l == "MIT") && !allowed.iter().any(|l| l.contains("GPL")), "{allowed:?}");
    }
}
