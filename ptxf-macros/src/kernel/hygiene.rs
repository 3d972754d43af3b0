//! Keeps the expansion's variables apart from the user's.
//!
//! All of the expansion's names begin with two underscores, and no variable of a kernel may. Tokens of the expansion carry the spans of
//! what they stand for, so that complaints about them point there. But a name is looked up where its span says, and the spans of a
//! kernel inside of a user's `macro_rules!` say different places. Here all of the expansion's names come to be looked up in the expansion.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// What the expansion's names begin with.
const PREFIX: &str = "__";

/// The tokens with all names of the expansion in a scope of their own.
pub(crate) fn resolve_in_expansion(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().map(token).collect()
}

fn token(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Ident(mut name) if is_ours(&name) => {
            name.set_span(name.span().resolved_at(Span::mixed_site()));
            name.into()
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), resolve_in_expansion(group.stream()));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    }
}

fn is_ours(name: &Ident) -> bool {
    super::names::text(name).starts_with(PREFIX)
}

/// Refuses a name that could be one of the expansion's.
pub(crate) fn check(name: &Ident) -> Result<()> {
    if is_ours(name) {
        let message = format!("`{name}`: names that begin with `{PREFIX}` are the expansion's; choose another");
        return Err(Error::new(name.span(), message));
    }
    Ok(())
}
