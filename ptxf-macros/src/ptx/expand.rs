//! From checked lines to calls of `ptxf::ptx`.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use ptxf_spec::parse::Second;
use ptxf_spec::{Form, Table};
use quote::quote;
use syn::{Error, Result};

use super::parse::{Destination, Place, Statement};
use super::{check, parse};
use crate::expand::chosen;

/// Expands `[crate path] statements`.
///
/// Destinations become `let`s. A call at the end makes the expansion an expression. A mistake
/// becomes `compile_error!` in the place of its value.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let path = match tokens.next() {
        Some(TokenTree::Group(path)) => path,
        other => {
            return Error::new_spanned(other, "`ptxf::ptx!` expands to this macro: call `ptxf::ptx!`")
                .into_compile_error();
        }
    };
    match ptxf_spec::table() {
        Ok(table) => block(table, &path, parse::parse(tokens.collect())),
        Err(e) => Error::new_spanned(&path, e).into_compile_error(),
    }
}

fn block(table: &Table, path: &Group, statements: Vec<Result<Statement>>) -> TokenStream {
    let mut lines = TokenStream::new();
    let mut value = None;
    if statements.is_empty() {
        let message = "expected an instruction: `fma.rn.f16x2(a, b, c)`, or lines like `fma.rn.f16x2 d, a, b, c;`";
        return Error::new_spanned(path, message).into_compile_error();
    }
    for statement in statements {
        match statement {
            Err(e) => lines.extend(e.into_compile_error()),
            Ok(statement) => {
                let (second, call) = match call(table, path, &statement) {
                    Ok((form, call)) => (form.row().second, call),
                    Err(e) => (Second::None, e.into_compile_error()),
                };
                match &statement.place {
                    Place::Value => value = Some(call),
                    Place::Let(d) => {
                        let destination = pattern(d, second);
                        lines.extend(quote!(let #destination = #call;));
                    }
                    Place::Unknown => lines.extend(call),
                }
            }
        }
    }
    match value {
        Some(value) if lines.is_empty() => value,
        Some(value) => quote!({ #lines #value }),
        None => lines,
    }
}

/// Returns the pattern that a line binds: a name, or one or both of two predicates.
fn pattern(destination: &Destination, second: Second) -> TokenStream {
    let first = &destination.first;
    match (&destination.second, second) {
        (Some((_, second)), _) => quote!((#first, #second)),
        (None, Second::None) => quote!(#first),
        (None, _) => quote!((#first, _)),
    }
}

/// Returns the statement's form and its call.
fn call<'t>(table: &'t Table, path: &Group, statement: &Statement) -> Result<(&'t Form, TokenStream)> {
    let spelling = &statement.spelling;
    let found = check::spelling(table, spelling)?;
    let operands = statement.operands.as_ref().map_err(Clone::clone)?;
    let form = check::count(table, &found.forms, statement, operands)?;
    if let Place::Let(destination) = &statement.place {
        check::destination(form, statement, destination)?;
    }
    let path = path.stream();
    // With the instruction's span an editor shows the function's documentation there.
    let function = Ident::new(&form.function(), spelling.instruction.span());
    let operators = chosen(form, &found.operators).into_iter().map(|(ty, variant)| {
        let [ty, variant] = [ty, variant].map(|name| Ident::new(name, Span::mixed_site()));
        quote!(#path::#ty::#variant)
    });
    Ok((form, quote!(#path::ptx::#function(#(#operators,)* #(#operands),*))))
}
