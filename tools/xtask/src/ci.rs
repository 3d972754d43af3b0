//! `cargo xtask ci`: everything that has to pass, here or on a server.
//!
//! The steps form two queues, which run at the same time. One is for those that build in `target/debug` and `target/release`, one
//! after another, for Cargo lets nobody else in meanwhile. The other is for those that have directories of their own and keep
//! one core busy for minutes: an interpreter, emulators, an old compiler, fat link-time optimization.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use crate::{apart, metadata, shell};

/// Run everything that has to pass: formatting, lints, licences, the inventory of `unsafe`, documentation, tests, users' crates, features,
/// packages with the oldest compiler, Miri, bare targets, microcontrollers, AArch64, WebAssembly, PTX, the examples.
///
/// Two steps run at a time. Stops at the first failure. A step that this machine cannot run is SKIPPED, and a failure under PTXF_STRICT=1.
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

/// The steps of the second queue.
const BESIDE: [&str; 7] = ["package", "miri", "no-std", "firmware", "aarch64", "wasm", "ptx"];

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
    let (begin, names) = (Instant::now(), steps.iter().map(|s| s.name).collect::<Vec<_>>());
    let (beside, first): (Vec<_>, Vec<_>) = steps.into_iter().partition(|step| BESIDE.contains(&step.name));
    let queues = Queues { strict: shell::is_strict(), keep_going: args.keep_going, failed: AtomicBool::new(false) };
    // Two at a time write to files, of which the second queue's are shown when a step has ended.
    let logged = !first.is_empty();
    let mut results = std::thread::scope(|scope| {
        let beside = scope.spawn(|| queues.run(beside, logged));
        let first = queues.run(first, false)?;
        Ok::<_, anyhow::Error>([first, beside.join().expect("a queue does not panic")?].concat())
    })?;
    results.sort_by_key(|(name, ..)| names.iter().position(|n| n == name));
    summary(&results, begin.elapsed().as_secs_f64());
    let good = results.iter().all(|(_, outcome, _)| matches!(outcome, Outcome::Passed | Outcome::Skipped(_)));
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the queues have in common.
struct Queues {
    strict: bool,
    keep_going: bool,
    /// Whether a step of either has failed.
    failed: AtomicBool,
}

impl Queues {
    /// Runs the steps one after another: their outcomes and seconds.
    fn run(&self, steps: Vec<Step>, logged: bool) -> Result<Vec<(&'static str, Outcome, f64)>> {
        let mut results = Vec::new();
        for mut step in steps {
            let start = Instant::now();
            let outcome = if !self.keep_going && self.failed.load(Ordering::Relaxed) {
                Outcome::NotRun
            } else if logged {
                let path = shell::root().join("target/ci").join(step.name).with_extension("log");
                std::fs::create_dir_all(path.parent().expect("it has a folder"))?;
                println!("\n=== {} begins, and writes to {}", step.name, path.display());
                let outcome = strictly(step.run(Some(&File::create(&path)?))?, self.strict);
                println!("\n=== {}\n{}", step.name, String::from_utf8_lossy(&std::fs::read(&path)?));
                outcome
            } else {
                println!("\n=== {}", step.name);
                strictly(step.run(None)?, self.strict)
            };
            if let Outcome::Failed(why) | Outcome::Skipped(why) = &outcome {
                println!("{}: {why}", step.name);
            }
            self.failed.fetch_or(matches!(outcome, Outcome::Failed(_)), Ordering::Relaxed);
            results.push((step.name, outcome, start.elapsed().as_secs_f64()));
        }
        Ok(results)
    }
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
    // What the fuzz targets are given; the targets need a C++ compiler.
    let mut parsers = cargo("check --manifest-path fuzz/parsers/Cargo.toml --locked");
    parsers.env("RUSTFLAGS", "--cfg fuzzing -D warnings");
    // What a feature of the facade enables is the feature of the same name below it, so that one run looks at both.
    let check = "clippy --package ptxf-core --package ptxf --no-default-features";
    let features = metadata::features("ptxf")?;
    let few = apart::sets(&features).into_iter().map(|set| {
        let set: Vec<String> = set.iter().map(|feature| format!("ptxf/{feature}")).collect();
        cargo(&format!("{check} --features={} -- -D warnings", set.join(",")))
    });
    // Every form is held against an oracle. A build for CPUs that all have vectors computes values in them; the tests do the same for a
    // build without. Cargo passes the flags to the macros as well unless the command names a target, and would build those again.
    let sample = |more: &str| cargo(&format!("run --quiet --release --package exhaust{more} -- --all --sample 4096"));
    let values = if has_v3() {
        let mut values = sample(" --target x86_64-unknown-linux-gnu");
        values.env("RUSTFLAGS", "-C target-cpu=x86-64-v3");
        values
    } else {
        sample("")
    };
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
        step("lints", vec![cargo("clippy --workspace --all-targets --all-features -- -D warnings"), parsers]),
        step("licences", vec![own("licences")?]),
        step("advisories", vec![own("advisories")?]),
        step("unsafe", vec![own("inventory")?]),
        step("docs", vec![docs]),
        step("tests", vec![cargo("test --workspace")]),
        // With the workspace's features, as the tests above, and not those of these packages alone: nothing is compiled again.
        step(
            "crates",
            vec![
                cargo("test --workspace --test compile --test publish --test outside -- --include-ignored"),
                cargo("test --workspace --example suite gpu::tests::compiled -- --include-ignored"),
            ],
        ),
        step("features", few.collect()),
        step("package", vec![own("package --install")?]),
        step("miri", vec![own("miri --install")?]),
        step("no-std", vec![own("no-std --install")?]),
        step("firmware", vec![own("firmware --install")?]),
        step("aarch64", vec![own("aarch64 --install")?]),
        step("wasm", vec![own("wasm --install")?]),
        step("ptx", vec![own("ptx --install --targets sm_75,sm_100")?, own("ptx --generated 6")?]),
        step("values", vec![values]),
        Step {
            name: "example",
            commands: vec![cargo("run --release --example digits")],
            skip: (!digits).then(|| "there is no example `digits`".to_owned()),
        },
    ])
}

