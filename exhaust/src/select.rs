//! Which forms to run.

use anyhow::{Result, ensure};

use super::subject::Subject;

/// What runs when nothing is named: every kind of arithmetic once.
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
            subjects.iter().any(|s| names(s).any(|name| matches(pattern, name))),
            "`{pattern}` names no form whose inputs can be enumerated; `cargo exhaust --list` prints them"
        );
    }
    let named = |s: &Subject| names(s).any(|name| patterns.iter().any(|p| matches(p, name)));
    Ok(subjects.into_iter().filter(named).collect())
}

/// The spellings of a form: `add.f16` is `add.rn.f16`.
fn names(subject: &Subject) -> impl Iterator<Item = &'static str> {
    let name = subject.name;
    let others = ptxf::spec::FORMS.iter().filter(move |f| f.canonical == name && f.name != name);
    std::iter::once(name).chain(others.map(|f| f.name))
}

/// Whether `text` is matched by a pattern in which `*` stands for anything and `?` for a character.
fn matches(pattern: &str, text: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => text.is_empty(),
        Some('*') => {
            let mut tails = text.char_indices().map(|(i, _)| &text[i..]).chain([""]);
            tails.any(|tail| matches(rest.as_str(), tail))
        }
        Some(c) => {
            let mut tail = text.chars();
            tail.next().is_some_and(|t| c == '?' || c == t) && matches(rest.as_str(), tail.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject;

    fn selected(patterns: &[&str]) -> Vec<&'static str> {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        let subjects = select(subject::all(), &patterns, false).unwrap();
        subjects.iter().map(|s| s.name).collect()
    }

    #[test]
    fn globs() {
        assert!(matches("ex2.*.f32", "ex2.approx.ftz.f32"));
        assert!(matches("*", "") && matches("**", "abc") && matches("a?c", "abc"));
        assert!(!matches("*.f16", "add.bf16") && !matches("add", "add.f16") && !matches("?", ""));
    }

    #[test]
    fn names_globs_and_other_spellings() {
        assert_eq!(selected(&["add.f16"]), ["add.rn.f16"]);
        assert_eq!(selected(&["ex2.*.f32", "ex2.approx.f32"]), ["ex2.approx.f32", "ex2.approx.ftz.f32"]);
        assert!(select(subject::all(), &["fma.rn.f16".to_owned()], false).is_err(), "three operands are too many");
    }

    #[test]
    fn the_default_names_existing_forms() {
        assert_eq!(selected(&[]).len(), DEFAULT.len());
    }
}
