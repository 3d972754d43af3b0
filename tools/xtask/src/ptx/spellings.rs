//! `cargo xtask spellings`: the table against everything that NVIDIA's assembler accepts.
//!
//! 1. [`grammar`] combines instructions, modifiers and types into 2.8 million candidates,
//!    among them words that no assembler knows yet.
//! 2. One assembler run per module of candidates reports the refused lines. The others are asked
//!    again for each target, with the newest PTX version.
//! 3. An accepted spelling is in the table or in [`known`]. Each spelling of the table is accepted.
//! 4. A test of `tests/matrix` asks for each matrix instruction.

mod ask;
mod grammar;
mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};
use ptxf::spec::spellings;

use super::tools::CudaTools;
use super::{Paths, install, missing, output};
use crate::shell;
use ask::{Assembler, Verdict};
use grammar::Candidate;

/// Ask NVIDIA's assembler which spellings of floating-point instructions it accepts, and compare
/// them with the table.
///
/// Exits with status 3 if the assembler is missing; with PTXF_STRICT=1 with status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install NVIDIA's assembler from PyPI if it is missing.
    #[arg(long)]
    install: bool,
    /// Print each accepted spelling outside of the table, and exit.
    #[arg(long)]
    list: bool,
}

/// The targets that know most spellings. A candidate that all of them refuse, and for another
/// reason than the target, is not asked for again.
const WIDEST: [&str; 2] = ["sm_100a", "sm_107a"];

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let paths = Paths::new();
    if args.install && CudaTools::find(&paths.tools)?.is_none() {
        install::cuda(&paths.tools)?;
    }
    let Some(tools) = CudaTools::find(&paths.tools)? else {
        return Ok(missing(
            "ptxas was not found, so no spelling was asked for. This brings it:\n    cargo xtask spellings --install",
        ));
    };
    let assembler = Assembler::new(&tools.ptxas, &paths.target)?;
    let targets = targets(&tools)?;
    ensure!(WIDEST.iter().all(|w| targets.iter().any(|t| t == w)), "ptxas {} is older than 13.5", tools.release);
    println!("assembler ptxas {} with PTX {}", tools.release, assembler.version);
    let mut accepted: BTreeMap<Key, (Candidate, Vec<&str>)> = BTreeMap::new();
    let mut asked = 0;
    for candidates in grammar::all() {
        asked += candidates.len();
        let mut possible = BTreeSet::new();
        for widest in WIDEST {
            let verdicts = assembler.ask(widest, &candidates)?.into_iter().enumerate();
            possible.extend(verdicts.filter(|(_, verdict)| *verdict != Verdict::Refused).map(|(i, _)| i));
        }
        let possible: Vec<_> = possible.into_iter().map(|i| candidates[i].clone()).collect();
        for target in &targets {
            for (candidate, verdict) in possible.iter().zip(assembler.ask(target, &possible)?) {
                if verdict == Verdict::Accepted {
                    accepted.entry(key(candidate)).or_insert_with(|| (candidate.clone(), vec![])).1.push(target);
                }
            }
        }
    }
    println!("{asked} spellings for {} targets, {} of them accepted", targets.len(), accepted.len());
    let table: BTreeSet<Key> = spellings().filter(|s| s.form.until.is_none()).map(|s| of_table(&s)).collect();
    let problems = problems(&accepted, &table, args.list, &assembler);
    for problem in &problems {
        println!("{problem}");
    }
    println!("{} spellings in the table, {} problems", table.len(), problems.len());
    let test = "assembler::the_assembler_accepts_each_form_since_its_version";
    let words = ["test", "--package", "matrix", "--", "--ignored", "--exact", test];
    shell::run(shell::command("cargo", &words).env("PTXF_PTXAS", &tools.ptxas))?;
    Ok(if problems.is_empty() || args.list { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A spelling whose order of modifiers does not matter, and its number of operands.
type Key = (Vec<String>, usize);

fn key(candidate: &Candidate) -> Key {
    key_of(&candidate.spelling, candidate.count)
}

fn of_table(spelling: &ptxf::spec::Spelling) -> Key {
    key_of(&spelling.to_string(), spelling.form.operands.len())
}

/// The order of types matters, and is kept: a stable sort puts the types last, unchanged.
fn key_of(spelling: &str, operands: usize) -> Key {
    let mut words: Vec<String> = spelling.split('.').map(str::to_owned).collect();
    words[1..].sort_by_key(|word| if grammar::is_type(word) { (true, String::new()) } else { (false, word.clone()) });
    (words, operands)
}

/// Returns the differences between what is accepted and what is known.
fn problems(
    accepted: &BTreeMap<Key, (Candidate, Vec<&str>)>,
    table: &BTreeSet<Key>,
    all: bool,
    assembler: &Assembler<'_>,
) -> Vec<String> {
    let known = known::outside();
    let mut unknown: BTreeMap<&[&str], Vec<Candidate>> = BTreeMap::new();
    for (key, (candidate, targets)) in accepted.iter().filter(|(key, _)| !table.contains(*key)) {
        if all || !known.contains(&key.0) {
            unknown.entry(targets).or_default().push(candidate.clone());
        }
    }
    let mut problems = Vec::new();
    for (targets, candidates) in &unknown {
        for (candidate, since) in candidates.iter().zip(assembler.since(targets[0], candidates)) {
            problems.push(format!("{candidate}: accepted since PTX {since} for {}", targets.join(" ")));
        }
    }
    if all {
        return problems;
    }
    let lost = table.iter().filter(|key| !accepted.contains_key(*key));
    problems.extend(lost.map(|(words, _)| format!("{}: in the table, and not accepted", words.join("."))));
    let names: BTreeSet<&Vec<String>> = accepted.keys().map(|(words, _)| words).collect();
    let gone = known.iter().filter(|words| !names.contains(*words) || table.iter().any(|(name, _)| name == *words));
    problems.extend(gone.map(|w| format!("{}: listed in `known`, but in the table or not accepted", w.join("."))));
    problems
}

/// Returns the assembler's targets, each with the suffix that gives it most instructions.
fn targets(tools: &CudaTools) -> Result<Vec<String>> {
    let numbers = output(Command::new(&tools.ptxas).arg("--list-arch"))?;
    let mut numbers: Vec<u32> =
        numbers.lines().filter_map(|line| line.trim().trim_start_matches("sm_").parse().ok()).collect();
    numbers.sort_unstable();
    ensure!(!numbers.is_empty(), "ptxas --list-arch names no target");
    Ok(numbers.iter().map(|sm| format!("sm_{sm}{}", if *sm < 90 { "" } else { "a" })).collect())
}

#[cfg(test)]
mod tests {
    use super::key_of;

    #[test]
    fn the_order_of_modifiers_does_not_matter_and_that_of_types_does() {
        let same = ["cvt.rn.relu.satfinite.f16.f32", "cvt.satfinite.rn.relu.f16.f32"].map(|s| key_of(s, 1));
        assert_eq!(same[0], same[1]);
        assert_ne!(key_of("cvt.f16.f32", 1), key_of("cvt.f32.f16", 1));
        assert_ne!(key_of("min.f32", 2), key_of("min.f32", 3));
    }
}
