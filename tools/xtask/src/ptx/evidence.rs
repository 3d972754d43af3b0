//! The records of assembled and executed forms, which the table's macros read. Evidence is never
//! set by hand.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::TARGETS;
use super::check::{Kind, Probe, canonical};
use super::report::{Report, Run};
use crate::shell;

/// A line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    targets: Vec<String>,
    by: String,
    date: String,
}

/// A record of functions, with the targets for which every spelling's own instruction passed a
/// check.
pub(crate) struct Record {
    file: &'static str,
    /// The column of the checking program.
    judge: &'static str,
    /// Returns `true` if the probe of this name passed.
    passed: fn(&Run, &str) -> bool,
}

/// Forms that NVIDIA's assembler takes.
pub(crate) const ASSEMBLED: Record = Record {
    file: "assembled.tsv",
    judge: "assembler",
    passed: |run, probe| run.assembled.as_ref().is_some_and(|kernels| kernels.contains_key(probe)),
};

/// Forms that have the right bits in the machine.
pub(crate) const EXECUTED: Record =
    Record { file: "executed.tsv", judge: "machine", passed: |run, probe| run.executed.contains(probe) };

/// Rewrites a record, or compares it with this run's targets. `by` is the checking program with its
/// version.
pub(crate) fn settle(
    record: &Record,
    root: &Path,
    by: &str,
    targets: &[String],
    bless: bool,
    report: &mut Report,
) -> Result<()> {
    let path = root.join("ptxf-spec/evidence").join(record.file);
    let recorded = read(&std::fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
    let found = found(record, &report.runs);
    if bless {
        if report.problems.is_empty() {
            let found = with_others(found, &recorded, targets);
            std::fs::write(&path, text(record, &found, &recorded, by, &today()?))?;
        }
        return Ok(());
    }
    // The record has the targets of a full run.
    let targets: Vec<_> = targets.iter().filter(|t| TARGETS.contains(&t.as_str())).collect();
    for function in functions() {
        let recorded = recorded.get(function).map_or(&[][..], |l| &l.targets);
        let recorded: Vec<_> = targets.iter().filter(|t| recorded.contains(*t)).collect();
        let found: Vec<_> = targets.iter().filter(|t| found.get(function).is_some_and(|f| f.contains(*t))).collect();
        if recorded != found {
            let what = format!("{function}: found for {found:?}, in {} for {recorded:?}: --bless", record.file);
            println!("    {what}");
            report.problems.push(what);
        }
    }
    Ok(())
}

/// The functions, in the order of the table.
fn functions() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    canonical()
        .map(|probe| probe.info.function)
        .filter(move |function| std::mem::replace(&mut last, function) != *function)
}

/// Returns the targets for which every spelling of a function passed as its own instruction.
fn found(record: &Record, runs: &[Run]) -> BTreeMap<&'static str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for run in runs {
        let native = |probe: &Probe| {
            let name = probe.identifier.as_str();
            run.kinds.get(name) == Some(&Kind::Native) && (record.passed)(run, name)
        };
        let mut all: BTreeMap<&str, bool> = BTreeMap::new();
        for probe in canonical() {
            *all.entry(probe.info.function).or_insert(true) &= native(probe);
        }
        for (function, _) in all.into_iter().filter(|(_, native)| *native) {
            let targets = found.entry(function).or_default();
            if !targets.contains(&run.target) {
                targets.push(run.target.clone());
            }
        }
    }
    found
}

/// Merges the results with the recorded ones of other targets.
fn with_others(
    mut found: BTreeMap<&'static str, Vec<String>>,
    recorded: &BTreeMap<String, Line>,
    targets: &[String],
) -> BTreeMap<&'static str, Vec<String>> {
    for function in functions() {
        let others = recorded.get(function).map_or(&[][..], |line| &line.targets);
        let others: Vec<_> = others.iter().filter(|t| !targets.contains(t) && TARGETS.contains(&t.as_str())).collect();
        if !others.is_empty() {
            let all = found.entry(function).or_default();
            all.extend(others.into_iter().cloned());
            all.sort_by_key(|t| TARGETS.iter().position(|of_all| of_all == t));
        }
    }
    found
}

fn read(text: &str) -> Result<BTreeMap<String, Line>> {
    let line = |l: &str| {
        let mut columns = l.split('\t').map(str::to_owned);
        let mut next = || columns.next().with_context(|| format!("a line of four columns, not `{l}`"));
        let function = next()?;
        let targets = next()?.split(' ').map(str::to_owned).collect();
        Ok((function, Line { targets, by: next()?, date: next()? }))
    };
    text.lines().filter(|l| !l.starts_with('#')).map(line).collect()
}

