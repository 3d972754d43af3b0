//! The forms of the table, each with its kernel's name and with the oracle's reading.

use std::sync::LazyLock;

use oracle::across::Across;
use oracle::cvt::{By, Cvt, Num};
use oracle::layout::Layout;
use oracle::{Form, Op, Ty, compare};
use ptxf::spec::{FormInfo, Spelling, spellings};

/// A spelling that has a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    /// The form's row of the table.
    pub(crate) info: &'static FormInfo,
    /// The form with its operators.
    pub(crate) spelling: Spelling,
    /// The PTX text, `add.rn.f16`.
    pub(crate) name: &'static str,
    /// The kernel's name, `add_rn_f16`.
    pub(crate) identifier: &'static str,
    /// The oracle's reading of the spelling.
    pub(crate) reading: Reading,
}

/// A spelling as the oracle reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    /// A form that computes.
    Computes(Form),
    /// A form that compares or selects.
    Compares(compare::Form),
    /// A form that converts.
    Converts(Cvt),
    /// A form that computes with several types.
    Several(Across),
}

/// Returns every spelling whose rounding is written out, in the table's order.
pub(crate) fn all() -> &'static [Subject] {
    static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
        let own = spellings().filter(|spelling| spelling.form.name == spelling.form.canonical);
        own.map(Subject::new).collect()
    });
    &ALL
}

/// Returns the form with this spelling, the one with fewer operands if there are two.
pub(crate) fn named(name: &str) -> Subject {
    let same = all().iter().filter(|f| f.name == name);
    *same.min_by_key(|f| f.info.operands.len()).unwrap_or_else(|| panic!("there is no form `{name}`"))
}

impl Subject {
    /// Leaks the names: there is one list of subjects, which lives as long as the program.
    fn new(spelling: Spelling) -> Self {
        let name = spelling.to_string().leak();
        let reading = match (Cvt::parse(name), compare::Form::parse(name)) {
            (Ok(cvt), _) => Reading::Converts(cvt),
            (_, Ok(form)) => Reading::Compares(form),
            _ => match Across::parse(name) {
                Some(form) => Reading::Several(form),
                None => Reading::Computes(Form::parse(name).expect("oracle knows every form")),
            },
        };
        Self { info: spelling.form, spelling, name, identifier: spelling.identifier().to_string().leak(), reading }
    }

    /// Returns the reading of a form that computes.
    ///
    /// # Panics
    ///
    /// It panics if the form compares, selects, converts or has several types.
    pub(crate) fn form(&self) -> Form {
        match self.reading {
            Reading::Computes(form) => form,
            Reading::Compares(_) | Reading::Converts(_) | Reading::Several(_) => {
                panic!("{} does not compute", self.name)
            }
        }
    }

    /// Returns the bytes of an operand.
    pub(crate) fn width(&self, operand: usize) -> usize {
        self.info.operands[operand].bits().div_ceil(8) as usize
    }

    /// Returns the bytes of a result as the probes store it.
    pub(crate) fn result_width(&self) -> usize {
        self.info.result.bits().div_ceil(8) as usize
    }

    /// Returns `true` if the manual defines the bits of a NaN result.
    ///
    /// It does so for `.NaN` and `.relu` (manual 9.7.3.11, 9.7.4.4) and for the two forms that
    /// compute the upper word of an f64 (9.7.3.14, 9.7.3.17). All bits are defined for forms that
    /// compare or select, and for conversions to integers and to formats of at most eight bits.
    pub(crate) fn promises_nan(&self) -> bool {
        match self.reading {
            Reading::Computes(form) => form.nan || form.relu || form.is_high_word(),
            Reading::Compares(_) => true,
            Reading::Converts(cvt) => cvt.relu || self.nan_format().is_none(),
            Reading::Several(_) => false,
        }
    }

    /// Returns `true` if the operand is a NaN that a device may convert to a number.
    ///
    /// NVIDIA's assembler compiles `cvt.rna.tf32.f32` to integer instructions without a test for
    /// NaNs (ptxas 13.5). They add half a unit and cut the last 13 bits off; with `.satfinite` they
    /// also subtract one unit. If no bit of the payload remains, the result is an infinity or a
    /// finite number.
    pub(crate) fn may_lose_its_nan(&self, operands: &[u64]) -> bool {
        let Reading::Converts(cvt) = self.reading else { return false };
        if cvt.to.num != Num::Tf32 || cvt.by != By::Away {
            return false;
        }
        let layout = Layout::of(Ty::F32);
        let left = (operands[0] & (layout.min_normal() - 1)) >> 13;
        layout.is_nan(operands[0]) && left <= u64::from(cvt.satfinite)
    }

    /// Returns the format of the result's lanes and their number, if one NaN may replace another in
    /// this format.
    pub(crate) fn nan_format(&self) -> Option<(Ty, u8)> {
        let to = match self.reading {
            Reading::Computes(form) => return form.result(),
            Reading::Compares(_) => return None,
            Reading::Converts(Cvt { to, .. }) | Reading::Several(Across { to, .. }) => to,
        };
        let ty = match to.num {
            Num::F16 => Ty::F16,
            Num::Bf16 => Ty::Bf16,
            Num::F32 | Num::Tf32 => Ty::F32,
            Num::F64 => Ty::F64,
            _ => return None,
        };
        Some((ty, to.lanes))
    }

    /// Returns `true` if all 2³² pairs are compared.
    pub(crate) fn has_all_pairs(&self) -> bool {
        self.info.operands.len() == 2
            && self.info.operands[0].bits() == 16
            && ["add.rn", "mul.rn", "min", "max"].contains(&self.name.rsplit_once('.').map_or("", |name| name.0))
    }

    /// Returns the number of lines in a whole comparison: one for the lists of operands, and one
    /// for all pairs.
    pub(crate) fn comparisons(&self) -> usize {
        1 + usize::from(self.has_all_pairs())
    }

    /// Returns `true` for the `mad.f32` of sm_1x, which no device executes any more.
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
        assert_eq!(
            (count, compared, converted),
            (418 + 2 + 32 + 448 + 3362 + 1148, 3362, 1148),
            "one kernel per spelling"
        );
    }
}
