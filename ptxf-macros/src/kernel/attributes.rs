//! The attributes of a function, each moved to its place in the expansion. An attribute without a
//! place is an error.
//!
//! The macro never sees an item under a false `cfg`, nor a true `cfg` itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Meta, Result, Token};

use super::header::Role;
use super::names::spelled;
use crate::input;

/// The attributes of a function, by their places in the expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    /// Lint attributes of the body, such as `#[expect(…)]`.
    pub(crate) lints: TokenStream,
    /// Documentation and attributes of the name, which stand on the type.
    pub(crate) others: TokenStream,
    /// `#[must_use]`, which stands on the function that returns the result.
    pub(crate) must_use: TokenStream,
    deprecated: bool,
}

/// A place for an attribute in the expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body,
    Name,
    /// Both the body and the name.
    Both,
    Result,
    /// No place is needed: the expansion has the effect anyway.
    Nowhere,
}

const LINTS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];

/// Lints about a function's name and its uses. They become lints of the type.
const OF_THE_NAME: [&str; 6] = [
    "dead_code",
    "missing_docs",
    "missing_debug_implementations",
    "non_snake_case",
    "non_camel_case_types",
    "unreachable_pub",
];

/// Tools whose attributes the compiler ignores.
const TOOLS: [&str; 5] = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];

impl Attributes {
    /// Sorts the attributes of a function. Returns an error for each that has no place.
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

    /// Returns the type's name for its own `impl`, and an item that has to stand before the
    /// `impl`.
    ///
    /// Naming a deprecated type is a warning. An `allow` there would hold for the user's body, too,
    /// so the `impl` uses an alias.
    pub(crate) fn own(&self, name: &Ident) -> (TokenStream, Ident) {
        if !self.deprecated {
            return (TokenStream::new(), name.clone());
        }
        let own = format_ident!("__{}Itself", name);
        (quote!(#[allow(deprecated, non_camel_case_types)] type #own = #name;), own)
    }

    /// Prints a function with the kernel's name. A call of the kernel is then an error that names
    /// the versions.
    ///
    /// The function has as many parameters as a version has arguments. No type implements
    /// `refusal`.
    pub(crate) fn callable(
        visibility: &TokenStream,
        name: &Ident,
        refusal: &TokenStream,
        parameters: usize,
    ) -> TokenStream {
        // A lint about this name would repeat the lint about the user's.
        let mut called = name.clone();
        called.set_span(Span::call_site());
        let others = (1..parameters).map(|_| quote!(_: impl ::core::marker::Sized));
        quote! {
            #[doc(hidden)]
            #[cfg(not(target_arch = "nvptx64"))]
            #[allow(dead_code, non_snake_case, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            #visibility fn #called(_: impl #refusal, #(#others),*) {}
        }
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
            // Without the `!` of an attribute inside of the body.
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
        // A `#[ptx_fn]` is always inlined.
        ("inline", Role::Function) if !meta.to_token_stream().to_string().contains("never") => Ok(Place::Nowhere),
        (lint, _) if LINTS.contains(&lint) => lint_place(lint, meta),
        _ => Err(refuse(meta, role)),
    }
}

/// Returns the place of a lint. `expect` has one place, since it counts; other levels may have
/// both.
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
        ("inline", Role::Kernel) => "a kernel is launched, and not called: leave out `inline`".to_owned(),
        ("inline", Role::Function) => "a `#[ptx_fn]` is always inlined: leave out `inline(never)`".to_owned(),
        ("must_use", _) => "a kernel returns nothing: leave out `must_use`".to_owned(),
        ("no_mangle" | "export_name" | "unsafe" | "link_section", _) => {
            "the entry of a device has the kernel's name, after `prefix = …` if that is given: leave this out"
                .to_owned()
        }
        ("target_feature", _) => "a launch selects the instructions of the CPU: leave out `target_feature`".to_owned(),
        ("track_caller", Role::Kernel) => "`track_caller` has no effect on a kernel: remove it".to_owned(),
        ("track_caller", Role::Function) => "`track_caller` has no effect on a `#[ptx_fn]`: remove it".to_owned(),
        ("cold", _) => "a kernel runs once for each thread: leave out `cold`".to_owned(),
        ("test" | "bench", _) => "a kernel is not a test: write a test that launches it".to_owned(),
        ("ptx_kernel" | "ptx_fn", _) => "the function has two of these attributes: leave one out".to_owned(),
        _ => format!(
            "`{name}` is not possible on this function: documentation, `deprecated`, `cfg` and lints are. Put an \
             attribute that changes the function above this one"
        ),
    };
    Error::new_spanned(meta, message)
}
