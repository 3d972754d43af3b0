//! What is wrong with a spelling that is not legal, and the nearest one that is.
//!
//! Everything is read off the table, part by part (instruction, modifiers, type): comparing whole names letter by letter
//! would call `add.sat.f16` the neighbour of `add.sat.bf16`, and be slow for a stream of wrong names.

use std::collections::HashSet;
use std::sync::LazyLock;

use ptxf::spec::{FORMS, FormInfo, Type};

use crate::operand::excerpt;

/// A judgement on an illegal spelling.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    /// What is wrong, in one line.
    pub problem: String,
    /// A legal form's name.
    pub nearest: &'static str,
}

/// The parts that names are made of, in the table's order.
struct Vocabulary {
    instructions: Vec<&'static str>,
    /// Without their dots.
    modifiers: Vec<&'static str>,
    types: Vec<(Type, String)>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut v = Vocabulary { instructions: Vec::new(), modifiers: Vec::new(), types: Vec::new() };
    for form in FORMS {
        if !v.instructions.contains(&form.instruction) {
            v.instructions.push(form.instruction);
        }
        for m in modifiers(form) {
            if !v.modifiers.contains(&m) {
                v.modifiers.push(m);
            }
        }
        if !v.types.iter().any(|&(ty, _)| ty == form.ty) {
            v.types.push((form.ty, form.ty.to_string()));
        }
    }
    v
});

fn modifiers(form: &'static FormInfo) -> impl Iterator<Item = &'static str> {
    form.modifiers.iter().map(|m| m.name.trim_start_matches('.'))
}

fn has(form: &'static FormInfo, modifier: &str) -> bool {
    modifiers(form).any(|m| m == modifier)
}

/// More than any name has.
const LONGEST: usize = 64;

/// Judges a name that is not in the table.
pub(crate) fn diagnose(name: &str) -> Diagnosis {
    let mut problems = Vec::new();
    // Longer than any name; what follows changes nothing and would only take time.
    let name = match name.char_indices().nth(LONGEST) {
        None => name,
        Some((end, _)) => {
            problems.push(format!("no form has a name of more than {LONGEST} characters"));
            name[..end].rsplit_once('.').map_or(&name[..end], |(whole, _)| whole)
        }
    };
    if let Some((form, whose)) = other_name(name) {
        return Diagnosis { problem: format!("that is {whose}'s name"), nearest: form.name };
    }
    let mut parts = name.split('.');
    let given = parts.next().unwrap_or_default();
    let instruction = instruction(given, &mut problems);
    let wanted = read(parts, &mut problems);
    let nearest = wanted.nearest(instruction, &mut problems);
    // A mistake that was made again and again is said once.
    let mut said = HashSet::new();
    problems.retain(|problem| said.insert(problem.clone()));
    Diagnosis { problem: problems.join("; "), nearest }
}

/// The form that CUDA or Rust calls so.
fn other_name(name: &str) -> Option<(&'static FormInfo, &'static str)> {
    let rust = name.trim_start_matches("ptxf::").trim_start_matches("ptx::");
    let is_rust = |f: &&FormInfo| f.function == rust || f.method == Some(rust);
    let found = |whose| move |f| (f, whose);
    FORMS
        .iter()
        .find(is_rust)
        .map(found("Rust"))
        .or_else(|| FORMS.iter().find(|f| f.cuda.contains(&name)).map(found("CUDA")))
}

fn instruction(given: &str, problems: &mut Vec<String>) -> &'static str {
    let known = &VOCABULARY.instructions;
    let (nearest, _) = closest(given, known.iter().copied());
    if given != nearest {
        problems.push(if given.is_empty() {
            "it does not start with an instruction".to_owned()
        } else {
            format!("there is no instruction {}", excerpt(given))
        });
    }
    nearest
}

/// What an illegal name asks for.
struct Wanted {
    modifiers: Vec<&'static str>,
    ty: Option<Type>,
    ty_is_last: bool,
}

/// Reads the parts behind the instruction, mending what is misspelled.
fn read<'a>(parts: impl Iterator<Item = &'a str>, problems: &mut Vec<String>) -> Wanted {
    let mut wanted = Wanted { modifiers: Vec::new(), ty: None, ty_is_last: true };
    let vocabulary = &*VOCABULARY;
    for part in parts {
        if part.is_empty() {
            problems.push("a dot has nothing behind it".to_owned());
            continue;
        }
        let known = vocabulary.modifiers.iter().copied().chain(vocabulary.types.iter().map(|(_, t)| t.as_str()));
        let (nearest, distance) = closest(part, known);
        if nearest.eq_ignore_ascii_case(part) && nearest != part {
            problems.push(format!(".{part} is spelled .{nearest}"));
        } else if distance > 0 {
            problems.push(format!(".{} is neither a modifier nor a type", excerpt(part)));
        }
        if distance > 1.max(part.chars().count() / 2) {
            continue;
        }
        let ty = vocabulary.types.iter().find(|(_, t)| t == nearest).map(|&(ty, _)| ty);
        wanted.ty_is_last = ty.is_some() || wanted.ty.is_none();
        if let Some(ty) = ty {
            if let Some(first) = wanted.ty.replace(ty) {
                problems.push(format!("it has two types, .{first} and .{nearest}"));
            }
        } else if wanted.modifiers.contains(&nearest) {
            problems.push(format!(".{nearest} stands twice"));
        } else {
            wanted.modifiers.push(nearest);
        }
    }
    wanted
}

