//! The table's forms as the commands need them.

use std::sync::LazyLock;

use ptxf::spec::{FormInfo, Spelling, spellings};
use testutil::{Form, Op, compare};

/// A spelling that has a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its line of the table.
    pub info: &'static FormInfo,
    /// The same with its operators.
    pub spelling: Spelling,
    /// As PTX has it.
    pub name: &'static str,
    /// What its kernel is called.
    pub identifier: &'static str,
    /// The same as `testutil` reads it.
    pub reading: Reading,
}

/// What `testutil` makes of a spelling.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// A form that computes.
    Computes(Form),
    /// One that compares or selects.
    Compares(compare::Form),
}

/// Every spelling whose rounding is written out, in the table's order; of conversions those between f16, bf16, f32 and f64 alone, without
/// `.satfinite`, for no other is asked of a device so far.
pub(crate) fn all() -> &'static [Subject] {
    static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
        let own = spellings().filter(|spelling| spelling.form.name == spelling.form.canonical);
        own.filter(|spelling| spelling.form.instruction != "cvt" || Form::parse(spelling.form.name).is_ok())
            .map(Subject::new)
            .collect()
    });
    &ALL
}

/// The form with this spelling, the one with fewer operands if there are two.
pub(crate) fn named(name: &str) -> Subject {
    let same = all().iter().filter(|f| f.name == name);
    *same.min_by_key(|f| f.info.operands.len()).unwrap_or_else(|| panic!("`{name}` is no form"))
}

impl Subject {
    /// There is one list of them, which lives as long as the program.
    fn new(spelling: Spelling) -> Self {
        let name = spelling.to_string().leak();
        let reading = match compare::Form::parse(name) {
            Ok(form) => Reading::Compares(form),
            Err(_) => Reading::Computes(Form::parse(name).expect("testutil knows every form")),
        };
        Self { info: spelling.form, spelling, name, identifier: spelling.identifier().to_string().leak(), reading }
    }

    /// What computes, which everything is that is asked for by its name.
    pub(crate) fn form(&self) -> Form {
        match self.reading {
            Reading::Computes(form) => form,
            Reading::Compares(_) => panic!("{} compares", self.name),
        }
    }

    /// Bytes of an operand.
    #[must_use]
    pub fn width(&self, operand: usize) -> usize {
        self.info.operands[operand].bits().div_ceil(8) as usize
    }

    /// Bytes of a result as the probes store it.
    #[must_use]
    pub fn result_width(&self) -> usize {
        self.info.result.bits().div_ceil(8) as usize
    }

    /// Whether a NaN result has promised bits: of `.NaN` and `.relu` (manual 9.7.3.11, 9.7.4.4), and of the two forms that
    /// compute the upper word of an f64 (9.7.3.14, 9.7.3.17). What compares or selects returns bits that are all promised.
    pub(crate) fn promises_nan(&self) -> bool {
        match self.reading {
            Reading::Computes(form) => form.nan || form.relu || form.is_high_word(),
            Reading::Compares(_) => true,
        }
    }

    /// Whether all 2³² pairs are compared.
    pub(crate) fn has_all_pairs(&self) -> bool {
        self.info.operands.len() == 2
            && self.info.operands[0].bits() == 16
            && ["add.rn", "mul.rn", "min", "max"].contains(&self.name.rsplit_once('.').map_or("", |name| name.0))
    }

    /// Whether this build's `mad.f32` of sm_1x, which no device has any more.
    pub(crate) fn is_history(&self) -> bool {
        let legacy = |form: Form| form.op == Op::Mad && form.is_legacy_mad();
        self.info.until.is_some() || matches!(self.reading, Reading::Computes(form) if legacy(form))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_pairs_are_the_eight() {
        let mut names: Vec<&str> = all().iter().map(|f| f.identifier).collect();
        let pairs: Vec<&str> = all().iter().filter(|f| f.has_all_pairs()).map(|f| f.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(pairs.len(), 8, "{pairs:?}");
        let compared = all().iter().filter(|f| matches!(f.reading, Reading::Compares(_))).count();
        assert_eq!((count, compared), (418 + 35 + 3362, 3362), "one kernel per spelling");
    }
}
