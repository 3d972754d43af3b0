//! Selection of forms by name.

use anyhow::{Result, ensure};
use wildmatch::WildMatch;

use super::subject::Subject;

/// The forms that run when none is named: every kind of arithmetic once.
const DEFAULT: &[&str] = &[
    "add.rn.f16",
    "mul.rn.f16",
    "min.f16",
    "max.f16",
    "add.rn.bf16",
    "mul.rn.bf16",
    "min.bf16",
    "max.bf16",
    "rcp.approx.f32",
    "rcp.rn.f32",
    "sqrt.approx.f32",
    "sqrt.rn.f32",
    "ex2.approx.f32",
    "tanh.approx.f32",
];

/// The subjects that `patterns` name, in the table's order.
pub(super) fn select(subjects: Vec<Subject>, patterns: &[String], everything: bool) -> Result<Vec<Subject>> {
    if everything {
        return Ok(subjects);
    }
    let patterns: Vec<&str> = match patterns {
        [] => DEFAULT.to_vec(),
        _ => patterns.iter().map(String::as_str).collect(),
    };
    for pattern in &patterns {
        ensure!(
            subjects.iter().any(|s| names(s).any(|name| WildMatch::new(pattern).matches(name))),
            "`{pattern}` names no form whose inputs can be enumerated; `cargo exhaust --list` prints them"
        );
    }
    let named = |s: &Subject| names(s).any(|name| patterns.iter().any(|p| WildMatch::new(p).matches(name)));
    Ok(subjects.into_iter().filter(named).collect())
}

/// The spellings of a form: `add.f16` is `add.rn.f16`.
fn names(subject: &Subject) -> impl Iterator<Item = &str> {
    let name = subject.name.as_str();
    let others = ptxf::spec::FORMS.iter().filter(move |f| f.canonical == name && f.name != name);
    std::iter::once(name).chain(others.map(|f| f.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject;

    fn selected(patterns: &[&str]) -> Vec<String> {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let subjects = select(subject::all(), &patterns, false).unwrap();
        subjects.into_iter().map(|s| s.name).collect()
    }

    #[test]
    fn names_globs_and_other_spellings() {
        assert_eq!(selected(&["add.f16"]), ["add.rn.f16"]);
        assert_eq!(selected(&["ex2.*.f32", "ex2.approx.f32"]), ["ex2.approx.f32", "ex2.approx.ftz.f32"]);
        assert_eq!(selected(&["set.*.xor.ftz.f16.f16"]).len(), 14);
        assert!(select(subject::all(), &["fma.rn.f16".to_owned()], false).is_err(), "three operands are too many");
    }

    #[test]
    fn the_default_names_existing_forms() {
        assert_eq!(selected(&[]).len(), DEFAULT.len());
    }
}