impl Wanted {
    /// The legal form nearest to this one, saying what keeps them apart.
    fn nearest(&self, instruction: &str, problems: &mut Vec<String>) -> &'static str {
        let all = || FORMS.iter().filter(|f| f.instruction == instruction);
        let types = VOCABULARY.types.iter().filter(|(ty, _)| all().any(|f| f.ty == *ty)).map(|(_, name)| name.as_str());
        let ty = match self.ty {
            Some(ty) if all().any(|f| f.ty == ty) => Some(ty),
            Some(ty) => {
                let others: Vec<_> = types.clone().collect();
                problems.push(format!("{instruction} has no .{ty} forms, only {}", list(&others)));
                let (name, _) = closest(&ty.to_string(), types);
                VOCABULARY.types.iter().find(|(_, t)| t == name).map(|&(ty, _)| ty)
            }
            None => {
                problems.push("the type is missing at its end".to_owned());
                None
            }
        };
        let candidates: Vec<_> = all().filter(|f| ty.is_none_or(|ty| f.ty == ty)).collect();
        let cost = |f: &'static FormInfo| {
            let lost = self.modifiers.iter().filter(|m| !has(f, m)).count();
            let added = modifiers(f).filter(|m| !self.modifiers.contains(m)).count();
            // Where any rounding would do, the one people mean.
            (2 * lost + added, !has(f, "rn"))
        };
        let Some(&nearest) = candidates.iter().min_by_key(|f| cost(f)) else { return FORMS[0].name };
        let what = ty.map_or(instruction.to_owned(), |ty| format!("{instruction}.{ty}"));
        self.explain(&what, nearest, &candidates, problems);
        nearest.name
    }

    /// Says why this is not `nearest`; `what` is the instruction with its type.
    fn explain(
        &self,
        what: &str,
        nearest: &'static FormInfo,
        candidates: &[&'static FormInfo],
        problems: &mut Vec<String>,
    ) {
        let before = problems.len();
        for &m in &self.modifiers {
            if has(nearest, m) {
                continue;
            }
            if !candidates.iter().any(|f| has(f, m)) {
                let mut others: Vec<String> = FORMS
                    .iter()
                    .filter(|f| f.instruction == nearest.instruction && has(f, m))
                    .map(|f| format!("{}.{}", f.instruction, f.ty))
                    .collect();
                others.dedup();
                let where_else = if others.is_empty() { String::new() } else { format!(" ({} do)", list(&others)) };
                let where_else = if others.len() == 1 { where_else.replace(" do)", " does)") } else { where_else };
                problems.push(format!("{what} does not have .{m}{where_else}"));
            } else if let Some(other) =
                self.modifiers.iter().find(|&&o| o != m && !candidates.iter().any(|f| has(f, m) && has(f, o)))
            {
                problems.push(format!("{what} cannot have both .{other} and .{m}"));
            } else {
                problems.push(format!("{what} does not have .{m} with these other modifiers"));
            }
        }
        if let Some(missing) = modifiers(nearest).find(|m| !self.modifiers.contains(m)) {
            // What could stand in its place.
            let rest = |f, m| modifiers(f).filter(|&o| o != m).collect::<Vec<_>>();
            let mut choice = vec![missing];
            for f in candidates {
                for m in modifiers(f) {
                    if !choice.contains(&m) && rest(f, m) == rest(nearest, missing) {
                        choice.push(m);
                    }
                }
            }
            let rounding = ["rn", "rz", "rm", "rp"].contains(&missing);
            let kind = if rounding { "the rounding is missing" } else { "a modifier is missing" };
            problems.push(match choice.as_slice() {
                [one] => format!("{kind}: .{one}"),
                [first, others @ ..] => format!("{kind}: .{first}, or else {}", list(others)),
                [] => kind.to_owned(),
            });
        }
        if problems.len() == before && !modifiers(nearest).eq(self.modifiers.iter().copied()) {
            problems.push("its modifiers are in the wrong order".to_owned());
        }
        if self.ty.is_some() && !self.ty_is_last {
            problems.push("the type has to stand at the end".to_owned());
        }
    }
}

