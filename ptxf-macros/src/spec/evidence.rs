//! What stands behind a form's result, as the records of runs say it; no level of evidence is ever set by hand.

use std::collections::BTreeMap;

use super::model::Table;

/// Written by `cargo xtask ptx --bless`.
pub(super) const ASSEMBLED: &str = include_str!("../../evidence/assembled.tsv");

/// NVIDIA's assembler accepts what a form becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assembled {
    /// For which targets, `sm_75 sm_90`.
    pub targets: String,
    /// By what, `ptxas 13.5`.
    pub assembler: String,
}

/// Gives every form the evidence of its function: a spelling without rounding has that of what was assembled for it.
pub(super) fn attach(table: &mut Table, record: &str) -> Result<(), String> {
    let mut assembled = read(record)?;
    let mut used = Vec::new();
    for form in &mut table.forms {
        let function = form.function();
        if let Some(a) = assembled.get(&function) {
            form.assembled = Some(a.clone());
            used.push(function);
        }
    }
    for function in used {
        assembled.remove(&function);
    }
    match assembled.keys().next() {
        None => Ok(()),
        Some(f) => {
            Err(format!("evidence/assembled.tsv: no function is called `{f}`; `cargo xtask ptx --bless` rewrites it"))
        }
    }
}

fn read(record: &str) -> Result<BTreeMap<String, Assembled>, String> {
    let mut all = BTreeMap::new();
    for (i, line) in record.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
        let [function, targets, assembler, _date] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("evidence/assembled.tsv:{}: a line is function, targets, assembler, date", i + 1));
        };
        let assembled = Assembled { targets: targets.to_owned(), assembler: assembler.to_owned() };
        if all.insert(function.to_owned(), assembled).is_some() {
            return Err(format!("evidence/assembled.tsv:{}: `{function}` stands twice", i + 1));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::{FILES, load};
    use super::*;

    #[test]
    fn a_spelling_without_rounding_has_the_evidence_of_the_one_with() {
        let mut table = load(FILES).unwrap();
        attach(&mut table, "# comment\nadd_rn_f16\tsm_75 sm_90\tptxas 13.5\t2026-11-20\n").unwrap();
        let of = |name| table.forms.iter().find(|f| f.spelling() == name).unwrap().assembled.clone();
        let expected = Assembled { targets: "sm_75 sm_90".into(), assembler: "ptxas 13.5".into() };
        assert_eq!(of("add.rn.f16"), Some(expected.clone()));
        assert_eq!(of("add.f16"), Some(expected));
        assert_eq!(of("add.rn.ftz.f16"), None);
    }

    #[test]
    fn a_record_that_does_not_fit_the_table_is_refused() {
        let mut table = load(FILES).unwrap();
        for record in ["add_rn_f17\tsm_75\tptxas 13.5\t2026-11-20\n", "add_rn_f16\tsm_75\n"] {
            assert!(attach(&mut table, record).is_err(), "{record}");
        }
        let line = "add_rn_f16\tsm_75\tptxas 13.5\t2026-11-20\n";
        assert!(attach(&mut table, &line.repeat(2)).unwrap_err().contains("twice"));
    }
}
