//! Makes the record of measured functions from a comparison with a device. No evidence is set by
//! hand.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::compare::Choice;
use crate::device::{LABEL, is_fake};
use crate::forms::{self, Subject};
use crate::table;

const HEAD: &str = "# Written by `cargo gpu adopt` from a device's compare.tsv, never by hand.\n\
     # function\ttarget\tdevice\tdriver\tdate\n";

/// The functions of a comparison.
#[derive(Debug)]
pub(crate) struct Measured {
    /// The record, with the lines of this target replaced.
    pub(crate) record: String,
    /// Functions whose instructions have the CPU's bits on the device.
    pub(crate) functions: Vec<String>,
    /// Other native functions, with the verdict.
    pub(crate) others: Vec<(String, String)>,
}

/// The columns of `compare.tsv` that the record depends on.
#[derive(Deserialize)]
struct Row {
    function: String,
    kernel: String,
    verdict: String,
}

/// Adds the comparison in the text of `compare.tsv` to the `previous` record, in which other
/// targets' lines stay.
///
/// A function is measured if the kernels of all its spellings were the one instruction, and every
/// comparison of them was complete and without a difference. Undefined bits of NaNs may differ. An
/// approximation has to equal the default model.
pub(crate) fn measured(compare: &str, previous: &str) -> Result<Measured> {
    ensure!(!is_fake(compare), "{LABEL} results are not evidence");
    let field = |name: &str| {
        let found = compare.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix('\t'));
        found.with_context(|| format!("compare.tsv has no line `# {name}`"))
    };
    let choice: Choice = serde_json::from_str(field("choice")?).context("compare.tsv: choice")?;
    ensure!(choice.is_whole(), "compare.tsv has a reduced comparison, which is not evidence: {}", field("choice")?);
    let (target, device, driver, date) = (field("target")?, field("device")?, field("driver")?, field("date")?);

    let rows: Vec<Row> = table::read(compare.as_bytes()).context("compare.tsv")?;
    let mut kernels: BTreeMap<&str, Vec<Verdict<'_>>> = BTreeMap::new();
    for Row { function, kernel, verdict } in &rows {
        kernels.entry(function).or_default().push((kernel == "native").then_some(verdict.as_str()));
    }
    let mut functions: BTreeMap<&str, Verdict<'_>> = BTreeMap::new();
    for form in forms::all() {
        let lines = kernels.get(form.identifier).map_or(&[][..], Vec::as_slice);
        let missing = (lines.len() < form.comparisons()).then_some(Some(UNFINISHED));
        let all = functions.entry(form.info.function).or_insert(Some("equal"));
        *all = lines.iter().copied().chain(missing).fold(*all, worse);
    }
    // Functions of which the run compared nothing have no verdict.
    functions.retain(|function, verdict| {
        let is_it = |form: &&Subject| form.info.function == *function && kernels.contains_key(form.identifier);
        *verdict != Some(UNFINISHED) || forms::all().iter().any(|form| is_it(&form))
    });
    let worst = functions.into_iter().filter_map(|(function, verdict)| Some((function, verdict?)));

    let mut record: Vec<String> = previous.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    record.retain(|line| line.split('\t').nth(1) != Some(target));
    let (equal, others): (Vec<_>, Vec<_>) = worst.partition(|(_, verdict)| is_equal(verdict));
    record.extend(equal.iter().map(|(function, _)| format!("{function}\t{target}\t{device}\t{driver}\t{date}")));
    record.sort_unstable();
    Ok(Measured {
        record: record.iter().fold(HEAD.to_owned(), |text, line| text + line + "\n"),
        functions: equal.into_iter().map(|(function, _)| function.to_owned()).collect(),
        others: others.into_iter().map(|(function, verdict)| (function.to_owned(), verdict.to_owned())).collect(),
    })
}

/// The verdict of a kernel; `None` if the target lacks the instruction.
type Verdict<'a> = Option<&'a str>;

const UNFINISHED: &str = "not finished";

/// Returns the worse of two verdicts.
fn worse<'a>(a: Verdict<'a>, b: Verdict<'a>) -> Verdict<'a> {
    let (first, second) = (a?, b?);
    match (is_equal(first), is_equal(second)) {
        (true, _) => b,
        (false, true) => a,
        // A difference is worse than an unfinished comparison.
        (false, false) => {
            if first == UNFINISHED {
                b
            } else {
                a
            }
        }
    }
}

