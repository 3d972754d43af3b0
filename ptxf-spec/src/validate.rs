//! Checks that the grammar cannot express: no duplicates, nothing unused, and only known functions
//! with their operands.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::form::Form;
use crate::lex::Complaint;
use crate::meaning::{MEANINGS, Shape, meaning};
use crate::modifier::{Group, modifier};
use crate::parse::{Name, Row, Section, Set};
use crate::table::{Table, known};
use crate::types::ty;

/// Appends the errors of the table to `complaints`.
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

/// Checks that spellings and functions are unique.
fn unique(table: &Table, complaints: &mut Vec<Complaint>) {
    let (mut spellings, mut functions) = (BTreeMap::new(), BTreeMap::new());
    for form in &table.forms {
        let pos = form.row().pos;
        let (spelling, function) = (form.spelling(), form.function());
        if let Some(first) = spellings.get(&(spelling.clone(), form.operands())) {
            complaints.push(pos.error(format!("`{spelling}` stands in the table already, at {first:?}")));
            continue;
        }
        if form.implicit_rn.is_none()
            && let Some(first) = functions.insert(function.clone(), pos)
        {
            complaints.push(pos.error(format!("the function `{function}` is taken already, at {first:?}")));
        }
        spellings.insert((spelling, form.operands()), pos);
    }
}

/// Checks operands, function and versions of a row with these forms. There are none if the row
/// could not be expanded.
fn row<'a>(row: &Row, forms: impl Iterator<Item = &'a Form> + Clone, complaints: &mut Vec<Complaint>) {
    let destination = &row.destination.name;
    if !["d", "p"].contains(&destination.text.as_str()) {
        let what = format!("the destination is called `d`, or `p` if it is a predicate, not `{}`", destination.text);
        complaints.push(destination.pos.error(what));
    }
    for operand in row.operands.iter().filter(|o| o.optional) {
        let brings = |f: &Form| f.inputs().any(|o| o.name.text == operand.name.text);
        let scales = |f: &Form| f.of_group(Group::Scale).is_some();
        // All forms of a row may have a scale, and all need its modifier then.
        let (all, any) = (forms.clone().all(brings) && !forms.clone().all(scales), forms.clone().any(brings));
        if forms.clone().next().is_some() && all == any {
            let what = format!("`{{, {0}}}` needs a modifier that asks for `{0}` in braces too", operand.name.text);
            complaints.push(operand.name.pos.error(what));
        }
    }
    let (named, count) = (&row.meaning, row.operands.iter().filter(|o| !o.optional).count());
    match meaning(&named.text) {
        None => {
            let all: Vec<_> = MEANINGS.iter().map(|m| m.name).collect();
            let message = format!("unknown meaning `{}`; the meanings are {}", named.text, all.join(", "));
            complaints.push(named.pos.error(message));
        }
        Some(m) if m.operands != count => {
            let s = if m.operands == 1 { "" } else { "s" };
            complaints
                .push(named.pos.error(format!("`{}` takes {} operand{s}, this row has {count}", m.name, m.operands)));
        }
        Some(m) => {
            if let Some(why) = forms.clone().find_map(|f| m.shape.refuses(&f.signature, count)) {
                complaints.push(named.pos.error(format!("`{}` {why}", m.name)));
            }
            for form in forms.clone() {
                let has = |group| match group {
                    Group::Comparison => !form.operators.comparisons.is_empty(),
                    _ => form.modifiers.first().is_some_and(|m| m.group == group),
                };
                for (group, shape, what) in [
                    (Group::Property, Shape::Property, "a property such as `.finite`"),
                    (Group::Comparison, Shape::Compare, "a comparison such as `.lt`"),
                ] {
                    let what = match (m.shape == shape, has(group)) {
                        (true, false) => format!("`{}` needs {what} first", m.name),
                        (false, true) => format!("`{}` does not know {what}", m.name),
                        _ => continue,
                    };
                    complaints.push(row.pos.error(format!("`{}`: {what}", form.spelling())));
                }
            }
        }
    }
    if let (Some(until), Some(sm)) = (row.until, row.since[0].sm)
        && until < sm.number
    {
        complaints.push(row.pos.error(format!("this row ends at sm_{until}, before it begins at {sm}")));
    }
    if let (Some((name, _)), 2..) = (row.refinements.first(), row.since.len()) {
        let what = "a row with several targets has no refinements: write a row of its own for";
        complaints.push(name.pos.error(format!("{what} `.{}`", name.text)));
    }
    for (name, _) in &row.refinements {
        if let Err(e) = known(name) {
            complaints.push(e);
        } else if forms.clone().next().is_some() && !forms.clone().any(|f| f.names().contains(&name.text.as_str())) {
            complaints.push(name.pos.error(format!("no form of this row has `.{}`", name.text)));
        }
    }
}

/// Checks that a section's sets, examples and aliases are known and used.
fn section(section: &Section, forms: &[&Form], complaints: &mut Vec<Complaint>) {
    if section.doc.first().is_none_or(String::is_empty) {
        complaints.push(section.instruction.pos.error("this section has no summary: write `/// …` after it"));
    } else if !section.doc[0].ends_with('.') || section.doc.get(1).is_some_and(|line| !line.is_empty()) {
        let message =
            "the summary of this section has no end: write one sentence in one line, and an empty line after it";
        complaints.push(section.instruction.pos.error(message));
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
    // The other checks need all forms. If a row could not be expanded, they would report wrong
    // errors.
    if !(0..section.rows.len()).all(|i| forms.iter().any(|f| f.row == i)) {
        return;
    }
    for (i, example) in section.examples.iter().enumerate() {
        if example.filter.iter().all(|n| known(n).is_ok()) && !forms.iter().any(|f| f.examples.contains(&i)) {
            complaints.push(example.pos.error("no form of this section needs this example"));
        }
    }
    for alias in &section.aliases {
        if !forms.iter().any(|f| alias.names(&f.names())) {
            complaints.push(alias.pos.error(format!("no form of this section is meant by \"{}\"", alias.function)));
        }
    }
}
