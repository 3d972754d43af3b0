//! What stands around a function's body: attributes, qualifiers, generics, and what parameters have in common.
//!
//! All of it is honoured or refused on its token, with `pair` and without; none is dropped. Tests and fuzzing hold the macros to that.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Pat, Result};

use super::hygiene;
/// Which attribute the function carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Kernel,
    Function,
}

/// Which of the two the attribute is, if it is one.
pub(crate) fn attribute_role(attribute: &syn::Attribute) -> Option<Role> {
    match attribute.path().segments.last()?.ident.to_string().as_str() {
        "ptx_kernel" => Some(Role::Kernel),
        "ptx_fn" => Some(Role::Function),
        _ => None,
    }
}

impl Role {
    fn noun(self) -> &'static str {
        match self {
            Self::Kernel => "a kernel",
            Self::Function => "a `#[ptx_fn]`",
        }
    }
}

/// Refuses what a launch, or a call for several threads, has no place for.
pub(crate) fn qualifiers(item: &syn::ItemFn, role: Role) -> Vec<Error> {
    let signature = &item.sig;
    let what = role.noun();
    let mut errors: Vec<_> = [
        ("default", item.modifiers.defaultness.as_ref().map(Spanned::span)),
        ("const", signature.constness.as_ref().map(Spanned::span)),
        ("async", signature.asyncness.as_ref().map(Spanned::span)),
        ("extern", signature.abi.as_ref().map(Spanned::span)),
        ("variadic", signature.variadic.as_ref().map(|v| v.dots.span())),
    ]
    .into_iter()
    .filter_map(|(word, found)| {
        let message = format!("{what} cannot be `{word}`: the launch calls it, on a device and on a CPU; leave it out");
        found.map(|span| Error::new(span, message))
    })
    .collect();
    let mut refuse = |span: Span, message: String| errors.push(Error::new(span, message));
    if let syn::Safety::Safe(token) = &signature.safety {
        refuse(token.span(), format!("{what} is safe as it is: leave out `safe`"));
    }
    let is_own = |parameter: &&syn::GenericParam| {
        role == Role::Function
            && matches!(parameter, syn::GenericParam::Type(of) if of.default.is_none() && of.attrs.is_empty())
    };
    if let Some(clause) = &signature.generics.where_clause
        && !signature.generics.params.iter().any(|parameter| is_own(&parameter))
    {
        refuse(clause.span(), format!("{what} has no `where`: its types are given"));
    }
    let constant = |parameter: &&syn::GenericParam| {
        role == Role::Function && matches!(parameter, syn::GenericParam::Const(of) if of.default.is_none())
    };
    if let Some(parameter) =
        signature.generics.params.iter().find(|parameter| !constant(parameter) && !is_own(parameter))
    {
        let message = match parameter {
            syn::GenericParam::Lifetime(_) => {
                format!("{what} has no lifetimes: its slices are borrowed for the call; leave them out")
            }
            syn::GenericParam::Const(_) if role == Role::Function => {
                "a constant of a function's own has no default".to_owned()
            }
            syn::GenericParam::Const(_) => {
                format!(
                    "{what} cannot be generic: on a device it is one entry; write a `const` in front of it, or a `#[ptx_fn]` with this"
                )
            }
            syn::GenericParam::Type(_) if role == Role::Function => {
                "a type of a function's own has no default and no attributes".to_owned()
            }
            syn::GenericParam::Type(_) => {
                format!("{what} cannot be generic: on a device it is one entry; write `f32`, or a kernel for each type")
            }
        };
        refuse(parameter.span(), message);
    }
    errors
}

/// Refuses `unsafe` in front of what is converted: its siblings ask nothing of who launches them.
pub(crate) fn safety(item: &syn::ItemFn, role: Role) -> Option<Error> {
    let syn::Safety::Unsafe(token) = &item.sig.safety else {
        return None;
    };
    let message = format!(
        "{} is not unsafe as a whole: say `unsafe {{ … }}` around the access that the compiler asks about",
        role.noun()
    );
    Some(Error::new(token.span(), message))
}

/// Refuses `mut` in front of a parameter of what is converted.
pub(crate) fn constant(input: &FnArg) -> Option<Error> {
    let FnArg::Typed(typed) = input else {
        return None;
    };
    let Pat::Ident(syn::PatIdent { mutability: Some(mutability), ident, .. }) = &*typed.pat else {
        return None;
    };
    Some(Error::new(mutability.span(), format!("a parameter stays as it is: write `let mut {ident} = {ident};`")))
}

/// A parameter's name and type.
pub(crate) fn parameter(input: &FnArg, role: Role) -> Result<(&Ident, &syn::Type)> {
    let FnArg::Typed(typed) = input else {
        return Err(Error::new(input.span(), format!("{} has no `self`", role.noun())));
    };
    if let Some(span) = attribute_in(input.to_token_stream(), true) {
        let message = "no attributes on a parameter: document it on the function, and for another configuration write another \
                       kernel under its own `#[cfg(…)]`";
        return Err(Error::new(span, message));
    }
    let Pat::Ident(pattern) = &*typed.pat else {
        return Err(Error::new(typed.pat.span(), "give the parameter a plain name"));
    };
    let odd = pattern.by_ref.as_ref().map(Spanned::span).or(pattern.subpat.as_ref().map(|(at, _)| at.span()));
    if let Some(span) = odd {
        return Err(Error::new(span, "give the parameter a plain name: there is nothing to match"));
    }
    let ty = bare(&typed.ty);
    if let syn::Type::Reference(reference) = ty
        && let Some(lifetime) = reference.lifetime.as_ref().filter(|l| l.ident != "_")
    {
        let message = format!("a slice is borrowed for the launch and no longer: leave out `{lifetime}`");
        return Err(Error::new(lifetime.span(), message));
    }
    hygiene::check(&pattern.ident)?;
    Ok((&pattern.ident, ty))
}

/// Refuses the second parameter of a name.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a Ident>) -> Vec<Error> {
    let mut seen = HashMap::new();
    names
        .filter(|name| seen.insert(name.unraw().to_string(), ()).is_some())
        .map(|name| Error::new(name.span(), format!("there is a parameter `{name}` already: choose another name")))
        .collect()
}

/// The type without parentheses, and without what a `macro_rules!` puts around its `ty`.
pub(crate) fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(inner) if inner.attrs.is_empty() => bare(&inner.elem),
        syn::Type::Group(inner) if inner.attrs.is_empty() => bare(&inner.elem),
        other => other,
    }
}

/// Where an attribute stands, documentation among them or not.
pub(crate) fn attribute_in(tokens: TokenStream, documentation: bool) -> Option<Span> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match &token {
            TokenTree::Group(group) => attribute_in(group.stream(), documentation),
            TokenTree::Punct(mark) if mark.as_char() == '#' => match tokens.peek() {
                Some(TokenTree::Group(group)) if !documentation && is_documentation(group.stream()) => None,
                _ => Some(mark.span()),
            },
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn is_documentation(inside: TokenStream) -> bool {
    matches!(inside.into_iter().next(), Some(TokenTree::Ident(name)) if name == "doc")
}
