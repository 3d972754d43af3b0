//! The bit patterns that `.oob` treats as the OOB NaN, found by trying every pattern in every
//! operand.

use std::fmt::Write as _;

use anyhow::Result;

use crate::forms::{self, Subject};
use crate::probes::Probes;
use crate::store::Store;

const TITLE: &str = "All 65,536 patterns in each operand of fma.oob, the others 1; runs with one answer: `ordinary` is the \
     result of the same fma without .oob (any NaN for a NaN)";

/// Writes `oob.tsv`, whose rows are runs of patterns with one answer.
pub(super) fn capture(probes: &mut dyn Probes, store: &mut Store) -> Result<()> {
    let mut body = "form\tplace\tfirst\tlast\tresult\n".to_owned();
    for name in ["fma.rn.oob.f16", "fma.rn.oob.relu.f16", "fma.rn.oob.bf16", "fma.rn.oob.relu.bf16"] {
        let form = forms::named(name);
        let plain = forms::named(&name.replace(".oob", ""));
        if !probes.ptx().is_native(form.identifier, form.name) {
            let _ = writeln!(body, "# {name} is not in the PTX");
            continue;
        }
        for place in 0..3 {
            for (first, last, answer) in runs(&answers(probes, &form, &plain, place)?) {
                let (place, answer) =
                    (["a", "b", "c"][place], answer.map_or("ordinary".to_owned(), |d| format!("0x{d:04x}")));
                let _ = writeln!(body, "{name}\t{place}\t0x{first:04x}\t0x{last:04x}\t{answer}");
            }
        }
    }
    store.put_text("oob.tsv", TITLE, &body)
}

/// Returns the result for each pattern in this operand; `None` if it is the result without `.oob`.
fn answers(probes: &mut dyn Probes, form: &Subject, plain: &Subject, place: usize) -> Result<Vec<Option<u64>>> {
    let one = if form.name.ends_with("bf16") { 0x3f80 } else { 0x3c00 };
    let mut columns = vec![vec![one; 1 << 16]; 3];
    columns[place] = (0..1 << 16).collect();
    let (with, without) = (probes.run(form, &columns)?, probes.run(plain, &columns)?);
    let layout = oracle::layout::Layout::of(form.form().ty);
    let same = |a: u64, b: u64| a == b || layout.is_nan(a) && layout.is_nan(b);
    Ok(with.into_iter().zip(without).map(|(a, b)| (!same(a, b)).then_some(a)).collect())
}

/// Returns the first and the last pattern of each run of equal answers.
fn runs(answers: &[Option<u64>]) -> Vec<(usize, usize, Option<u64>)> {
    let mut out: Vec<(usize, usize, Option<u64>)> = Vec::new();
    for (i, answer) in answers.iter().enumerate() {
        match out.last_mut() {
            Some((_, last, same)) if same == answer => *last = i,
            _ => out.push((i, i, *answer)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn runs_cover_everything_once() {
        let answers = [None, None, Some(0), Some(0), Some(1), None];
        let want = [(0, 1, None), (2, 3, Some(0)), (4, 4, Some(1)), (5, 5, None)];
        assert_eq!(super::runs(&answers), want);
    }
}
