//! The table's forms as the commands need them.

use std::sync::LazyLock;

use ptxf::spec::{FORMS, FormInfo};
use testutil::{Form, Op};

/// A form that has a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its line of the table.
    pub info: &'static FormInfo,
    /// The same as `testutil` reads it.
    pub form: Form,
}

/// Every form with a function of its own, in the table's order.
pub(crate) fn all() -> &'static [Subject] {
    static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
        let own = FORMS.iter().filter(|info| info.name == info.canonical);
        own.map(|info| Subject { info, form: Form::parse(info.name).expect("testutil knows every form") }).collect()
    });
    &ALL
}

/// The form with this spelling, the one with fewer operands if there are two.
pub(crate) fn named(name: &str) -> Subject {
    let same = all().iter().filter(|f| f.info.name == name);
    *same.min_by_key(|f| f.info.operands.len()).unwrap_or_else(|| panic!("`{name}` is no form"))
}

impl Subject {
    /// Bytes of an operand; all of a form's operands have as many.
    #[must_use]
    pub fn width(&self) -> usize {
        self.info.operands[0].bits() as usize / 8
    }

    /// Bytes of a result as the probes store it.
    #[must_use]
    pub fn result_width(&self) -> usize {
        self.info.result.bits().div_ceil(8) as usize
    }

    /// Whether a NaN result has promised bits: of `.NaN` and `.relu` (manual 9.7.3.11, 9.7.4.4), and of the two forms that
    /// compute the upper word of an f64 (9.7.3.14, 9.7.3.17).
    pub(crate) fn promises_nan(&self) -> bool {
        self.form.nan || self.form.relu || self.form.is_high_word()
    }

    /// Whether all 2³² pairs are compared.
    pub(crate) fn has_all_pairs(&self) -> bool {
        self.info.operands.len() == 2
            && self.info.operands[0].bits() == 16
            && ["add.rn", "mul.rn", "min", "max"].contains(&self.info.name.rsplit_once('.').map_or("", |name| name.0))
    }

    /// Whether this build's `mad.f32` of sm_1x, which no device has any more.
    pub(crate) fn is_history(&self) -> bool {
        self.info.until.is_some() || self.form.op == Op::Mad && self.form.is_legacy_mad()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_pairs_are_the_eight() {
        let mut names: Vec<&str> = all().iter().map(|f| f.info.identifier).collect();
        let pairs: Vec<&str> = all().iter().filter(|f| f.has_all_pairs()).map(|f| f.info.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(pairs.len(), 8, "{pairs:?}");
        macro_rules! count {
            ($($name:ident $function:ident($($argument:path,)?) $form:literal ($($operand:ident)*) $result:ident;)*) => {
                [$($form),*].len()
            };
        }
        assert_eq!(count, ptxf::for_each_form!(count), "one kernel per form");
    }
}
