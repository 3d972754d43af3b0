//! A `match` as a chain of `if` and `else` in source text, which is lowered afterwards. This covers
//! a `match` on a tuple or a structure, and one with an arm that is a truth value, binds a name or
//! has a guard. The other matches have ranges of integers as arms.

use quote::{ToTokens as _, format_ident};
use syn::{Expr, Ident, Lit, Pat, parse_quote};

use super::super::Fault;
use super::Lower;

impl Lower<'_> {
    /// Rewrites the `match` as a chain of `if` and `else`. `None` if all arms are ranges of
    /// integers.
    pub(super) fn asked(&mut self, e: &syn::ExprMatch) -> Result<Option<Expr>, Fault> {
        let parts: Vec<_> = match &*e.expr {
            Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            one if e.arms.iter().any(|arm| is_question(&arm.pat)) => vec![one],
            _ => return Ok(None),
        };
        // Names that nothing else has.
        let first = self.variables.len();
        let matched: Vec<Expr> =
            (0..parts.len()).map(|i| format_ident!("__matched_{first}_{i}")).map(|name| parse_quote!(#name)).collect();
        let mut rest: Option<Expr> = None;
        for arm in e.arms.iter().rev() {
            let mut names = Vec::new();
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
                pattern => (pattern, None),
            };
            let is = condition(pattern, &matched, &mut names)?;
            let lets: Vec<syn::Stmt> = names.iter().map(|(name, of)| parse_quote!(let #name = #of;)).collect();
            let condition: Expr = match guard {
                Some(guard) => parse_quote!((#is && { #(#lets)* #guard })),
                None => is,
            };
            let body = &arm.body;
            rest = Some(match rest {
                None => parse_quote!({ #(#lets)* #body }),
                Some(rest) => parse_quote!(if #condition { #(#lets)* #body } else { #rest }),
            });
            // The value is kept if one of its names is.
            for (name, of) in names {
                if self.keep.contains(&name.to_string()) {
                    self.keep.push(of.to_token_stream().to_string());
                }
            }
        }
        let rest = rest.ok_or_else(|| Fault::source("a `match` has an arm"))?;
        Ok(Some(parse_quote!({ #(let #matched = #parts;)* #rest })))
    }
}

/// Returns `true` if a pattern is more than ranges of integers.
fn is_question(pattern: &Pat) -> bool {
    match pattern {
        Pat::Lit(syn::ExprLit { lit: Lit::Bool(_), .. }) | Pat::Guard(_) | Pat::Struct(_) => true,
        Pat::Ident(name) => is_name(name),
        _ => false,
    }
}

/// Returns `true` if the name binds a value. Constants are written in capitals.
fn is_name(name: &syn::PatIdent) -> bool {
    name.subpat.is_some() || name.ident.to_string().contains(char::is_lowercase)
}

/// Returns the condition under which the values match the pattern. Adds each name in the pattern
/// with its value.
fn condition(pattern: &Pat, of: &[Expr], names: &mut Vec<(Ident, Expr)>) -> Result<Expr, Fault> {
    Ok(match (pattern, of) {
        (Pat::Wild(_), _) => parse_quote!(true),
        (Pat::Paren(inner), _) => condition(&inner.pat, of, names)?,
        (Pat::Or(or), _) => {
            let any = or.cases.iter().map(|case| condition(case, of, names)).collect::<Result<Vec<_>, _>>()?;
            parse_quote!((#(#any)||*))
        }
        (Pat::Tuple(parts), _) if parts.elems.len() == of.len() => {
            all(parts.elems.iter().zip(of.iter().cloned()), names)?
        }
        (Pat::Tuple(parts), [one]) => {
            let part = |i| -> Expr {
                let i = syn::Index::from(i);
                parse_quote!(#one.#i)
            };
            all(parts.elems.iter().enumerate().map(|(i, pattern)| (pattern, part(i))), names)?
        }
        (Pat::Struct(fields), [one]) => {
            let part = |member: &syn::Member| -> Expr { parse_quote!(#one.#member) };
            all(fields.fields.iter().map(|field| (&*field.pat, part(&field.member))), names)?
        }
        (Pat::Lit(syn::ExprLit { lit: Lit::Bool(truth), .. }), [name]) => {
            if truth.value {
                parse_quote!(#name)
            } else {
                parse_quote!((!#name))
            }
        }
        (Pat::Ident(name), [one]) if is_name(name) => {
            names.push((name.ident.clone(), one.clone()));
            match &name.subpat {
                Some((_, pattern)) => condition(pattern, of, names)?,
                None => parse_quote!(true),
            }
        }
        (Pat::Lit(_) | Pat::Ident(_) | Pat::Path(_), [name]) => parse_quote!((#name == #pattern)),
        (Pat::Range(range), [name]) => {
            let least = range.start.iter().map(|e| -> Expr { parse_quote!(#name >= #e) });
            let most = range.end.iter().map(|e| -> Expr {
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

/// Returns the condition under which each value matches its pattern.
fn all<'p>(parts: impl Iterator<Item = (&'p Pat, Expr)>, names: &mut Vec<(Ident, Expr)>) -> Result<Expr, Fault> {
    let mut all = Vec::new();
    for (pattern, of) in parts {
        all.push(condition(pattern, &[of], names)?);
    }
    Ok(parse_quote!((true #(&& #all)*)))
}
