//! A `match` of several values, or of truth values, as the questions that its arms are.

use quote::format_ident;
use syn::{Lit, Pat, parse_quote};

use super::super::Fault;

/// A `match` of a tuple, or one with an arm for `true` or `false`, as the questions that its arms are.
pub(super) fn asked(e: &syn::ExprMatch) -> Result<Option<syn::Expr>, Fault> {
    let parts: Vec<_> = match &*e.expr {
        syn::Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        one if e.arms.iter().any(|arm| is_truth(&arm.pat)) => vec![one],
        _ => return Ok(None),
    };
    // Names that nothing else has.
    let names: Vec<_> = (0..parts.len()).map(|i| format_ident!("__matched_{i}")).collect();
    let mut rest: Option<syn::Expr> = None;
    for arm in e.arms.iter().rev() {
        let (condition, body) = (condition(&arm.pat, &names)?, &arm.body);
        rest = Some(match rest {
            None => parse_quote!({ #body }),
            Some(rest) => parse_quote!(if #condition { #body } else { #rest }),
        });
    }
    let rest = rest.ok_or_else(|| Fault::source("a `match` has an arm"))?;
    Ok(Some(parse_quote!({ #(let #names = #parts;)* #rest })))
}

fn is_truth(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Lit(syn::ExprLit { lit: Lit::Bool(_), .. }))
}

/// Whether the variables of these names are what the pattern says.
fn condition(pattern: &Pat, names: &[syn::Ident]) -> Result<syn::Expr, Fault> {
    Ok(match (pattern, names) {
        (Pat::Wild(_), _) => parse_quote!(true),
        (Pat::Paren(inner), _) => condition(&inner.pat, names)?,
        (Pat::Or(or), _) => {
            let any = or.cases.iter().map(|case| condition(case, names)).collect::<Result<Vec<_>, _>>()?;
            parse_quote!((#(#any)||*))
        }
        (Pat::Tuple(parts), _) if parts.elems.len() == names.len() => {
            let all = parts.elems.iter().zip(names).map(|(part, name)| condition(part, std::slice::from_ref(name)));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            parse_quote!((#(#all)&&*))
        }
        (Pat::Lit(syn::ExprLit { lit: Lit::Bool(truth), .. }), [name]) => {
            if truth.value {
                parse_quote!(#name)
            } else {
                parse_quote!((!#name))
            }
        }
        (Pat::Lit(_) | Pat::Ident(_) | Pat::Path(_), [name]) => parse_quote!((#name == #pattern)),
        (Pat::Range(range), [name]) => {
            let least = range.start.iter().map(|e| -> syn::Expr { parse_quote!(#name >= #e) });
            let most = range.end.iter().map(|e| -> syn::Expr {
                match range.limits {
                    syn::RangeLimits::HalfOpen(_) => parse_quote!(#name < #e),
                    syn::RangeLimits::Closed(_) => parse_quote!(#name <= #e),
                }
            });
            let both: Vec<_> = least.chain(most).collect();
            parse_quote!((#(#both)&&*))
        }
        _ => return Err(Fault::source("an arm has a pattern for each part")),
    })
}
