//! The attributes of a function, each where the expansion has a place for it; what has none is an error.
//!
//! A macro never sees what stands under a `cfg` that does not hold, nor a `cfg` that does.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Meta, Result, Token};

use super::header::Role;
use super::names::spelled;
use crate::input;

/// Where the attributes of a function go.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    /// `#[expect(…)]` and the like, which are about the body.
    pub(crate) lints: TokenStream,
    /// Documentation and what is about the name, on the type.
    pub(crate) others: TokenStream,
    /// `#[must_use]`, on what returns the result.
    pub(crate) must_use: TokenStream,
    deprecated: bool,
}

/// A place for an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body,
    Name,
    /// On the body and on the name.
    Both,
    Result,
    /// The expansion does that anyway.
    Nowhere,
}

const LINTS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];

/// Lints about a function's name and its uses, which become those of the type.
const OF_THE_NAME: [&str; 6] = [
    "dead_code",
    "missing_docs",
    "missing_debug_implementations",
    "non_snake_case",
    "non_camel_case_types",
    "unreachable_pub",
];

/// Tools whose attributes mean nothing to the compiler.
const TOOLS: [&str; 5] = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];

impl Attributes {
    /// Sorted, and the complaints about those that have no place.
    pub(crate) fn of(item: &syn::ItemFn, role: Role) -> (Self, Vec<Error>) {
        let (mut attributes, mut errors) = (Self::default(), Vec::new());
        for attribute in &item.attrs {
            match place(&attribute.meta, role) {
                Ok(place) => attributes.put(attribute, place),
                Err(e) => errors.push(e),
            }
        }
        (attributes, errors)
    }

    /// The type's name for its own `impl`, and what stands in front of that: to name what is deprecated is a warning, and
    /// to allow it there would be to allow it in the body, too.
    pub(crate) fn own(&self, name: &Ident) -> (TokenStream, Ident) {
        if !self.deprecated {
            return (TokenStream::new(), name.clone());
        }
        let own = format_ident!("__{}Itself", name);
        (quote!(#[allow(deprecated, non_camel_case_types)] type #own = #name;), own)
    }

    fn put(&mut self, attribute: &Attribute, place: Place) {
        self.deprecated |= attribute.path().is_ident("deprecated");
        let lists: &mut [&mut TokenStream] = match place {
            Place::Body => &mut [&mut self.lints],
            Place::Name => &mut [&mut self.others],
            Place::Both => &mut [&mut self.lints, &mut self.others],
            Place::Result => &mut [&mut self.must_use],
            Place::Nowhere => &mut [],
        };
        for list in lists {
            // Without the `!` of one that stands inside of the body.
            attribute.pound_token.to_tokens(list);
            attribute.bracket_token.surround(list, |inside| attribute.meta.to_tokens(inside));
        }
    }
}

fn place(meta: &Meta, role: Role) -> Result<Place> {
    let name = match meta.path().get_ident() {
        Some(name) => name.to_string(),
        None => {
            let tool = meta.path().segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
            return if TOOLS.contains(&tool.as_str()) { Ok(Place::Body) } else { Err(refuse(meta, role)) };
        }
    };
    match (name.as_str(), role) {
        ("doc" | "deprecated", _) => Ok(Place::Name),
        ("must_use", Role::Function) => Ok(Place::Result),
        // Functions of kernels are inlined into them, whatever is asked.
        ("inline", Role::Function) if !meta.to_token_stream().to_string().contains("never") => Ok(Place::Nowhere),
        (lint, _) if LINTS.contains(&lint) => lint_place(lint, meta),
        _ => Err(refuse(meta, role)),
    }
}

/// Lints are about the body, or about the name; what is allowed or asked for may be both, what is expected is in one place.
fn lint_place(level: &str, meta: &Meta) -> Result<Place> {
    let Meta::List(list) = meta else {
        return Err(Error::new_spanned(meta, format!("`{level}` names lints: `#[{level}(…)]`")));
    };
    let lints = input::within(list.tokens.clone(), list.delimiter.span().close(), |input| {
        Punctuated::<Meta, Token![,]>::parse_terminated(input)
    })?;
    let of_the_name = |lint: &Meta| OF_THE_NAME.iter().any(|name| lint.path().is_ident(name));
    Ok(match (level, lints.iter().any(of_the_name)) {
        ("expect", true) => Place::Name,
        ("expect", false) => Place::Body,
        _ => Place::Both,
    })
}

fn refuse(meta: &Meta, role: Role) -> Error {
    let name = spelled(meta.path());
    let message = match (name.as_str(), role) {
        ("inline", Role::Kernel) => {
            "a kernel is not called but launched, once for all threads: leave out `inline`".to_owned()
        }
        ("inline", Role::Function) => {
            "a `#[ptx_fn]` is part of the kernel that calls it: leave out `inline(never)`".to_owned()
        }
        ("must_use", _) => "a kernel returns nothing that could be used: leave out `must_use`".to_owned(),
        ("no_mangle" | "export_name" | "unsafe" | "link_section", _) => {
            "the entry of a device has the kernel's name, after `prefix = …` if that is given: leave this out"
                .to_owned()
        }
        ("target_feature", _) => "a launch finds out what this CPU has: leave out `target_feature`".to_owned(),
        ("track_caller", _) => {
            "a panic names the thread's element; nobody in particular calls a thread: leave this out".to_owned()
        }
        ("cold", _) => "a kernel runs once for each thread: leave out `cold`".to_owned(),
        ("test" | "bench", _) => {
            "a test takes no parameters: write a function of its own that launches the kernel".to_owned()
        }
        ("ptx_kernel" | "ptx_fn", _) => "the function has one of these attributes already: leave one out".to_owned(),
        _ => format!(
            "`{name}` has no place on what this function becomes: documentation, `deprecated`, `cfg` and lints have. \
             An attribute that changes functions stands in front of this one"
        ),
    };
    Error::new_spanned(meta, message)
}
