//! Lists what is legal, in words, for complaints.

use super::super::spec::model::{Form, OPERANDS, Table};
use super::super::spec::modifier::{Type, ty as ty_named};
use super::super::spec::parse::{Part, Row, Section, Since};

/// The instructions, in the order of the alphabet.
pub(super) fn instructions(table: &Table) -> Vec<&str> {
    let mut names: Vec<_> = table.sections.iter().map(|s| s.instruction.text.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// `add has .f32 (PTX 1.0, sm_10), …`, in the order of the table.
pub(super) fn types(forms: &[&Form]) -> String {
    let mut types: Vec<&Form> = Vec::new();
    for form in forms {
        match types.iter_mut().find(|f| f.ty == form.ty) {
            Some(first) if (form.ptx, form.sm) < (first.ptx, first.sm) => *first = form,
            Some(_) => {}
            None => types.push(form),
        }
    }
    let list: Vec<_> =
        types.iter().map(|f| format!(".{} (PTX {}.{}, sm_{})", f.ty.ptx, f.ptx.0, f.ptx.1, f.sm)).collect();
    format!("the types of {} are {}", forms[0].instruction(), list.join(", "))
}

/// The grammar lines of an instruction on a type, each with its versions.
pub(super) fn rows(forms: &[&Form]) -> String {
    let mut rows: Vec<&Form> = Vec::new();
    for form in forms {
        if !rows.iter().any(|f| std::ptr::eq(f.row(), form.row())) {
            rows.push(form);
        }
    }
    let lines: Vec<_> = rows.iter().map(|f| row(&f.section, f.row(), f.ty)).collect();
    format!("the forms of {}.{} are\n{}", forms[0].instruction(), forms[0].ty.ptx, lines.join("\n"))
}

/// `add{.rn}.bf16 d, a, b  (PTX 7.8, sm_90)`: the row as it reads for one type.
///
/// Sets of one member are replaced by it; the others keep their name, explained after the line.
fn row(section: &Section, row: &Row, ty: &Type) -> String {
    let mut notes = Vec::new();
    let mut line = section.instruction.text.clone();
    for Part { names, optional } in &row.parts {
        line.push_str(if *optional { "{" } else { "" });
        for name in names {
            line.push('.');
            let members: Vec<&str> = section.members(name).iter().map(|n| n.text.as_str()).collect();
            match members[..] {
                [member] => line.push_str(member),
                _ if members.contains(&ty.ptx) => line.push_str(ty.ptx),
                _ => {
                    line.push_str(&name.text);
                    notes.push(format!(".{} = .{}", name.text, members.join(" .")));
                }
            }
        }
        line.push_str(if *optional { "}" } else { "" });
    }
    // A refinement for the type stands for the row's own versions.
    let refined = |since: Since| Since { ptx: since.ptx.or(row.since.ptx), sm: since.sm.or(row.since.sm) };
    let own = row.refinements.iter().find(|(n, _)| n.text == ty.ptx).map_or(row.since, |&(_, s)| refined(s));
    let until = row.until.map(|sm| format!(" to sm_{sm}")).unwrap_or_default();
    notes.push(format!("{}{until}", versions(own)));
    for (name, since) in &row.refinements {
        if ty_named(&name.text).is_none() {
            notes.push(format!(".{} {}", name.text, versions(*since)));
        }
    }
    let operands = OPERANDS[..row.operands.len()].join(", ");
    format!("  {line} {}, {operands}  ({})", row.destination.text, notes.join("; "))
}

fn versions(since: Since) -> String {
    let ptx = since.ptx.map(|(major, minor)| format!("PTX {major}.{minor}"));
    let sm = since.sm.map(|sm| format!("sm_{sm}"));
    ptx.into_iter().chain(sm).collect::<Vec<_>>().join(", ")
}

/// The candidate that differs least from `name`, if it is so close that a slip explains it.
pub(super) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + name.chars().count() / 4;
    let distances = candidates.into_iter().map(|c| (distance(&name.to_lowercase(), &c.to_lowercase()), c));
    // Of equals the first, which `min_by_key` returns.
    distances.filter(|&(d, c)| d <= limit && d < c.len()).min_by_key(|&(d, _)| d).map(|(_, c)| c)
}

/// Insertions, deletions, substitutions and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            d[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let substitution = d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = if swap { d[i - 2][j - 2] + 1 } else { usize::MAX };
                substitution.min(swapped).min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
            };
        }
    }
    d[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ftz", "fzt"), 1);
        assert_eq!(distance("relu", "rel"), 1);
        assert_eq!(distance("sat", "abs"), 3);
    }

    #[test]
    fn nearest_is_near() {
        assert_eq!(nearest("fzt", ["sat", "ftz"]), Some("ftz"));
        assert_eq!(nearest("xorsgin", ["abs", "xorsign"]), Some("xorsign"));
        assert_eq!(nearest("cvt", ["cos", "abs"]), None);
        assert_eq!(nearest("e", ["rn", "abs"]), None);
    }
}
