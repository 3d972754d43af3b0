//! The record of what was assembled, which the table's macros read: no evidence is ever set by hand.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use super::TARGETS;
use super::check::{Kind, Probe, canonical};
use super::report::Report;

const HEAD: &str = "# Written by `cargo xtask ptx --bless`, never by hand.\n# function\ttargets\tassembler\tdate\n";

/// A line of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    targets: Vec<String>,
    assembler: String,
    date: String,
}

/// Rewrites the record, or compares it with what was found for the targets of this run.
pub(crate) fn settle(root: &Path, release: &str, targets: &[String], bless: bool, report: &mut Report) -> Result<()> {
    let path = root.join("ptxf-spec/evidence/assembled.tsv");
    let recorded = read(&std::fs::read_to_string(&path)?)?;
    let found = found(report);
    if bless {
        if report.problems.is_empty() {
            let found = with_others(found, &recorded, targets);
            std::fs::write(&path, text(&found, &recorded, &format!("ptxas {release}"), &today()?))?;
        }
        return Ok(());
    }
    // The record is about the targets of a full run.
    let targets: Vec<_> = targets.iter().filter(|t| TARGETS.contains(&t.as_str())).collect();
    for function in functions() {
        let recorded = recorded.get(function).map_or(&[][..], |l| &l.targets);
        let recorded: Vec<_> = targets.iter().filter(|t| recorded.contains(*t)).collect();
        let found: Vec<_> = targets.iter().filter(|t| found.get(function).is_some_and(|f| f.contains(*t))).collect();
        if recorded != found {
            let what = format!("{function}: assembled for {found:?}, recorded {recorded:?}: --bless");
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

/// For which targets every spelling of a function was assembled as its own instruction.
fn found(report: &Report) -> BTreeMap<&'static str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for run in &report.runs {
        let Some(assembled) = &run.assembled else { continue };
        let native = |probe: &Probe| {
            let name = probe.identifier.as_str();
            run.kinds.get(name) == Some(&Kind::Native) && assembled.contains_key(name)
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

/// What was found, and what is recorded for other targets than those of this run.
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
        let mut next = || columns.next().with_context(|| format!("evidence/assembled.tsv: `{l}`"));
        let function = next()?;
        let targets = next()?.split(' ').map(str::to_owned).collect();
        Ok((function, Line { targets, assembler: next()?, date: next()? }))
    };
    text.lines().filter(|l| !l.starts_with('#')).map(line).collect()
}

/// A line that says what it said before keeps its date.
fn text(
    found: &BTreeMap<&'static str, Vec<String>>,
    recorded: &BTreeMap<String, Line>,
    assembler: &str,
    today: &str,
) -> String {
    let mut text = HEAD.to_owned();
    for function in functions() {
        let Some(targets) = found.get(function) else { continue };
        let before = recorded.get(function).filter(|l| l.targets == *targets && l.assembler == assembler);
        let date = before.map_or(today, |l| &l.date);
        let _ = writeln!(text, "{function}\t{}\t{assembler}\t{date}", targets.join(" "));
    }
    text
}

/// `2026-11-20`, in UTC.
fn today() -> Result<String> {
    let days = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86400;
    Ok(date(days))
}

/// The civil date of a day since 1970-01-01: years begin in March, so that the leap day is a year's last.
fn date(days: u64) -> String {
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_777), "2026-11-20");
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
        let text = text(&found, &recorded.unwrap(), "ptxas 13.5", "2026-11-20");
        assert!(text.contains("add_rn_f16\tsm_75 sm_90\tptxas 13.5\t2020-01-01\n"));
        assert!(text.contains("sub_rn_f16\tsm_75 sm_90\tptxas 13.5\t2026-11-20\n"));
        assert_eq!(read(&text).unwrap().len(), 2);
    }
}
