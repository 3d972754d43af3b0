//! `cargo xtask ci`: everything that has to pass, here or on a server.
//!
//! The steps run in two queues at the same time. Steps of the first build in `target/debug` and
//! `target/release`, which Cargo locks. Steps of the second have target directories of their own
//! and keep one core busy for minutes: an interpreter, emulators, an old compiler, fat link-time
//! optimization.

use std::fs::File;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use crate::{apart, metadata, shell};

/// Run everything that has to pass: first the test command of the README, then all other checks.
///
/// Checks that are exhaustive, emulated or per target run as a sample, and each of the longest
/// steps runs in one commit of three. The commit is the seed of samples, so that consecutive
/// commits cover the whole. Two steps run at a time. The run stops at the first failure. A step
/// that this machine cannot run is SKIPPED; with PTXF_STRICT=1 it fails.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these steps, whether it is their turn or not
    steps: Vec<String>,
    /// Run samples as a whole, which takes hours
    #[arg(long)]
    whole: bool,
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
    /// `true` for a step of the second queue.
    beside: bool,
    /// A step with a turn runs only if it is the commit's.
    turn: Option<u64>,
}

/// Returns the turn of a commit, one of three. The steps of each take about the same time.
fn turn(seed: u64) -> u64 {
    // Steps choose their samples by the lower bits.
    (seed >> 32) % 3
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped,
    Failed(String),
    NotRun,
}