/// `.a, .b, .c`; names with a dot inside stay as they are.
fn list(items: &[impl AsRef<str>]) -> String {
    let dotted = |s: &str| if s.contains('.') { s.to_owned() } else { format!(".{s}") };
    items.iter().map(|i| dotted(i.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The word at the smallest edit distance, the first of equals.
fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> (&'a str, usize) {
    known.map(|k| (k, distance(word, k))).min_by_key(|&(_, d)| d).unwrap_or(("", usize::MAX))
}

/// Letters to insert, delete, replace, or swap with their neighbour to get from `a` to `b`; case does not count.
fn distance(a: &str, b: &str) -> usize {
    // Longer than any word of the vocabulary; small and on the stack, as a stream of wrong names asks for it often.
    const LONGEST: usize = 31;
    let b = &b.as_bytes()[..b.len().min(LONGEST)];
    let mut before = [0_u8; LONGEST + 1];
    let mut last: [u8; LONGEST + 1] = std::array::from_fn(|j| j as u8);
    let mut left = '\0';
    for (i, c) in (0_u8..100).zip(a.chars().map(|c| c.to_ascii_lowercase())) {
        let letter = |j: usize| char::from(b[j].to_ascii_lowercase());
        let mut row = [i + 1; LONGEST + 1];
        for j in 0..b.len() {
            let mut best = (last[j] + u8::from(c != letter(j))).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && c == letter(j - 1) && left == letter(j) {
                best = best.min(before[j - 1] + 1);
            }
            row[j + 1] = best;
        }
        before = std::mem::replace(&mut last, row);
        left = c;
    }
    usize::from(last[b.len()])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{diagnose, distance};

    #[test]
    fn distances() {
        let d = distance;
        assert_eq!((d("fzt", "ftz"), d("", "rn"), d("sqr", "sqrt"), d("min", "max")), (1, 2, 1, 2));
        assert_eq!((d("é", ""), d("Sqrt", "sqrt"), d("abc", "ca")), (1, 0, 3));
    }

    #[test]
    fn every_kind_of_mistake() {
        for (name, nearest, part) in [
            ("fma.f16", "fma.rn.f16", "rounding is missing: .rn"),
            ("fma.f64", "fma.rn.f64", "or else .rz, .rm, .rp"),
            ("fma.ftz.rn.f16", "fma.rn.ftz.f16", "wrong order"),
            ("fma.f16.rn", "fma.rn.f16", "type has to stand at the end"),
            ("add.sat.bf16", "add.bf16", "add.bf16 does not have .sat (add.f32, add.f16, add.f16x2 do)"),
            ("add.rz.f16", "add.f16", "add.f16 does not have .rz (add.f32, add.f32x2, add.f64 do)"),
            ("fma.rn.sat.relu.f16", "fma.rn.sat.f16", "cannot have both .sat and .relu"),
            ("fma.rn.fzt.f16", "fma.rn.ftz.f16", ".fzt is neither a modifier nor a type"),
            ("min.nan.f16", "min.NaN.f16", ".nan is spelled .NaN"),
            ("FMA.rn.f16", "fma.rn.f16", "no instruction FMA"),
            ("fmaa.rn.f16", "fma.rn.f16", "no instruction fmaa"),
            ("add.ftz.ftz.f16", "add.ftz.f16", ".ftz stands twice"),
            ("sqrt.f32", "sqrt.rn.f32", "rounding is missing: .rn, or else .approx, .rz, .rm, .rp"),
            ("testp.normal.f16", "testp.normal.f32", "testp has no .f16 forms, only .f32, .f64"),
            ("testp.f32", "testp.finite.f32", "a modifier is missing"),
            ("max.xorsign.f16", "max.xorsign.abs.f16", "a modifier is missing: .abs"),
            ("add.rn", "add.rn.f32", "type is missing"),
            ("add.f32.f16", "add.f16", "two types, .f32 and .f16"),
            ("add..f16", "add.f16", "dot has nothing"),
            (&format!("add.f16.{}", "x".repeat(80)), "add.f16", "no form has a name of more than 64 characters"),
            ("", "add.f32", "does not start with an instruction"),
            (".f16", "add.f16", "does not start with an instruction"),
            ("__hfma2_relu", "fma.rn.relu.f16x2", "CUDA's name"),
            ("fma_rn_f16", "fma.rn.f16", "Rust's name"),
            ("F16x2::fma_rn", "fma.rn.f16x2", "Rust's name"),
        ] {
            let d = diagnose(name);
            assert_eq!(d.nearest, nearest, "{name}: {}", d.problem);
            assert!(d.problem.contains(part), "{name}: {}", d.problem);
        }
    }

    #[test]
    fn anything_at_all_is_judged() {
        for name in ["…", "........", "é.é", &"x".repeat(5000), &".ftz".repeat(2000), "\0"] {
            let problem = diagnose(name).problem;
            let said: Vec<&str> = problem.split("; ").collect();
            assert!(
                !problem.is_empty() && said.iter().collect::<HashSet<_>>().len() == said.len(),
                "{name:?}: {problem}"
            );
        }
    }
}
