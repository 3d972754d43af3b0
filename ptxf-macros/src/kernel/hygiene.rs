//! Keeps the expansion's variables apart from the user's.
//!
//! All names of the expansion begin with two underscores, and no variable of a kernel may. Tokens
//! of the expansion carry the spans of the user's tokens that they stand for, so that errors point
//! there. But the compiler looks up a name by its span, and the spans of a kernel in a user's
//! `macro_rules!` lead to different scopes. So all of the expansion's names get one span at the
//! end.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// The prefix of the expansion's names.
const PREFIX: &str = "__";

/// Returns the tokens with all names of the expansion in a scope of their own.
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
        let message = format!("`{name}` begins with `{PREFIX}`, as the names of the expansion do: choose another name");
        return Err(Error::new(name.span(), message));
    }
    Ok(())
}