/// Exit status of a command that this machine lacks the tools for.
const CANNOT: i32 = 3;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let seed = seed();
    let steps = steps(args.whole, seed)?;
    for name in &args.steps {
        let names = steps.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
        ensure!(steps.iter().any(|s| s.name == name), "there is no step `{name}`, but {names}");
    }
    let chosen = |step: &Step| match args.steps.is_empty() {
        true => args.whole || step.turn.is_none_or(|t| t == turn(seed)),
        false => args.steps.iter().any(|name| name == step.name),
    };
    if args.list {
        for step in &steps {
            println!("{}{}", step.name, if chosen(step) { "" } else { " (not chosen for this commit)" });
            step.commands.iter().for_each(|c| println!("  {}", shell::shown(c)));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let (steps, others): (Vec<_>, Vec<_>) = steps.into_iter().partition(chosen);
    match args.whole {
        true => println!("no sample: everything runs as a whole"),
        false => println!(
            "samples have the seed {seed:#x}, from the commit; --whole runs all. Each command shows its sample"
        ),
    }
    if args.steps.is_empty() && !others.is_empty() {
        println!("steps of other commits: {}", others.iter().map(|s| s.name).collect::<Vec<_>>().join(", "));
    }
    let begin = Instant::now();
    let names: Vec<_> = steps.iter().map(|step| step.name).collect();
    let (beside, first): (Vec<_>, Vec<_>) = steps.into_iter().partition(|step| step.beside);
    let (failed, keep_going) = (AtomicBool::new(false), args.keep_going);
    // While both queues run, the second writes to files, which are shown when a step has ended.
    let logged = !first.is_empty();
    let mut results = std::thread::scope(|scope| {
        let beside = scope.spawn(|| queue(beside, &failed, keep_going, logged));
        let first = queue(first, &failed, keep_going, false)?;
        Ok::<_, anyhow::Error>([first, beside.join().expect("a queue does not panic")?].concat())
    })?;
    results.sort_by_key(|(name, ..)| names.iter().position(|n| n == name));
    println!("\n=== summary");
    for (name, outcome, seconds) in &results {
        let word = match outcome {
            Outcome::Passed => "passed",
            Outcome::Skipped => "SKIPPED",
            Outcome::Failed(_) => "FAILED",
            Outcome::NotRun => "not run",
        };
        println!("{name:<10} {word:<8} {seconds:>7.1} s");
    }
    println!("{} steps in {:.0} s", results.len(), begin.elapsed().as_secs_f64());
    let good = results.iter().all(|(_, outcome, _)| matches!(outcome, Outcome::Passed | Outcome::Skipped));
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs steps one after another. Returns their outcomes and seconds.
fn queue(
    steps: Vec<Step>,
    failed: &AtomicBool,
    keep_going: bool,
    logged: bool,
) -> Result<Vec<(&'static str, Outcome, f64)>> {
    let mut results = Vec::new();
    for mut step in steps {
        let start = Instant::now();
        let outcome = if !keep_going && failed.load(Ordering::Relaxed) {
            Outcome::NotRun
        } else if logged {
            let path = shell::target().join("ci").join(step.name).with_extension("log");
            std::fs::create_dir_all(path.parent().expect("the log lies in a folder"))?;
            println!("\n=== {} begins, and writes to {}", step.name, path.display());
            let outcome = step.run(Some(&File::create(&path)?), shell::is_strict())?;
            println!("\n=== {}\n{}", step.name, String::from_utf8_lossy(&std::fs::read(&path)?));
            outcome
        } else {
            println!("\n=== {}", step.name);
            step.run(None, shell::is_strict())?
        };
        if let Outcome::Failed(why) = &outcome {
            println!("{}: {why}", step.name);
            failed.store(true, Ordering::Relaxed);
        }
        results.push((step.name, outcome, start.elapsed().as_secs_f64()));
    }
    Ok(results)
}

/// Returns the seed of samples: the first 60 bits of the commit, or 1 outside of a checkout.
fn seed() -> u64 {
    let commit = shell::output(&mut shell::command("git", &["rev-parse", "HEAD"]));
    commit.and_then(|commit| u64::from_str_radix(commit.get(..15)?, 16).ok()).unwrap_or(1)
}

/// Returns all steps: the README's test command, then those that fail soonest.
fn steps(whole: bool, seed: u64) -> Result<Vec<Step>> {
    let cargo = |line: &str| shell::command("cargo", &line.split(' ').collect::<Vec<_>>());
    let program = std::env::current_exe()?;
    let own = |line: &str| shell::command(&program.to_string_lossy(), &line.split(' ').collect::<Vec<_>>());
    // A command's arguments for a sample, or for the whole.
    let sampled = |sample: String, all: &'static str| if whole { all.to_owned() } else { sample };
    let mut docs = cargo("doc --workspace --no-deps --all-features");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    // The fuzz targets' parsers; the targets themselves need a C++ compiler.
    let mut parsers = cargo("check --manifest-path fuzz/parsers/Cargo.toml --locked");
    parsers.env("RUSTFLAGS", "--cfg fuzzing -D warnings");
    // Longer runs of the tests above, and the tests of tools and examples. Benches would enable
    // other features of the library. The command warns of variables that it does not know, which
    // its tests see.
    let mut long = cargo("test --workspace --exclude benches --exclude ptxf-cli");
    long.env("PTXF_TESTS", "long").env("PTXF_SEED", format!("{seed:#x}"));
    if whole {
        long.env("PTXF_EXHAUSTIVE", "tables");
    }
    let step = |name, commands| Step { name, commands, beside: false, turn: None };
    let beside = |name, commands| Step { beside: true, ..step(name, commands) };
    Ok(vec![
        // The test command of the README.
        step("tests", vec![cargo("test")]),
        step(
            "format",
            vec![
                cargo("fmt --all --check"),
                cargo("fmt --manifest-path examples/firmware/Cargo.toml --check"),
                cargo("fmt --manifest-path fuzz/Cargo.toml --check"),
            ],
        ),
        step("prose", vec![own("prose")]),
        step("licences", vec![own("licences")]),
        step("advisories", vec![own("advisories")]),
        step("unsafe", vec![own("inventory")]),
        step("long", vec![long]),
        step("lints", vec![cargo("clippy --workspace --all-targets --all-features -- -D warnings"), parsers]),
        step(
            "docs",
            vec![
                docs,
                own("links ptxf ptxf_core ptxf_tables ptxf_spec ptxf_text ptxf_build ptxf_vm ptxf_cuda ptxf_cudarc"),
            ],
        ),
        step(
            "crates",
            vec![cargo(
                "test --workspace --exclude benches --test compile --test publish --test user_builds -- --include-ignored",
            )],
        ),
        // The suite's kernels, compiled for devices and executed by the machine.
        step(
            "suite",
            vec![cargo("test --workspace --exclude benches --bin suite gpu::tests::compiled -- --include-ignored")],
        )
        .turn(0),
        step("features", features(whole, seed)?).turn(2),
        step("ir", vec![own("ir")]).turn(2),
        step("kernels", vec![own(&format!("kernels --seed {seed} --count {}", if whole { 400 } else { 20 }))]).turn(1),
        step("values", vec![values(&sampled(format!("--sample 4096 --seed {seed}"), "--sample 64"))]).turn(1),
        // A sample uses the models if they are here: to install them takes 5 GiB.
        step("models", vec![own(&sampled(format!("models --seed {seed}"), "models --install --whole"))]),
        step("programs", vec![own(&sampled(format!("programs --install --seed {seed}"), "programs --install"))]),
        // By its package, since the tests' default packages enable other features.
        step("example", vec![cargo("run --release --package ptxf --example digits")]),
        beside("package", vec![own("package --install")]),
        beside("miri", vec![own(&sampled(format!("miri --install --part {}/3", seed % 3), "miri --install"))]).turn(1),
        beside("no-std", vec![own("no-std --install")]).turn(0),
        beside(
            "firmware",
            vec![own(&sampled(format!("firmware --install --seed {seed}"), "firmware --install --whole"))],
        )
        .turn(0),
        beside("aarch64", vec![own(&sampled(format!("aarch64 --install --seed {seed}"), "aarch64 --install --whole"))])
            .turn(1),
        beside("wasm", vec![own("wasm --install")]).turn(2),
        beside(
            "ptx",
            vec![
                own("spellings --install"),
                own(&sampled(format!("ptx --install --sample {seed}"), "ptx --install")),
                own(&format!("ptx --generated {} --seed {seed}", if whole { 60 } else { 6 })),
            ],
        )
        .turn(2),
    ])
}

/// Returns Clippy's runs with some features on and others off, and the tests of features.
fn features(whole: bool, seed: u64) -> Result<Vec<Command>> {
    // A feature of the facade enables the feature of the same name in the core, so one run covers
    // both.
    let features = metadata::features("ptxf")?;
    let mut sets = apart::sets(&features);
    if !whole {
        // The empty set and two others.
        let others = sets.len() as u64 - 1;
        let chosen = [0, 1 + seed % others, 1 + (seed + others / 2) % others].map(|i| i as usize);
        sets = chosen.into_iter().map(|i| sets[i].clone()).collect();
    }
    let clippy = sets.iter().map(|set| {
        let set: Vec<String> = set.iter().map(|feature| format!("ptxf/{feature}")).collect();
        let set = format!("--features={}", set.join(","));
        let packages = ["clippy", "--package", "ptxf-core", "--package", "ptxf", "--no-default-features", &set];
        shell::command("cargo", &[&packages[..], &["--", "-D", "warnings"]].concat())
    });
    // `defmt` needs a linker script.
    let all: Vec<_> = metadata::features("ptxf-core")?.into_iter().filter(|feature| feature != "defmt").collect();
    let test = ["test", "--package", "ptxf-core", "--test", "types", "--features", &all.join(","), "features"];
    Ok(clippy.chain([shell::command("cargo", &test)]).collect())
}

/// Returns the comparison of every form with an oracle, in a build for CPUs that all have vectors,
/// where values are computed in vectors. The tests do the same without.
fn values(sample: &str) -> Command {
    #[cfg(target_arch = "x86_64")]
    let has_v3 =
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
    #[cfg(not(target_arch = "x86_64"))]
    let has_v3 = false;
    let mut words = vec!["run", "--quiet", "--release", "--package", "exhaust"];
    // Without a named target Cargo passes the flags to the macros as well, and would build those
    // again.
    words.extend(has_v3.then_some(["--target", "x86_64-unknown-linux-gnu"]).into_iter().flatten());
    words.extend(["--", "--all"]);
    words.extend(sample.split(' '));
    let mut command = shell::command("cargo", &words);
    if has_v3 {
        command.env("RUSTFLAGS", "-C target-cpu=x86-64-v3");
    }
    command
}

impl Step {
    fn turn(self, turn: u64) -> Self {
        Self { turn: Some(turn), ..self }
    }
    /// Runs the step's commands, which write to the log if there is one. With `strict` a skip is a
    /// failure.
    fn run(&mut self, log: Option<&File>, strict: bool) -> Result<Outcome> {
        for command in &mut self.commands {
            let shown = shell::shown(command);
            if let Some(mut log) = log {
                std::io::Write::write_all(&mut log, format!("$ {shown}\n").as_bytes())?;
                command.stdout(log.try_clone()?).stderr(log.try_clone()?);
            } else {
                println!("$ {shown}");
            }
            let status = command.status().with_context(|| shown.clone())?;
            match status.code() {
                Some(0) => {}
                Some(CANNOT) if !strict => return Ok(Outcome::Skipped),
                _ => return Ok(Outcome::Failed(format!("{shown}: {status}"))),
            }
        }
        Ok(Outcome::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(program: &str, arguments: &[&str]) -> Step {
        Step { name: "step", commands: vec![shell::command(program, arguments)], beside: false, turn: None }
    }

    #[test]
    fn the_status_decides() {
        assert_eq!(step("true", &[]).run(None, true).unwrap(), Outcome::Passed);
        assert!(matches!(step("false", &[]).run(None, false).unwrap(), Outcome::Failed(_)));
        assert_eq!(step("sh", &["-c", "exit 3"]).run(None, false).unwrap(), Outcome::Skipped);
        assert!(matches!(step("sh", &["-c", "exit 3"]).run(None, true).unwrap(), Outcome::Failed(_)));
        assert!(step("a-program-that-nobody-has", &[]).run(None, false).is_err());
    }

    #[test]
    fn a_failure_ends_both_queues_unless_they_keep_going() {
        let ends = |failed: &AtomicBool, keep_going, program| {
            let results = queue(vec![step(program, &[])], failed, keep_going, false).unwrap();
            results.into_iter().map(|(_, outcome, _)| outcome).next().unwrap()
        };
        for (keep_going, next) in [(false, Outcome::NotRun), (true, Outcome::Passed)] {
            let failed = AtomicBool::new(false);
            assert!(matches!(ends(&failed, keep_going, "false"), Outcome::Failed(_)));
            assert_eq!(ends(&failed, keep_going, "true"), next);
        }
    }

    #[test]
    fn a_sample_has_fewer_features_and_the_whole_has_no_seed() {
        let shown = |whole, seed: u64| {
            let steps = steps(whole, seed).unwrap();
            steps.iter().flat_map(|s| &s.commands).map(shell::shown).collect::<Vec<_>>().join("\n")
        };
        assert!(shown(false, 8).matches("clippy").count() < shown(true, 8).matches("clippy").count());
        assert!(shown(false, 5).contains("--part 2/3") && !shown(true, 5).contains("--part"));
        (0..20).for_each(|seed| assert_eq!(features(false, seed).unwrap().len(), 4));
    }

    #[test]
    fn every_step_has_its_turn() {
        let turns: Vec<_> = [0, 1 << 32, 2 << 32].map(turn).into();
        assert_eq!(turns, [0, 1, 2]);
        let steps = steps(false, 0).unwrap();
        assert!(steps.iter().all(|step| step.turn.is_none_or(|turn| turns.contains(&turn))));
    }
}
