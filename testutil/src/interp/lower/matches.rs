//! A `match` of several values or of truth values, or one whose arms ask or name the value, as the questions that its arms are.

use quote::{ToTokens as _, format_ident};
use syn::{Expr, Ident, Lit, Pat, parse_quote};

use super::super::Fault;
use super::Lower;

impl Lower<'_> {
    /// A `match` of a tuple, or one with an arm for `true` or `false`, with an `if` or with a name, as the questions that its arms are.
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

/// Whether a pattern is more than integers that the value may be.
fn is_question(pattern: &Pat) -> bool {
    match pattern {
        Pat::Lit(syn::ExprLit { lit: Lit::Bool(_), .. }) | Pat::Guard(_) | Pat::Struct(_) => true,
        Pat::Ident(name) => is_name(name),
        _ => false,
    }
}

/// Whether it is no constant's.
fn is_name(name: &syn::PatIdent) -> bool {
    name.subpat.is_some() || name.ident.to_string().contains(char::is_lowercase)
}

/// Whether the variables are what the pattern says, which may have names for them.
fn condition(pattern: &Pat, of: &[Expr], names: &mut Vec<(Ident, Expr)>) -> Result<Expr, Fault> {
    Ok(match (pattern, of) {
        (Pat::Wild(_), _) => parse_quote!(true),
        (Pat::Paren(inner), _) => condition(&inner.pat, of, names)?,
        (Pat::Or(or), _) => {
            let any = or.cases.iter().map(|case| condition(case, of, names)).collect::<Result<Vec<_>, _>>()?;
            parse_quote!((#(#any)||*))
        }
        (Pat::Tuple(parts), _) if parts.elems.len() == of.len() => {
            let all = parts.elems.iter().zip(of).map(|(part, one)| condition(part, std::slice::from_ref(one), names));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            parse_quote!((#(#all)&&*))
        }
        (Pat::Tuple(parts), [one]) => {
            let mut all = Vec::new();
            for (i, part) in parts.elems.iter().enumerate() {
                let i = syn::Index::from(i);
                all.push(condition(part, &[parse_quote!(#one.#i)], names)?);
            }
            parse_quote!((true #(&& #all)*))
        }
        (Pat::Struct(fields), [one]) => {
            let mut all = Vec::new();
            for field in &fields.fields {
                let member = &field.member;
                all.push(condition(&field.pat, &[parse_quote!(#one.#member)], names)?);
            }
            parse_quote!((true #(&& #all)*))
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
