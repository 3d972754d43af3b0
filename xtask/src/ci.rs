//! `cargo xtask ci`: everything that has to pass, one step after another, here or on a server.

use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use crate::{metadata, shell};

/// Run everything that has to pass: formatting, lints, licences, the inventory of `unsafe`, documentation, tests, features,
/// packages with the oldest compiler, Miri, bare targets, microcontrollers, AArch64, PTX, the examples.
///
/// Stops at the first failure. A step that this machine cannot run is SKIPPED, and a failure under PTXF_STRICT=1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these steps
    steps: Vec<String>,
    /// Run the steps after a failure too
    #[arg(long)]
    keep_going: bool,
    /// Print the steps and their commands, and exit
    #[arg(long)]
    list: bool,
}

/// Commands that belong together.
struct Step {
    name: &'static str,
    commands: Vec<Command>,
    /// Why it cannot run here.
    skip: Option<String>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
    NotRun,
}

/// Exit status of a command that cannot do its work on this machine.
const CANNOT: i32 = 3;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut steps = steps()?;
    for name in &args.steps {
        let names = steps.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
        ensure!(steps.iter().any(|s| s.name == name), "there is no step `{name}`, but {names}");
    }
    steps.retain(|s| args.steps.is_empty() || args.steps.iter().any(|name| name == s.name));
    if args.list {
        for step in &steps {
            println!("{}", step.name);
            step.commands.iter().for_each(|c| println!("  {}", shell::shown(c)));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let begin = Instant::now();
    let (count, mut results) = (steps.len(), Vec::new());
    for (i, step) in steps.iter_mut().enumerate() {
        let stop = !args.keep_going && results.iter().any(|(_, outcome, _)| matches!(outcome, Outcome::Failed(_)));
        let start = Instant::now();
        let outcome = if stop {
            Outcome::NotRun
        } else {
            println!("\n=== {}/{count} {}", i + 1, step.name);
            strictly(step.run()?, shell::is_strict())
        };
        if let Outcome::Failed(why) | Outcome::Skipped(why) = &outcome {
            println!("{why}");
        }
        results.push((step.name, outcome, start.elapsed().as_secs_f64()));
    }
    summary(&results, begin.elapsed().as_secs_f64());
    let good = results.iter().all(|(_, outcome, _)| matches!(outcome, Outcome::Passed | Outcome::Skipped(_)));
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Everything, the quickest to fail first.
fn steps() -> Result<Vec<Step>> {
    let cargo = |line: &str| shell::command("cargo", &line.split(' ').collect::<Vec<_>>());
    let own = |line: &str| -> Result<Command> {
        let program = std::env::current_exe()?;
        Ok(shell::command(&program.to_string_lossy(), &line.split(' ').collect::<Vec<_>>()))
    };
    let mut docs = cargo("doc --workspace --no-deps --all-features");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    let mut single = Vec::new();
    for package in ["ptxf-core", "ptxf"] {
        let check = format!("clippy --package {package} --no-default-features");
        single.push(cargo(&format!("{check} -- -D warnings")));
        for feature in metadata::features(package)? {
            single.push(cargo(&format!("{check} --features {feature} -- -D warnings")));
        }
    }
    let step = |name, commands| Step { name, commands, skip: None };
    let digits = metadata::has_example("digits")?;
    Ok(vec![
        step(
            "format",
            vec![
                cargo("fmt --all --check"),
                cargo("fmt --manifest-path examples/firmware/Cargo.toml --check"),
                cargo("fmt --manifest-path fuzz/Cargo.toml --check"),
            ],
        ),
        step("lints", vec![cargo("clippy --workspace --all-targets --all-features -- -D warnings")]),
        step("licences", vec![own("licences")?]),
        step("advisories", vec![own("advisories")?]),
        step("unsafe", vec![own("inventory")?]),
        step("docs", vec![docs]),
        step("tests", vec![cargo("test --workspace")]),
        step("features", single),
        step("package", vec![own("package --install")?]),
        step("miri", vec![own("miri --install")?]),
        step("no-std", vec![own("no-std --install")?]),
        step("firmware", vec![own("firmware --install")?]),
        step("aarch64", vec![own("aarch64 --install")?]),
        step("ptx", vec![own("ptx --install --targets sm_75,sm_90,sm_100")?]),
        step("sample", vec![cargo("exhaust --all --sample 4096"), cargo("exhaust --level all --sample 16384")]),
        Step {
            name: "example",
            commands: vec![cargo("run --release --example digits")],
            skip: (!digits).then(|| "there is no example `digits`".to_owned()),
        },
        step("suite", vec![cargo("run --release --example suite --features rayon -- --quick")]),
    ])
}

impl Step {
    fn run(&mut self) -> Result<Outcome> {
        if let Some(why) = &self.skip {
            return Ok(Outcome::Skipped(why.clone()));
        }
        for command in &mut self.commands {
            println!("$ {}", shell::shown(command));
            let status = command.status().with_context(|| shell::shown(command))?;
            match status.code() {
                Some(0) => {}
                Some(CANNOT) => return Ok(Outcome::Skipped("this machine cannot run it, see above".to_owned())),
                _ => return Ok(Outcome::Failed(format!("{}: {status}", shell::shown(command)))),
            }
        }
        Ok(Outcome::Passed)
    }
}

/// What a skip is worth.
fn strictly(outcome: Outcome, strict: bool) -> Outcome {
    match outcome {
        Outcome::Skipped(why) if strict => Outcome::Failed(format!("skipped under PTXF_STRICT=1: {why}")),
        other => other,
    }
}

fn summary(results: &[(&str, Outcome, f64)], seconds: f64) {
    println!("\n=== summary");
    for (name, outcome, seconds) in results {
        let word = match outcome {
            Outcome::Passed => "passed",
            Outcome::Skipped(_) => "SKIPPED",
            Outcome::Failed(_) => "FAILED",
            Outcome::NotRun => "not run",
        };
        println!("{name:<10} {word:<8} {seconds:>7.1} s");
    }
    let count = |wanted: fn(&Outcome) -> bool| results.iter().filter(|(_, outcome, _)| wanted(outcome)).count();
    println!(
        "{} steps in {seconds:.0} s: {} passed, {} skipped, {} failed, {} not run",
        results.len(),
        count(|o| *o == Outcome::Passed),
        count(|o| matches!(o, Outcome::Skipped(_))),
        count(|o| matches!(o, Outcome::Failed(_))),
        count(|o| *o == Outcome::NotRun),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(program: &str, arguments: &[&str]) -> Step {
        Step { name: "step", commands: vec![shell::command(program, arguments)], skip: None }
    }

    #[test]
    fn the_status_decides() {
        assert_eq!(step("true", &[]).run().unwrap(), Outcome::Passed);
        assert!(matches!(step("false", &[]).run().unwrap(), Outcome::Failed(_)));
        assert!(matches!(step("sh", &["-c", "exit 3"]).run().unwrap(), Outcome::Skipped(_)));
        assert!(step("a-program-that-nobody-has", &[]).run().is_err());
    }

    #[test]
    fn strictness_turns_a_skip_into_a_failure() {
        let skipped = Outcome::Skipped("no network".to_owned());
        assert_eq!(strictly(skipped.clone(), false), skipped);
        assert!(matches!(strictly(skipped, true), Outcome::Failed(_)));
    }
}
