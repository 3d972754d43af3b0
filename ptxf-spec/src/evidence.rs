//! What stands behind a form's result, as the records of runs say it; no level of evidence is ever set by hand.
//!
//! `evidence/assembled.tsv` is the record of a blessed run of `cargo xtask ptx` over all targets, and `evidence/measured.tsv` that of
//! comparisons on devices. The macros read them. There is no other way to a level of evidence above `reference`, and a run that finds
//! something else than the record fails.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::Table;

/// A record that a run has written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Its name below the crate's folder.
    pub name: &'static str,
    pub text: &'static str,
    /// The command that writes it.
    pub command: &'static str,
}

/// NVIDIA's assembler accepts what a form becomes: function, targets, assembler, date.
pub(crate) const ASSEMBLED: Record = Record {
    name: "evidence/assembled.tsv",
    text: include_str!("../evidence/assembled.tsv"),
    command: "cargo xtask ptx --bless",
};

/// A device returns what the CPU does: function, target, device, driver, date.
pub(crate) const MEASURED: Record = Record {
    name: "evidence/measured.tsv",
    text: include_str!("../evidence/measured.tsv"),
    command: "cargo gpu adopt",
};

/// The evidence of a form beyond the tests against oracles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// `ptxas 13.5, sm_75 sm_90`
    pub assembled: Option<String>,
    /// Per target `sm_90`, `Some GPU, driver 1.2`.
    pub measured: BTreeMap<String, String>,
}

/// Gives every form the evidence of its function: a spelling without rounding has that of the one with.
pub(crate) fn attach(table: &mut Table, assembled: Record, measured: Record) -> Result<(), String> {
    let functions: BTreeSet<String> = table.forms.iter().map(|f| f.function()).collect();
    let mut all: BTreeMap<&str, Evidence> = BTreeMap::new();
    for (function, [targets, assembler, _date]) in lines(assembled, &functions)? {
        let entry = &mut all.entry(function).or_default().assembled;
        if entry.replace(format!("{assembler}, {targets}")).is_some() {
            return Err(format!("{}: `{function}` stands twice; {}", assembled.name, again(assembled)));
        }
    }
    for (function, [target, device, driver, _date]) in lines(measured, &functions)? {
        let entry = &mut all.entry(function).or_default().measured;
        if entry.insert(target.to_owned(), format!("{device}, driver {driver}")).is_some() {
            return Err(format!("{}: `{function}` stands twice for {target}; {}", measured.name, again(measured)));
        }
    }
    for form in &mut table.forms {
        form.evidence = all.get(form.function().as_str()).cloned().unwrap_or_default();
    }
    Ok(())
}

/// The function and the other columns of every line that is no comment.
fn lines<const N: usize>(
    record: Record,
    functions: &BTreeSet<String>,
) -> Result<Vec<(&'static str, [&'static str; N])>, String> {
    let mut all = Vec::new();
    for (i, line) in record.text.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
        let at = format!("{}:{}", record.name, i + 1);
        let mut columns = line.split('\t');
        let function = columns.next().unwrap_or_default();
        if !functions.contains(function) {
            return Err(format!("{at}: no function is called `{function}`; {}", again(record)));
        }
        let columns: Vec<_> = columns.collect();
        let Ok(columns) = columns.try_into() else {
            return Err(format!("{at}: a line has {} columns; {}", N + 1, again(record)));
        };
        all.push((function, columns));
    }
    Ok(all)
}

fn again(record: Record) -> String {
    format!("`{}` rewrites the record", record.command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FILES, load};

    const NONE: &str = "# comment\n";

    fn attached(assembled: &'static str, measured: &'static str) -> Result<Table, String> {
        let mut table = load(FILES).unwrap();
        let (a, m) = (Record { text: assembled, ..ASSEMBLED }, Record { text: measured, ..MEASURED });
        attach(&mut table, a, m).map(|()| table)
    }

    fn of(table: &Table, name: &str) -> Evidence {
        table.forms.iter().find(|f| f.spelling() == name).unwrap().evidence.clone()
    }

    #[test]
    fn a_spelling_without_rounding_has_the_evidence_of_the_one_with() {
        let table = attached("# comment\nadd_rn_f16\tsm_75 sm_90\tptxas 13.5\t2026-11-20\n", NONE).unwrap();
        let expected = Evidence { assembled: Some("ptxas 13.5, sm_75 sm_90".into()), measured: BTreeMap::new() };
        assert_eq!(of(&table, "add.rn.f16"), expected);
        assert_eq!(of(&table, "add.f16"), expected);
        assert_eq!(of(&table, "add.rn.ftz.f16"), Evidence::default());
    }

    #[test]
    fn a_form_can_be_measured_on_several_targets() {
        let record = "neg_f16\tsm_80\tOne\t1\t2026-11-20\nneg_f16\tsm_90\tOther\t2\t2026-11-20\n";
        let measured = of(&attached(NONE, record).unwrap(), "neg.f16").measured;
        assert_eq!(measured.keys().collect::<Vec<_>>(), ["sm_80", "sm_90"]);
        assert_eq!(measured["sm_90"], "Other, driver 2");
    }

    #[test]
    fn a_record_that_does_not_fit_the_table_is_refused() {
        let refused = |assembled, measured, why| {
            let error = attached(assembled, measured).unwrap_err();
            assert!(error.contains(why) && [ASSEMBLED, MEASURED].iter().any(|r| error.contains(r.command)), "{error}");
        };
        refused("add_rn_f17\tsm_75\tptxas 13.5\t2026-11-20\n", NONE, "add_rn_f17");
        refused("add_rn_f16\tsm_75\n", NONE, "4 columns");
        refused("abs_f16\ta\tb\tc\nabs_f16\ta\tb\tc\n", NONE, "twice");
        refused(NONE, "abs_f16\tsm_90\tb\tc\td\nabs_f16\tsm_90\tb\tc\td\n", "twice for sm_90");
    }
}
