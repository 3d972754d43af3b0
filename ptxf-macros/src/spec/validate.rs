//! What the grammar cannot say: nothing twice, nothing unused, only known meanings with their operands.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lex::Complaint;
use super::model::{Form, OPERANDS, Table, known};
use super::modifier::{PROPERTY, modifier, ty};
use super::parse::{Name, Row, Section, Set};

/// The functions of `ptxf_core::sem` that a row may name, with their number of operands.
pub(super) const MEANINGS: &[(&str, usize)] = &[
    ("abs", 1),
    ("add", 2),
    ("copysign", 2),
    ("cos", 1),
    ("div", 2),
    ("div_approx", 2),
    ("ex2", 1),
    ("fma", 3),
    ("lg2", 1),
    ("mad_sm1x", 3),
    ("max", 2),
    ("max3", 3),
    ("min", 2),
    ("min3", 3),
    ("mul", 2),
    ("neg", 1),
    ("rcp", 1),
    ("rcp_approx_f64", 1),
    ("rsqrt_approx", 1),
    ("rsqrt_approx_f64", 1),
    ("sin", 1),
    ("sqrt", 1),
    ("sub", 2),
    ("tanh", 1),
    ("testp", 1),
];

/// Adds what is wrong with the table to `complaints`.
pub(crate) fn validate(table: &Table, complaints: &mut Vec<Complaint>) {
    unique(table, complaints);
    for s in &table.sections {
        let forms: Vec<&Form> = table.forms.iter().filter(|f| Arc::ptr_eq(&f.section, s)).collect();
        if s.rows.is_empty() {
            complaints.push(s.instruction.pos.error("this section has no row"));
        }
        for (i, r) in s.rows.iter().enumerate() {
            row(r, forms.iter().copied().filter(|f| f.row == i), complaints);
        }
        section(s, &forms, complaints);
    }
}

/// No spelling twice, no function twice.
fn unique(table: &Table, complaints: &mut Vec<Complaint>) {
    let (mut spellings, mut functions) = (BTreeMap::new(), BTreeMap::new());
    for form in &table.forms {
        let pos = form.row().pos;
        let (spelling, function) = (form.spelling(), form.function());
        if let Some(first) = spellings.get(&(spelling.clone(), form.operands())) {
            complaints.push(pos.error(format!("`{spelling}` stands in the table already, at {first:?}")));
            continue;
        }
        if !form.implicit_rn
            && let Some(first) = functions.insert(function.clone(), pos)
        {
            complaints.push(pos.error(format!("the function `{function}` is taken already, at {first:?}")));
        }
        spellings.insert((spelling, form.operands()), pos);
    }
}

/// Operands, meaning and versions of a row with these forms; none if it could not be expanded.
fn row<'a>(row: &Row, forms: impl Iterator<Item = &'a Form> + Clone, complaints: &mut Vec<Complaint>) {
    let destination = &row.destination;
    if !["d", "p"].contains(&destination.text.as_str()) {
        let what = format!("the destination is called `d`, or `p` if it is a predicate, not `{}`", destination.text);
        complaints.push(destination.pos.error(what));
    }
    if row.operands.is_empty() || row.operands.len() > OPERANDS.len() {
        complaints.push(row.pos.error(format!("a row has 1 to {} operands after its destination", OPERANDS.len())));
    }
    for (operand, name) in row.operands.iter().zip(OPERANDS) {
        if operand.text != name {
            complaints.push(operand.pos.error(format!("this operand is called `{name}`, not `{}`", operand.text)));
        }
    }
    let meaning = &row.meaning;
    let (count, predicate) = (row.operands.len(), row.destination.text == "p");
    match MEANINGS.iter().find(|(m, _)| *m == meaning.text) {
        None => {
            let all: Vec<_> = MEANINGS.iter().map(|m| m.0).collect();
            let message = format!("unknown meaning `{}`; the meanings are {}", meaning.text, all.join(", "));
            complaints.push(meaning.pos.error(message));
        }
        Some((m, n)) if *n != count => {
            complaints.push(
                meaning
                    .pos
                    .error(format!("`{m}` takes {n} operand{}, this row has {count}", if *n == 1 { "" } else { "s" })),
            );
        }
        Some((m, _)) if predicate != (*m == "testp") => {
            let message = if predicate {
                format!("the destination `p` is a predicate, the result of `{m}` is none: call it `d`")
            } else {
                format!("the result of `{m}` is a predicate: call the destination `p`")
            };
            complaints.push(meaning.pos.error(message));
        }
        Some(_) => {}
    }
    for form in forms.clone() {
        if predicate != form.modifiers.first().is_some_and(|m| m.rank == PROPERTY) {
            let what = form.spelling();
            complaints
                .push(row.pos.error(format!("`{what}`: a property such as `.finite` and a predicate go together")));
        }
    }
    if let (Some(until), Some(sm)) = (row.until, row.since.sm)
        && until < sm
    {
        complaints.push(row.pos.error(format!("this row ends at sm_{until}, before it begins at sm_{sm}")));
    }
    for (name, _) in &row.refinements {
        if let Err(e) = known(name) {
            complaints.push(e);
        } else if forms.clone().next().is_some() && !forms.clone().any(|f| f.ty.ptx == name.text || f.has(&name.text)) {
            complaints.push(name.pos.error(format!("no form of this row has `.{}`", name.text)));
        }
    }
}

/// A section's sets, examples and aliases are known and used.
fn section(section: &Section, forms: &[&Form], complaints: &mut Vec<Complaint>) {
    if section.doc.first().is_none_or(String::is_empty) {
        complaints.push(section.instruction.pos.error("this section has no summary: write `/// …` after it"));
    }
    for (i, Set { name: Name { text, pos }, .. }) in section.sets.iter().enumerate() {
        if modifier(text).is_some() || ty(text).is_some() {
            complaints.push(pos.error(format!("`.{text}` is a name of PTX itself: call the set something else")));
        } else if section.sets[..i].iter().any(|s| s.name.text == *text) {
            complaints.push(pos.error(format!("the set `.{text}` is defined twice in this section")));
        } else if !section.rows.iter().flat_map(|r| &r.parts).flat_map(|p| &p.names).any(|n| n.text == *text) {
            complaints.push(pos.error(format!("no row of this section has `.{text}`")));
        }
    }
    let filters = section.examples.iter().flat_map(|e| &e.filter);
    complaints.extend(filters.filter_map(|n| known(n).err()));
    // The rest judges by the forms: it would blame the innocent if a row could not be expanded.
    if !(0..section.rows.len()).all(|i| forms.iter().any(|f| f.row == i)) {
        return;
    }
    for (i, example) in section.examples.iter().enumerate() {
        if example.filter.iter().all(|n| known(n).is_ok()) && !forms.iter().any(|f| f.example == i) {
            complaints.push(example.pos.error("no form of this section needs this example"));
        }
    }
    for alias in &section.aliases {
        if !forms.iter().any(|f| alias.names(&f.names())) {
            complaints.push(alias.pos.error(format!("no form of this section is meant by \"{}\"", alias.function)));
        }
    }
}
