//! Parsing with errors on the user's tokens.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Result, parenthesized};

/// Parses all of `tokens`. An error at their end points to the last token instead of the whole
/// macro.
pub(crate) fn whole<T>(tokens: TokenStream, parser: impl FnOnce(ParseStream<'_>) -> Result<T>) -> Result<T> {
    let end = tokens.clone().into_iter().last();
    within(tokens, end.map_or_else(Span::call_site, |token| end_of(&token)), parser)
}

/// Parses all of `tokens` like [`whole`]. An error at their end points to `end`.
pub(crate) fn within<T>(
    tokens: TokenStream,
    end: Span,
    parser: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(end);
    let in_group = |input: ParseStream<'_>| {
        let inside;
        parenthesized!(inside in input);
        parser(&inside)
    };
    in_group.parse2(TokenTree::from(group).into())
}

/// Returns the span of a token, or of its closing delimiter.
pub(crate) fn end_of(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    }
}
