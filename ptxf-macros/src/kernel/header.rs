//! The parts around a function's body: attributes, qualifiers, generics, and parameters.
//!
//! Each is used or refused on its token, with `pair` and without. Tests and fuzzing check that none
//! is dropped.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Pat, Result};

use super::hygiene;
/// The function's attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Kernel,
    Function,
}

/// Returns the role of an attribute, or `None` for any other attribute.
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

/// Refuses qualifiers and generics that a launch cannot have.
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
        refuse(token.span(), format!("{what} is always safe: leave out `safe`"));
    }
    let is_own = |parameter: &&syn::GenericParam| {
        role == Role::Function
            && matches!(parameter, syn::GenericParam::Type(of) if of.default.is_none() && of.attrs.is_empty())
    };
    if let Some(clause) = &signature.generics.where_clause
        && !signature.generics.params.iter().any(|parameter| is_own(&parameter))
    {
        refuse(clause.span(), format!("{what} has no type parameters: leave out the `where`"));
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
                "a constant parameter has no default: leave it out".to_owned()
            }
            syn::GenericParam::Const(_) => {
                format!(
                    "{what} cannot be generic: on a device it is one entry; write a `const` in front of it, or a \
                     `#[ptx_fn]` with this"
                )
            }
            syn::GenericParam::Type(_) if role == Role::Function => {
                "a type parameter has no default and no attributes: leave them out".to_owned()
            }
            syn::GenericParam::Type(_) => {
                format!("{what} cannot be generic: on a device it is one entry; write `f32`, or a kernel for each type")
            }
        };
        refuse(parameter.span(), message);
    }
    errors
}

/// Refuses `unsafe fn` for a converted function: its versions are safe to launch.
pub(crate) fn safety(item: &syn::ItemFn, role: Role) -> Option<Error> {
    let syn::Safety::Unsafe(token) = &item.sig.safety else {
        return None;
    };
    let message =
        format!("{} is not `unsafe` as a whole: write `unsafe {{ … }}` around the access that needs it", role.noun());
    Some(Error::new(token.span(), message))
}

/// Refuses `mut` before a parameter of a converted function.
pub(crate) fn constant(input: &FnArg) -> Option<Error> {
    let FnArg::Typed(typed) = input else {
        return None;
    };
    let Pat::Ident(syn::PatIdent { mutability: Some(mutability), ident, .. }) = &*typed.pat else {
        return None;
    };
    Some(Error::new(mutability.span(), format!("a parameter cannot be assigned: write `let mut {ident} = {ident};`")))
}

/// Returns a parameter's name and type.
pub(crate) fn parameter(input: &FnArg, role: Role) -> Result<(&Ident, &syn::Type)> {
    let FnArg::Typed(typed) = input else {
        return Err(Error::new(input.span(), format!("{} has no `self`", role.noun())));
    };
    if let Some(span) = attribute_in(input.to_token_stream(), true) {
        let message = "an attribute on a parameter is not possible: document the parameter on the function, and \
                       write another kernel for another `#[cfg(…)]`";
        return Err(Error::new(span, message));
    }
    let Pat::Ident(pattern) = &*typed.pat else {
        return Err(Error::new(typed.pat.span(), "give the parameter a plain name"));
    };
    let odd = pattern.by_ref.as_ref().map(Spanned::span).or(pattern.subpat.as_ref().map(|(at, _)| at.span()));
    if let Some(span) = odd {
        return Err(Error::new(span, "this pattern is not possible for a parameter: write a plain name"));
    }
    let ty = bare(&typed.ty);
    if let syn::Type::Reference(reference) = ty
        && let Some(lifetime) = reference.lifetime.as_ref().filter(|l| l.ident != "_")
    {
        let message = format!("a slice is borrowed for the launch only: leave out `{lifetime}`");
        return Err(Error::new(lifetime.span(), message));
    }
    hygiene::check(&pattern.ident)?;
    Ok((&pattern.ident, ty))
}

/// Refuses the second parameter with the same name.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a Ident>) -> Vec<Error> {
    let mut seen = HashMap::new();
    names
        .filter(|name| seen.insert(name.unraw().to_string(), ()).is_some())
        .map(|name| Error::new(name.span(), format!("there is another parameter `{name}`: rename one")))
        .collect()
}

/// Returns the type without parentheses, and without the invisible group around a `ty` of a
/// `macro_rules!`.
pub(crate) fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(inner) if inner.attrs.is_empty() => bare(&inner.elem),
        syn::Type::Group(inner) if inner.attrs.is_empty() => bare(&inner.elem),
        other => other,
    }
}

/// Returns the place of the first attribute. Documentation counts if `documentation` is set.
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
