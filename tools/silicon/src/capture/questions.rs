//! Single results where the manual is silent, ambiguous or worth checking.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use oracle::layout::Layout;
use serde::{Deserialize, Serialize};

use crate::forms::Subject;
use crate::probes::Probes;
use crate::store::{Results, Store};
use crate::table;

mod list;

const TITLE: &str = "Single results of the device and of the CPU (`=` equal bits, `nan` two NaNs, `!` different)";

/// The file of the answers.
pub(crate) const FILE: &str = "questions.tsv";

/// A row of the file. Bits are hexadecimal.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) question: String,
    pub(crate) form: String,
    a: String,
    /// Empty for forms of one operand.
    b: String,
    /// Empty for forms of one or two operands.
    c: String,
    device: String,
    cpu: String,
    /// `=` for equal bits, `nan` for two NaNs, else `!`.
    same: String,
}

/// A form and a list of operands.
struct Question {
    question: &'static str,
    form: Subject,
    operands: Vec<u64>,
}

/// Runs every question on the device and writes the answers.
pub(super) fn capture(probes: &mut dyn Probes, store: &mut Store) -> Result<()> {
    let questions = list::all();
    let mut by_form: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, question) in questions.iter().enumerate() {
        by_form.entry(question.form.identifier).or_default().push(i);
    }
    let mut results = vec![None; questions.len()];
    let mut body = String::new();
    for indices in by_form.values() {
        let form = questions[indices[0]].form;
        if !probes.ptx().is_native(form.identifier, form.name) {
            let _ = writeln!(body, "# {} is not in the PTX", form.name);
            continue;
        }
        let column = |k: usize| indices.iter().map(|i| questions[*i].operands[k]).collect();
        let columns: Vec<Vec<u64>> = (0..form.info.operands.len()).map(column).collect();
        for (i, result) in indices.iter().zip(probes.run(&form, &columns)?) {
            results[*i] = Some(result);
        }
    }
    let answered = questions.iter().zip(results).filter_map(|(question, result)| Some(question.answer(result?)));
    body += &table::write(answered)?;
    store.put_text(FILE, TITLE, &body)
}

/// Reads the answers of a device. Returns `None` if there are none.
pub(crate) fn read(device: &Results) -> Result<Option<Vec<Answer>>> {
    device.read(FILE)?.map(|text| table::read(&text).context(FILE)).transpose()
}

impl Answer {
    /// Returns the bits of the operands.
    pub(crate) fn operands(&self) -> Result<Vec<u64>> {
        [&self.a, &self.b, &self.c].into_iter().filter(|x| !x.is_empty()).map(|x| bits(x)).collect()
    }

    /// Returns the bits that the device returned.
    pub(crate) fn device(&self) -> Result<u64> {
        bits(&self.device)
    }
}

fn bits(text: &str) -> Result<u64> {
    u64::from_str_radix(text, 16).with_context(|| format!("{FILE}: `{text}` is not hexadecimal"))
}

impl Question {
    fn answer(&self, device: u64) -> Answer {
        let Self { question, form, operands } = self;
        let digits = form.width(0) * 2;
        let cpu = form.spelling.call(operands).expect("as many operands as the form has");
        let operand = |k: usize| operands.get(k).map_or(String::new(), |x| format!("{x:0digits$x}"));
        let nan = |layout: &Layout| layout.is_nan(device) && layout.is_nan(cpu);
        let nans = matches!(form.form().result(), Some((ty, 1)) if nan(Layout::of(ty)));
        let same = if device == cpu {
            "="
        } else if nans {
            "nan"
        } else {
            "!"
        };
        let digits = form.result_width() * 2;
        Answer {
            question: (*question).to_owned(),
            form: form.name.to_owned(),
            a: operand(0),
            b: operand(1),
            c: operand(2),
            device: format!("{device:0digits$x}"),
            cpu: format!("{cpu:0digits$x}"),
            same: same.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;

    #[test]
    fn the_lists_are_there_and_readable_in_size() {
        let questions = list::all();
        println!("{} questions", questions.len());
        assert!(questions.len() > 3000);
        let cpu = |question: &Question| question.form.spelling.call(&question.operands).unwrap();
        let body = table::write(questions.iter().map(|question| question.answer(cpu(question)))).unwrap();
        println!("{} bytes", body.len());
        assert!(body.len() < 450_000, "{}", body.len());
        assert!(!body.contains("\t!"));
    }

    /// NVIDIA's assembler folds these five products just below 2⁻¹²⁶.
    #[test]
    fn the_cpu_answers_the_ftz_probes_as_the_assembler_does() {
        let questions = list::all();
        let mut products = questions.iter().filter(|question| question.form.name == "mul.rn.ftz.f32");
        let want = [0x0080_0000, 0x0080_0000, 0x0080_0000, 0, 0];
        for want in want {
            let Question { form, operands, .. } = products.next().unwrap();
            assert_eq!(form.spelling.call(operands), Some(want), "{operands:x?}");
        }
    }

    /// The library returns what devices returned, but for approximations.
    #[test]
    fn the_library_says_what_devices_said() {
        let folders = crate::store::devices(&crate::store::in_repository(crate::store::DATA)).unwrap();
        for folder in folders {
            let answers = read(&Results::open(&folder).unwrap()).unwrap().expect("a device was asked");
            let mut compared = 0;
            for answer in answers {
                let (operands, device) = (answer.operands().unwrap(), answer.device().unwrap());
                let matching = |f: &&Subject| f.name == answer.form && f.info.operands.len() == operands.len();
                let form = *forms::all().iter().find(matching).unwrap_or_else(|| panic!("no form: {answer:?}"));
                if form.info.approximate {
                    continue;
                }
                let again = Question { question: "", form, operands }.answer(device);
                // Bits of NaNs count in f64 only, and not for `abs` and `neg`: the library changes
                // the sign alone.
                let any_nan = !answer.question.starts_with("f64") || matches!(form.name, "abs.f64" | "neg.f64");
                let right = again.same == "=" || again.same == "nan" && any_nan;
                assert!(right, "{answer:?}: {again:?}");
                compared += 1;
            }
            assert!(compared > 2000, "{}: {compared}", folder.display());
        }
    }
}
