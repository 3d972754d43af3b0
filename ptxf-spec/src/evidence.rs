//! The evidence for a form's result, from the records of runs. No level of evidence is set by hand.
//!
//! `evidence/assembled.tsv` and `evidence/executed.tsv` are the records of a blessed run of `cargo
//! xtask ptx` over all targets, and `evidence/measured.tsv` is the record of comparisons on
//! devices. The macros read them. Only a record raises a form above `reference`, and a run whose
//! result differs from the record fails.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::Table;

/// A record of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// The path of the file, from the crate's folder.
    pub name: &'static str,
    pub text: &'static str,
    /// The command that writes the file.
    pub command: &'static str,
}

/// Forms that NVIDIA's assembler accepts: function, targets, assembler, date.
pub(crate) const ASSEMBLED: Record = Record {
    name: "evidence/assembled.tsv",
    text: include_str!("../evidence/assembled.tsv"),
    command: "cargo xtask ptx --bless",
};

/// Forms whose compiled PTX gives the reference bits in `ptxf-vm`: function, targets, machine,
/// date.
pub(crate) const EXECUTED: Record = Record {
    name: "evidence/executed.tsv",
    text: include_str!("../evidence/executed.tsv"),
    command: "cargo xtask ptx --bless",
};

/// Forms whose results on a device equal the CPU's: function, target, device, driver, date.
pub(crate) const MEASURED: Record = Record {
    name: "evidence/measured.tsv",
    text: include_str!("../evidence/measured.tsv"),
    command: "cargo gpu adopt",
};

/// The evidence of a form in addition to the tests against oracles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The assembler and the targets: `ptxas 13.5, sm_75 sm_90`.
    pub assembled: Option<String>,
    /// The machine and the targets: `ptxf-vm 0.1.0, sm_75 sm_90`.
    pub executed: Option<String>,
    /// The device and the driver by target: `Some GPU, driver 1.2` of `sm_90`.
    pub measured: BTreeMap<String, String>,
}

/// Returns the field for a record with one line per function.
type Field = fn(&mut Evidence) -> &mut Option<String>;

/// Attaches to every form the evidence of its function, which spellings with an implied rounding
/// share.
pub(crate) fn attach(table: &mut Table, assembled: Record, executed: Record, measured: Record) -> Result<(), String> {
    let functions: BTreeSet<String> = table.forms.iter().map(|f| f.function()).collect();
    let mut all: BTreeMap<&str, Evidence> = BTreeMap::new();
    let by_function: [(Record, Field); 2] = [(assembled, |e| &mut e.assembled), (executed, |e| &mut e.executed)];
    for (record, field) in by_function {
        for (function, [targets, by, _date]) in lines(record, &functions)? {
            if field(all.entry(function).or_default()).replace(format!("{by}, {targets}")).is_some() {
                return Err(format!("{}: `{function}` stands twice; {}", record.name, again(record)));
            }
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

/// Returns the function and the other columns of every line that is not a comment.
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

    fn attached([assembled, executed, measured]: [&'static str; 3]) -> Result<Table, String> {
        let mut table = load(FILES).unwrap();
        let with = |text, record| Record { text, ..record };
        attach(&mut table, with(assembled, ASSEMBLED), with(executed, EXECUTED), with(measured, MEASURED))
            .map(|()| table)
    }

    fn of(table: &Table, name: &str) -> Evidence {
        table.forms.iter().find(|f| f.spelling() == name).unwrap().evidence.clone()
    }

    #[test]
    fn a_spelling_without_rounding_has_the_evidence_of_the_one_with() {
        let table = attached([
            "# comment\nadd_rn_f16\tsm_75 sm_90\tptxas 13.5\t2026-11-20\n",
            "add_rn_f16\tsm_90\tptxf-vm 1.2\t2026-11-20\n",
            NONE,
        ])
        .unwrap();
        let expected = Evidence {
            assembled: Some("ptxas 13.5, sm_75 sm_90".into()),
            executed: Some("ptxf-vm 1.2, sm_90".into()),
            measured: BTreeMap::new(),
        };
        assert_eq!(of(&table, "add.rn.f16"), expected);
        assert_eq!(of(&table, "add.f16"), expected);
        assert_eq!(of(&table, "add.rn.ftz.f16"), Evidence::default());
    }

    #[test]
    fn a_form_can_be_measured_on_several_targets() {
        let record = "neg_f16\tsm_80\tOne\t1\t2026-11-20\nneg_f16\tsm_90\tOther\t2\t2026-11-20\n";
        let measured = of(&attached([NONE, NONE, record]).unwrap(), "neg.f16").measured;
        assert_eq!(measured.keys().collect::<Vec<_>>(), ["sm_80", "sm_90"]);
        assert_eq!(measured["sm_90"], "Other, driver 2");
    }

    #[test]
    fn a_record_that_does_not_fit_the_table_is_refused() {
        let refused = |place: usize, text, why| {
            let mut records = [NONE; 3];
            records[place] = text;
            let (error, record) = (attached(records).unwrap_err(), [ASSEMBLED, EXECUTED, MEASURED][place]);
            assert!([why, record.name, record.command].iter().all(|part| error.contains(part)), "{error}");
        };
        for place in [0, 1] {
            refused(place, "add_rn_f17\tsm_75\tptxas 13.5\t2026-11-20\n", "add_rn_f17");
            refused(place, "add_rn_f16\tsm_75\n", "4 columns");
            refused(place, "abs_f16\ta\tb\tc\nabs_f16\ta\tb\tc\n", "twice");
        }
        refused(2, "abs_f16\tsm_90\tb\tc\td\nabs_f16\tsm_90\tb\tc\td\n", "twice for sm_90");
    }
}
