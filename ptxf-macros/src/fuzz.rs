//! Properties that hold for any tokens: no macro panics, an expansion is Rust, and an error stands
//! on a token of the input.
//!
//! `fuzz/` tests them without end, except the places of errors. The tests here try each for a
//! moment.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use quote::ToTokens as _;

use super::{kernel, ptx, table};

mod seeds;
#[cfg(test)]
mod tests;

/// A macro with a grammar of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Macro {
    /// `#[ptx_kernel]`
    Kernel,
    /// `#[ptx_fn]`
    Function,
    /// `#[ptx_module]`, and the attributes in the module
    Module,
    /// `ptx!`
    Ptx,
    /// `unary_table!`, without the values of its table.
    Table,
}

impl Macro {
    /// Returns the expansion. An attribute's arguments stand in brackets at the front, as does the
    /// path of the crate.
    fn expand(self, tokens: TokenStream) -> TokenStream {
        let attribute = |expand: fn(TokenStream, TokenStream) -> TokenStream| {
            let mut item = tokens.clone().into_iter();
            match item.next() {
                Some(TokenTree::Group(options)) if item.clone().next().is_some() => {
                    expand(options.stream(), item.collect())
                }
                // An attribute stands on an item.
                None | Some(TokenTree::Group(_)) => TokenStream::new(),
                _ => expand(TokenStream::new(), tokens.clone()),
            }
        };
        match self {
            Self::Kernel => attribute(kernel::kernel),
            Self::Function => attribute(kernel::function),
            Self::Module => attribute(|options, item| in_module(kernel::module(options, item))),
            Self::Ptx => ptx::expand(tokens),
            Self::Table => table::complaints(tokens),
        }
    }
}

/// Expands the attributes of the items in a module, one after the other.
fn in_module(module: TokenStream) -> TokenStream {
    let Ok(syn::ItemMod { content: Some((_, items)), .. }) = syn::parse2(module.clone()) else {
        return module;
    };
    let expand = |item: syn::Item| {
        let syn::Item::Fn(mut item) = item else { return item.into_token_stream() };
        let Some(i) = item.attrs.iter().position(|a| kernel::header::attribute_role(a).is_some()) else {
            return item.into_token_stream();
        };
        let attribute = item.attrs.remove(i);
        let options = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        match kernel::header::attribute_role(&attribute) {
            Some(kernel::header::Role::Kernel) => kernel::kernel(options, item.into_token_stream()),
            _ => kernel::function(options, item.into_token_stream()),
        }
    };
    items.into_iter().map(expand).collect()
}

/// Tests bytes, as text or as changes of a seed.
///
/// # Panics
///
/// It panics if a property does not hold for these bytes.
pub fn bytes(of: Macro, data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    if first == b'#' {
        if let Some(tokens) = std::str::from_utf8(rest).ok().and_then(tokens_of) {
            tokens_hold(of, &tokens);
        }
    } else {
        tokens_hold(of, &mutant(of, data));
    }
}

/// Returns the tokens. None of them is at position 0, which is that of the whole macro.
fn tokens_of(text: &str) -> Option<TokenStream> {
    format!(" {text}").parse().ok()
}

/// Returns a seed with changes that `choices` decide.
fn mutant(of: Macro, choices: &[u8]) -> TokenStream {
    let mut choices = Choices(choices);
    let seeds = seeds::of(of);
    let seed = tokens_of(seeds[choices.below(seeds.len())]).expect("seeds are tokens");
    let mut tokens: Vec<_> = seed.into_iter().collect();
    let first = tokens[0].span();
    for _ in 0..=choices.below(4) {
        change(&mut tokens, &mut choices, first);
    }
    tokens.into_iter().collect()
}

/// Bytes, followed by zeros without end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        let mut next = || match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                usize::from(first)
            }
            None => 0,
        };
        (next() << 8 | next()) % n.max(1)
    }
}

