//! From checked lines to calls of `ptxf::ptx`.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use ptxf_spec::Table;
use quote::quote;
use syn::{Error, Result};

use super::parse::{Place, Statement};
use super::{check, parse};

/// Expands `[crate path] statements`.
///
/// Destinations become `let`s; a call at the end makes the whole an expression. What is wrong becomes `compile_error!`
/// in the place of its value, which has any type.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let path = match tokens.next() {
        Some(TokenTree::Group(path)) => path,
        other => {
            return Error::new_spanned(other, "this is what `ptxf::ptx!` expands to: call that").into_compile_error();
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
                let call = call(table, path, &statement).unwrap_or_else(Error::into_compile_error);
                match statement.place {
                    Place::Value => value = Some(call),
                    Place::Let(d) => lines.extend(quote!(let #d = #call;)),
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

/// The call of the statement's form.
fn call(table: &Table, path: &Group, statement: &Statement) -> Result<TokenStream> {
    let spelling = &statement.spelling;
    let forms = check::spelling(table, spelling)?;
    let operands = statement.operands.as_ref().map_err(Clone::clone)?;
    let form = check::count(table, &forms, statement, operands)?;
    let path = path.stream();
    // Where the instruction stands: an editor shows the function's documentation there.
    let function = Ident::new(&form.function(), spelling.instruction.span());
    let comparison = form.comparison().map(|m| {
        let comparison = Ident::new(m.rust, Span::mixed_site());
        quote!(#path::Comparison::#comparison,)
    });
    Ok(quote!(#path::ptx::#function(#comparison #(#operands),*)))
}