fn is_equal(verdict: &str) -> bool {
    ["equal", "equal but for NaN bits"].contains(&verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::in_repository;

    /// No line of the record is written by hand, and the documents have the comparison's figures.
    #[test]
    fn the_record_and_the_documents_say_what_was_compared() {
        let read =
            |file: &str| std::fs::read_to_string(in_repository(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let compare = read("ptxf-tables/device/sm_90/compare.tsv");
        let record = read("ptxf-spec/evidence/measured.tsv");
        let measured = measured(&compare, &record).unwrap();
        assert_eq!(measured.record, record);

        let mut lines =
            compare.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
        let head = lines.next().unwrap();
        let column = |name: &str| head.iter().position(|column| *column == name).unwrap();
        let (part, kernel, kind, verdict) = (column("part"), column("kernel"), column("kind"), column("verdict"));
        let exact: Vec<_> =
            lines.filter(|l| l[part] == "operands" && (l[kernel], l[kind]) == ("native", "exact")).collect();
        let equal = exact.iter().filter(|line| is_equal(line[verdict])).count();
        for (file, figure) in [
            ("ARCHITECTURE.md", measured.functions.len()),
            ("README.md", exact.len()),
            ("README.md", equal),
            ("docs/device.md", exact.len()),
        ] {
            let figure = format!("{},{:03} ", figure / 1000, figure % 1000);
            assert!(read(file).contains(&figure), "{file} does not say {figure}");
        }
    }

    fn table(choice: &str, rows: &[(&str, &str, &str)]) -> String {
        let mut text = format!(
            "# Forms\n# device\tSome GPU\n# target\tsm_90\n# driver\t1.2\n# date\t2026-11-20T00:00:00Z\n# choice\t{choice}\n# left\t0\n\
             form\tfunction\tkernel\tverdict\n"
        );
        for (function, kernel, verdict) in rows {
            text += &format!("x\t{function}\t{kernel}\t{verdict}\n");
        }
        text + "# together\n"
    }

    const WHOLE: &str =
        r#"{"random":16777216,"near_ties":262144,"few_edges":false,"no_pairs":false,"forms":[],"seed":1}"#;

    #[test]
    fn only_equal_instructions_are_measured() -> Result<()> {
        let rows = [
            ("add_rn_f16", "native", "equal"),
            ("add_rn_f16", "native", "DIFFERENT"),
            ("abs_f32", "native", "equal but for NaN bits"),
            ("ex2_approx_f16", "native", "approximate"),
            ("fma_rn_f32x2", "fallback", "equal"),
        ];
        let previous = "# old\nabs_f32\tsm_80\tOther\t1\tx\nmul_rn_f16\tsm_90\tSome GPU\t1\tx\n";
        let got = measured(&table(WHOLE, &rows), previous)?;
        assert_eq!(got.functions, ["abs_f32"]);
        assert_eq!(got.others.len(), 2);
        let want = "abs_f32\tsm_80\tOther\t1\tx\nabs_f32\tsm_90\tSome GPU\t1.2\t2026-11-20T00:00:00Z\n";
        assert_eq!(got.record, format!("{HEAD}{want}"));
        Ok(())
    }

    #[test]
    fn neither_fakes_nor_reduced_comparisons_are_evidence() {
        let rows = [("abs_f32", "native", "equal")];
        for device in ["FAKE GPU", "ptxf-vm (this CPU computed it)"] {
            let fake = table(WHOLE, &rows).replace("Some GPU", device);
            assert!(measured(&fake, "").unwrap_err().to_string().contains("FAKE"), "{device}");
        }
        for (whole, reduced) in [("16777216", "1000"), ("few_edges\":false", "few_edges\":true"), ("[]", "[\"add*\"]")]
        {
            let text = table(&WHOLE.replace(whole, reduced), &rows);
            assert!(measured(&text, "").unwrap_err().to_string().contains("reduced"), "{reduced}");
        }
    }

    #[test]
    fn what_was_not_finished_is_not_measured() -> Result<()> {
        let rows = [("add_rn_f16", "native", "equal"), ("neg_f16", "native", "equal")];
        let got = measured(&table(WHOLE, &rows), "")?;
        assert_eq!(got.functions, ["neg_f16"]);
        assert_eq!(got.others, [("add_rn_f16".to_owned(), "not finished".to_owned())], "its pairs are missing");
        Ok(())
    }
}