/// Formats the record. An unchanged line keeps its date.
fn text(
    record: &Record,
    found: &BTreeMap<&'static str, Vec<String>>,
    recorded: &BTreeMap<String, Line>,
    by: &str,
    today: &str,
) -> String {
    let mut text = "# Written by `cargo xtask ptx --bless`, never by hand.\n".to_owned();
    let _ = writeln!(text, "# function\ttargets\t{}\tdate", record.judge);
    for function in functions() {
        let Some(targets) = found.get(function) else { continue };
        let before = recorded.get(function).filter(|l| l.targets == *targets && l.by == by);
        let date = before.map_or(today, |l| &l.date);
        let _ = writeln!(text, "{function}\t{}\t{by}\t{date}", targets.join(" "));
    }
    text
}

/// Returns today's date in UTC, such as `2026-11-20`.
fn today() -> Result<String> {
    shell::output(&mut shell::command("date", &["-u", "+%F"])).context("`date` failed")
}

#[cfg(test)]
mod tests {
    use ptxf_build::Target;

    use super::super::text::Module;
    use super::*;

    #[test]
    fn a_record_that_says_more_or_less_than_a_run_is_a_problem() {
        let root = std::env::temp_dir().join(format!("ptxf-evidence-{}", std::process::id()));
        let folder = root.join("ptxf-spec/evidence");
        std::fs::create_dir_all(&folder).unwrap();
        let (target, targets) = (Target::new("sm_90"), ["sm_90".to_owned()]);
        let mut run = Run::new(&target, &Module::parse(".version 7.8\n.target sm_90\n.address_size 64\n").unwrap());
        run.kinds.insert("abs_f16", Kind::Native);
        // A fallback may run too, but is not the form's instruction.
        run.kinds.insert("neg_f16", Kind::Fallback);
        run.executed.extend(["abs_f16", "neg_f16"].map(str::to_owned));
        let mut report = Report { runs: vec![run], ..Report::default() };
        let mut settled = |recorded: &str, bless| {
            std::fs::write(folder.join("executed.tsv"), recorded).unwrap();
            settle(&EXECUTED, &root, "ptxf-vm 1", &targets, bless, &mut report).unwrap();
            std::mem::take(&mut report.problems)
        };
        assert_eq!(settled("", true), [""; 0]);
        let blessed = std::fs::read_to_string(folder.join("executed.tsv")).unwrap();
        let line = blessed.lines().last().unwrap();
        assert!(line.starts_with("abs_f16\tsm_90\tptxf-vm 1\t") && blessed.lines().count() == 3, "{blessed}");
        assert_eq!(settled(line, false), [""; 0]);
        let without = settled("", false);
        assert!(without.len() == 1 && without[0].starts_with("abs_f16: found for"), "{without:?}");
        let with = settled(&format!("{line}\n{}", line.replace("abs", "neg")), false);
        assert!(with.len() == 1 && with[0].starts_with("neg_f16: found for []"), "{with:?}");
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn targets_that_were_not_tried_stay() {
        let recorded = read("add_rn_f16\tsm_75 sm_90 sm_100\tptxas 13.5\t2020-01-01\n").unwrap();
        let targets = ["sm_90", "sm_100"].map(str::to_owned);
        let found = BTreeMap::from([("add_rn_f16", vec!["sm_90".to_owned()])]);
        assert_eq!(with_others(found, &recorded, &targets)["add_rn_f16"], ["sm_75", "sm_90"]);
    }

    #[test]
    fn a_line_that_did_not_change_keeps_its_date() {
        let recorded = read(
            "# head\nadd_rn_f16\tsm_75 sm_90\tptxas 13.5\t2020-01-01\nsub_rn_f16\tsm_75\tptxas 13.5\t2020-01-01\n",
        );
        let found = BTreeMap::from([
            ("add_rn_f16", vec!["sm_75".to_owned(), "sm_90".to_owned()]),
            ("sub_rn_f16", vec!["sm_75".to_owned(), "sm_90".to_owned()]),
        ]);
        let text = text(&ASSEMBLED, &found, &recorded.unwrap(), "ptxas 13.5", "2026-11-20");
        assert!(text.contains("add_rn_f16\tsm_75 sm_90\tptxas 13.5\t2020-01-01\n"));
        assert!(text.contains("sub_rn_f16\tsm_75 sm_90\tptxas 13.5\t2026-11-20\n"));
        assert_eq!(read(&text).unwrap().len(), 2);
    }
}
