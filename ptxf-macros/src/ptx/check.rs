//! Looks a spelling up in the table: the result is its forms, or an error on the user's token that
//! says what to write.

use ptxf_spec::legal::rows;
use ptxf_spec::parse::Second;
use ptxf_spec::spelling::{At, Found, Spelling as Text, check};
use ptxf_spec::{Form, Table};
use syn::{Error, Expr, Result};

use super::parse::{Destination, Place, Spelling, Statement, Word};

/// Returns the forms with this spelling.
pub(super) fn spelling<'t>(table: &'t Table, spelling: &Spelling) -> Result<Found<'t>> {
    let (instruction, names) = (spelling.instruction.to_string(), spelling.names.iter().map(Word::text));
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

/// Returns the form that takes this number of operands.
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
    // The message names the nearest correct number.
    let nearest = forms.iter().min_by_key(|f| f.operands().abs_diff(found)).expect("a spelling has a form");
    let (right, names) = (nearest.operands(), nearest.line(|o| o.name.text.clone()));
    let destination = match nearest.row().second {
        Second::Required => "p|q",
        _ => "d",
    };
    let message = match statement.place {
        Place::Value => format!("`{what}` takes {takes} operand{s}, found {found}: write `{what}({names})`"),
        _ => {
            let found = if found + 1 == right {
                format!("{right} in all: if these are the operands, the destination is missing")
            } else {
                format!("a destination and {found}")
            };
            format!(
                "`{what}` takes a destination and {takes} operand{s}, found {found}: write `{what} {destination}, {names};`"
            )
        }
    };
    // The number may be correct with other modifiers.
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

/// Checks that the form writes as many predicates or results as the line binds.
pub(super) fn destination(form: &Form, statement: &Statement, destination: &Destination) -> Result<()> {
    let (what, operands) = (statement.spelling.text(), form.line(|o| o.name.text.clone()));
    match (form.row().second, &destination.second) {
        (Second::None, Some((bar, _))) => {
            let message = format!("`{what}` writes one result and no second predicate: write `{what} d, {operands};`");
            Err(Error::new_spanned(bar, message))
        }
        (Second::Required, None) => {
            let message = format!(
                "`{what}` writes two predicates, the lower lane's and the upper lane's: write `{what} p|q, {operands};`"
            );
            Err(Error::new_spanned(destination, message))
        }
        _ => Ok(()),
    }
}
