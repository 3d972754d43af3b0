//! The table's forms as the commands need them.

use std::sync::LazyLock;

use oracle::cvt::{By, Cvt, Num};
use oracle::layout::Layout;
use oracle::{Form, Op, Ty, compare};
use ptxf::spec::{FormInfo, Spelling, spellings};

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
    /// The same as `oracle` reads it.
    pub reading: Reading,
}

/// What `oracle` makes of a spelling.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// A form that computes.
    Computes(Form),
    /// One that compares or selects.
    Compares(compare::Form),
    /// One that converts.
    Converts(Cvt),
}

/// Every spelling whose rounding is written out, in the table's order.
pub(crate) fn all() -> &'static [Subject] {
    static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
        let own = spellings().filter(|spelling| spelling.form.name == spelling.form.canonical);
        own.map(Subject::new).collect()
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
        let reading = match (Cvt::parse(name), compare::Form::parse(name)) {
            (Ok(cvt), _) => Reading::Converts(cvt),
            (_, Ok(form)) => Reading::Compares(form),
            _ => Reading::Computes(Form::parse(name).expect("oracle knows every form")),
        };
        Self { info: spelling.form, spelling, name, identifier: spelling.identifier().to_string().leak(), reading }
    }

    /// What computes, which everything is that is asked for by its name.
    pub(crate) fn form(&self) -> Form {
        match self.reading {
            Reading::Computes(form) => form,
            Reading::Compares(_) | Reading::Converts(_) => panic!("{} does not compute", self.name),
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
    /// compute the upper word of an f64 (9.7.3.14, 9.7.3.17). What compares or selects returns bits that are all promised, and so
    /// are those of a conversion to integers and to formats of eight bits and fewer.
    pub(crate) fn promises_nan(&self) -> bool {
        match self.reading {
            Reading::Computes(form) => form.nan || form.relu || form.is_high_word(),
            Reading::Compares(_) => true,
            Reading::Converts(cvt) => cvt.relu || self.nan_format().is_none(),
        }
    }

    /// Whether the operand is a NaN of which a device may make a number.
    ///
    /// NVIDIA's assembler makes of `cvt.rna.tf32.f32` integer instructions that do not ask for NaNs (ptxas 13.5): they add half a unit and cut the last
    /// 13 bits off, and with `.satfinite` they take one unit away besides. A payload that is gone then leaves an infinity or a finite number.
    pub(crate) fn may_lose_its_nan(&self, operands: &[u64]) -> bool {
        let Reading::Converts(cvt) = self.reading else { return false };
        if cvt.to.num != Num::Tf32 || cvt.by != By::Away {
            return false;
        }
        let layout = Layout::of(Ty::F32);
        let left = (operands[0] & (layout.min_normal() - 1)) >> 13;
        layout.is_nan(operands[0]) && left <= u64::from(cvt.satfinite)
    }

    /// The format of a lane of the result in which one NaN stands for another, and the number of lanes.
    pub(crate) fn nan_format(&self) -> Option<(Ty, u8)> {
        match self.reading {
            Reading::Computes(form) => form.result(),
            Reading::Compares(_) => None,
            Reading::Converts(cvt) => {
                let ty = match cvt.to.num {
                    Num::F16 => Ty::F16,
                    Num::Bf16 => Ty::Bf16,
                    Num::F32 | Num::Tf32 => Ty::F32,
                    Num::F64 => Ty::F64,
                    _ => return None,
                };
                Some((ty, cvt.to.lanes))
            }
        }
    }

    /// Whether all 2³² pairs are compared.
    pub(crate) fn has_all_pairs(&self) -> bool {
        self.info.operands.len() == 2
            && self.info.operands[0].bits() == 16
            && ["add.rn", "mul.rn", "min", "max"].contains(&self.name.rsplit_once('.').map_or("", |name| name.0))
    }

    /// The lines that a whole comparison has of it: of its operands, and of all pairs.
    pub(crate) fn comparisons(&self) -> usize {
        1 + usize::from(self.has_all_pairs())
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
        let read = |is: fn(&Reading) -> bool| all().iter().filter(|f| is(&f.reading)).count();
        let compared = read(|r| matches!(r, Reading::Compares(_)));
        let converted = read(|r| matches!(r, Reading::Converts(_)));
        assert_eq!((count, compared, converted), (418 + 3362 + 855, 3362, 855), "one kernel per spelling");
    }
}
