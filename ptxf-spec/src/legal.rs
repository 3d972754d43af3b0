//! Lists of legal spellings, for error messages.

use std::fmt;

use strsim::osa_distance;

use crate::form::{Form, Target};
use crate::parse::{Part, Row, Section, Since};
use crate::table::Table;
use crate::types::{Type, ty as ty_named};

/// The legal alternatives to a mistake. Displays as one or more lines.
#[derive(Clone, Debug)]
pub enum Legal<'t> {
    /// The instructions of a table.
    Instructions(&'t Table),
    /// The types of these forms.
    Types(Vec<&'t Form>),
    /// The grammar lines of these forms, which have the same types.
    Rows(Vec<&'t Form>),
}

impl fmt::Display for Legal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instructions(table) => write!(f, "the instructions are {}", instructions(table).join(", ")),
            Self::Types(forms) => f.write_str(&types(forms)),
            Self::Rows(forms) => f.write_str(&rows(forms)),
        }
    }
}

/// Returns the instructions in alphabetical order.
pub fn instructions(table: &Table) -> Vec<&str> {
    let mut names: Vec<_> = table.sections.iter().map(|s| s.instruction.text.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns types with dots: `.f16.f32`.
fn dotted(types: &[&'static Type]) -> String {
    types.iter().map(|t| format!(".{}", t.ptx)).collect()
}

/// Returns a list of types in the order of the table: `add has .f32 (PTX 1.0, sm_10), …`.
fn types(forms: &[&Form]) -> String {
    let first = |f: &Form| f.targets.iter().map(|t| (t.ptx, t.sm)).min();
    let mut types: Vec<&Form> = Vec::new();
    for form in forms {
        match types.iter_mut().find(|f| f.types == form.types) {
            Some(known) if first(form) < first(known) => *known = form,
            Some(_) => {}
            None => types.push(form),
        }
    }
    let mut list: Vec<String> = Vec::new();
    for form in &types {
        // All combinations of four narrow numbers are written once.
        let is_quad = |f: &Form| f.types.len() > 1 && f.types.iter().all(|t| t.lanes == 4);
        let names = if is_quad(form) {
            let quads: Vec<_> = types.iter().filter(|f| is_quad(f)).collect();
            (0..form.types.len()).map(|i| one_of(quads.iter().map(|f| f.types[i]))).collect()
        } else {
            dotted(&form.types)
        };
        let entry = format!("{names} ({})", targets(&form.targets));
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
    format!("the types of {} are {}", forms[0].instruction(), list.join(", "))
}

/// Returns types of which one is written: `.{e4m3x4|e5m2x4}`.
fn one_of(types: impl Iterator<Item = &'static Type>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for ty in types {
        if !names.contains(&ty.ptx) {
            names.push(ty.ptx);
        }
    }
    format!(".{{{}}}", names.join("|"))
}

/// Returns versions and targets: `PTX 8.6, sm_100a or PTX 8.8, sm_100f`.
#[must_use]
pub fn targets(targets: &[Target]) -> String {
    let ways: Vec<_> = targets.iter().map(ToString::to_string).collect();
    ways.join(" or ")
}

/// Returns the grammar lines of an instruction on a type, each with its versions.
#[must_use]
pub fn rows(forms: &[&Form]) -> String {
    let mut rows: Vec<&Form> = Vec::new();
    for form in forms {
        if !rows.iter().any(|f| std::ptr::eq(f.row(), form.row())) {
            rows.push(form);
        }
    }
    let lines: Vec<_> = rows.iter().map(|f| row(&f.section, f.row(), &f.types)).collect();
    format!("the forms of {}{} are\n{}", forms[0].instruction(), dotted(&forms[0].types), lines.join("\n"))
}

/// Returns a row for these types: `add{.rn}.bf16 d, a, b  (PTX 7.8, sm_90)`.
///
/// A set with one member is replaced by the member. Other sets keep their names, which are
/// explained after the line.
fn row(section: &Section, row: &Row, types: &[&'static Type]) -> String {
    let mut notes = Vec::new();
    let mut line = section.instruction.text.clone();
    let mut next = types.iter();
    for Part { names, optional } in &row.parts {
        line.push_str(if *optional { "{" } else { "" });
        for name in names {
            line.push('.');
            let members: Vec<&str> = section.members(name).iter().map(|n| n.text.as_str()).collect();
            match members[..] {
                [first, ..] if ty_named(first).is_some() => line.push_str(next.next().map_or(first, |t| t.ptx)),
                [member] => line.push_str(member),
                _ => {
                    line.push_str(&name.text);
                    notes.push(format!(".{} = .{}", name.text, members.join(" .")));
                }
            }
        }
        line.push_str(if *optional { "}" } else { "" });
    }
    // A refinement for the type replaces the row's own versions.
    let refined = row.refinements.iter().find(|(n, _)| types.iter().any(|t| n.text == t.ptx)).map(|&(_, s)| s);
    let own: Vec<_> = row
        .since
        .iter()
        .map(|own| versions(refined.map_or(*own, |r| Since { ptx: r.ptx.or(own.ptx), sm: r.sm.or(own.sm) })))
        .collect();
    let until = row.until.map(|sm| format!(" to sm_{sm}")).unwrap_or_default();
    notes.push(format!("{}{until}", own.join(" or ")));
    for (name, since) in &row.refinements {
        if ty_named(&name.text).is_none() {
            notes.push(format!(".{} {}", name.text, versions(*since)));
        }
    }
    let operands = row.grammar.split_once(' ').map_or("", |(_, operands)| operands);
    format!("  {line} {operands}  ({})", notes.join("; "))
}

fn versions(since: Since) -> String {
    let ptx = since.ptx.map(|(major, minor)| format!("PTX {major}.{minor}"));
    let sm = since.sm.map(|sm| sm.to_string());
    ptx.into_iter().chain(sm).collect::<Vec<_>>().join(", ")
}

/// Returns the candidate that differs least from `name`; `None` if all differ too much to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + name.chars().count() / 4;
    let distances = candidates.into_iter().map(|c| (osa_distance(&name.to_lowercase(), &c.to_lowercase()), c));
    // `min_by_key` returns the first of equal candidates.
    distances.filter(|&(d, c)| d <= limit && d < c.len()).min_by_key(|&(d, _)| d).map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_is_near() {
        assert_eq!(nearest("fzt", ["sat", "ftz"]), Some("ftz"));
        assert_eq!(nearest("xorsgin", ["abs", "xorsign"]), Some("xorsign"));
        assert_eq!(nearest("cvt", ["cos", "abs"]), None);
        assert_eq!(nearest("e", ["rn", "abs"]), None);
    }
}
