//! Looks a spelling up in the table, at the user's own tokens: the result is its forms, or a mistake with a way out.

use ptxf_spec::legal::rows;
use ptxf_spec::spelling::{At, Spelling as Text, check};
use ptxf_spec::{Form, OPERANDS, Table};
use syn::{Error, Expr, Result};

use super::parse::{Place, Spelling, Statement};

/// The forms that are spelled so: one, or one for each number of operands.
pub(super) fn spelling<'t>(table: &'t Table, spelling: &Spelling) -> Result<Vec<&'t Form>> {
    let (instruction, names) = (spelling.instruction.to_string(), spelling.names.iter().map(ToString::to_string));
    let names: Vec<String> = names.collect();
    let text = Text { instruction: &instruction, names: names.iter().map(String::as_str).collect() };
    check(table, &text).map_err(|mistake| {
        let message = match mistake.legal {
            Some(legal) => format!("{}\n{legal}", mistake.problem),
            None => mistake.problem,
        };
        match mistake.at {
            At::Instruction => Error::new_spanned(&spelling.instruction, message),
            At::Name(i) => Error::new_spanned(&spelling.names[i], message),
            At::Whole => Error::new_spanned(spelling, message),
        }
    })
}

/// The one of the forms that takes these operands.
pub(super) fn count<'t>(
    table: &'t Table,
    forms: &[&'t Form],
    statement: &Statement,
    given: &[Expr],
) -> Result<&'t Form> {
    if let Some(form) = forms.iter().find(|f| f.operands() == given.len()) {
        return Ok(form);
    }
    let spelling = &statement.spelling;
    let counts: Vec<_> = forms.iter().map(|f| f.operands()).collect();
    let (what, found) = (spelling.text(), given.len());
    let takes = counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    let s = if takes == "1" { "" } else { "s" };
    // The nearest right number.
    let right = counts.iter().copied().min_by_key(|n| n.abs_diff(found)).unwrap_or_default();
    let names = OPERANDS[..right].join(", ");
    let message = match statement.place {
        Place::Value => format!("`{what}` takes {takes} operand{s}, found {found}: write `{what}({names})`"),
        _ => {
            let found = if found + 1 == right {
                format!("{right} in all: if these are the operands, the destination is missing")
            } else {
                format!("a destination and {found}")
            };
            format!("`{what}` takes a destination and {takes} operand{s}, found {found}: write `{what} d, {names};`")
        }
    };
    // The number may be right for other modifiers.
    let first = forms[0];
    let alike: Vec<_> =
        table.forms.iter().filter(|f| f.instruction() == first.instruction() && f.types == first.types).collect();
    let elsewhere = alike.iter().any(|f| f.operands() == found);
    let message = if elsewhere { format!("{message}\n{}", rows(&alike)) } else { message };
    Err(match given.get(right) {
        Some(superfluous) => Error::new_spanned(superfluous, message),
        None => Error::new_spanned(spelling, message),
    })
}