/// Applies one change at any depth. `place` is the span of the tokens around.
fn change(tokens: &mut Vec<TokenTree>, choices: &mut Choices<'_>, place: Span) {
    if tokens.is_empty() {
        tokens.push(at(token(choices), place));
        return;
    }
    let i = choices.below(tokens.len());
    // Mostly inside of groups, where most tokens are.
    if let TokenTree::Group(group) = &tokens[i]
        && choices.below(8) != 0
    {
        let mut inside: Vec<_> = group.stream().into_iter().collect();
        change(&mut inside, choices, group.span());
        tokens[i] = grouped(group.delimiter(), inside, group.span());
        return;
    }
    match choices.below(9) {
        0 | 1 => drop(tokens.remove(i)),
        2 => tokens.insert(i, tokens[i].clone()),
        3 => {
            let j = choices.below(tokens.len());
            tokens.swap(i, j);
        }
        4 => tokens[i] = at(token(choices), tokens[i].span()),
        5 => tokens.insert(i, at(token(choices), tokens[i].span())),
        6 => {
            let delimiters = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
            let end = (i + 1 + choices.below(4)).min(tokens.len());
            let span = tokens[i].span();
            let inside: Vec<_> = tokens.drain(i..end).collect();
            tokens.insert(i, grouped(delimiters[choices.below(4)], inside, span));
        }
        7 => {
            if let TokenTree::Group(group) = &tokens[i] {
                let inside: Vec<_> = group.stream().into_iter().collect();
                tokens.splice(i..=i, inside);
            }
        }
        _ => tokens.truncate(i),
    }
}

fn grouped(delimiter: Delimiter, inside: Vec<TokenTree>, span: Span) -> TokenTree {
    let mut group = Group::new(delimiter, inside.into_iter().collect());
    group.set_span(span);
    group.into()
}

/// Returns the token with the span of another.
fn at(mut token: TokenTree, span: Span) -> TokenTree {
    token.set_span(span);
    token
}

/// Returns a word, an operator or a literal that the grammars distinguish.
fn token(choices: &mut Choices<'_>) -> TokenTree {
    let here = Span::call_site();
    match choices.below(3) {
        0 => {
            let word = seeds::WORDS[choices.below(seeds::WORDS.len())];
            match word.strip_prefix("r#") {
                Some(word) => Ident::new_raw(word, here).into(),
                None => Ident::new(word, here).into(),
            }
        }
        1 => {
            let marks = seeds::MARKS.as_bytes();
            let spacing = if choices.below(2) == 0 { Spacing::Alone } else { Spacing::Joint };
            Punct::new(char::from(marks[choices.below(marks.len())]), spacing).into()
        }
        _ => {
            let literal = seeds::LITERALS[choices.below(seeds::LITERALS.len())];
            literal.parse::<Literal>().expect("a literal").into()
        }
    }
}

/// Checks that the macro accepts the tokens, or reports an error on one of them.
///
/// # Panics
///
/// It panics if the macro does neither.
fn tokens_hold(of: Macro, tokens: &TokenStream) {
    let mut places = Vec::new();
    collect(tokens.clone(), &mut places);
    let mut errors = Vec::new();
    let expansion = of.expand(tokens.clone());
    find(expansion.clone(), &mut errors);
    if errors.is_empty() && matches!(of, Macro::Kernel | Macro::Function | Macro::Module) {
        syn::parse2::<syn::File>(expansion).unwrap_or_else(|e| panic!("this becomes no Rust, {e}\n{of:?}: {tokens}"));
    }
    // Under a fuzzer tokens have no places, and the list would have no end.
    if cfg!(fuzzing) {
        return;
    }
    for (span, message) in errors {
        let start = span.byte_range().start;
        let inside = places.iter().any(|place| place.contains(&start));
        // Without tokens there is no place.
        assert!(inside || tokens.is_empty(), "this stands nowhere: {message}\n{of:?}: {tokens}");
    }
}

/// Collects the places of the tokens, including those in groups.
fn collect(tokens: TokenStream, places: &mut Vec<Range<usize>>) {
    for token in tokens {
        places.push(token.span().byte_range());
        if let TokenTree::Group(group) = token {
            collect(group.stream(), places);
        }
    }
}

/// Collects the errors in an expansion, and their places.
fn find(tokens: TokenStream, errors: &mut Vec<(Span, String)>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "compile_error" => {
                let message = tokens.clone().nth(1).map(|message| message.to_string());
                errors.push((name.span(), message.unwrap_or_default()));
            }
            TokenTree::Group(group) => find(group.stream(), errors),
            _ => {}
        }
    }
}