/// Whether this CPU runs what is built for x86-64-v3.
fn has_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

impl Step {
    /// Runs its commands, which write to the file if there is one.
    fn run(&mut self, mut log: Option<&File>) -> Result<Outcome> {
        if let Some(why) = &self.skip {
            return Ok(Outcome::Skipped(why.clone()));
        }
        for command in &mut self.commands {
            if let Some(log) = &mut log {
                writeln!(log, "$ {}", shell::shown(command))?;
                command.stdout(log.try_clone()?).stderr(log.try_clone()?);
            } else {
                println!("$ {}", shell::shown(command));
            }
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
        assert_eq!(step("true", &[]).run(None).unwrap(), Outcome::Passed);
        assert!(matches!(step("false", &[]).run(None).unwrap(), Outcome::Failed(_)));
        assert!(matches!(step("sh", &["-c", "exit 3"]).run(None).unwrap(), Outcome::Skipped(_)));
        assert!(step("a-program-that-nobody-has", &[]).run(None).is_err());
    }

    #[test]
    fn a_failure_ends_both_queues_unless_they_keep_going() {
        let queues = |keep_going| Queues { strict: false, keep_going, failed: AtomicBool::new(false) };
        let ends = |queues: &Queues, program| {
            let results = queues.run(vec![step(program, &[])], false).unwrap();
            results.into_iter().map(|(_, outcome, _)| outcome).next().unwrap()
        };
        let stop = queues(false);
        assert!(matches!(ends(&stop, "false"), Outcome::Failed(_)));
        assert_eq!(ends(&stop, "true"), Outcome::NotRun);
        let go = queues(true);
        assert!(matches!(ends(&go, "false"), Outcome::Failed(_)));
        assert_eq!(ends(&go, "true"), Outcome::Passed);
    }

    #[test]
    fn every_step_of_the_second_queue_exists() {
        let names: Vec<_> = steps().unwrap().iter().map(|step| step.name).collect();
        assert!(BESIDE.iter().all(|name| names.contains(name)), "{names:?}");
    }

    #[test]
    fn strictness_turns_a_skip_into_a_failure() {
        let skipped = Outcome::Skipped("no network".to_owned());
        assert_eq!(strictly(skipped.clone(), false), skipped);
        assert!(matches!(strictly(skipped, true), Outcome::Failed(_)));
    }
}
