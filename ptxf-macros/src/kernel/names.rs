//! The lookup of names.
//!
//! A name is looked up by its text, innermost scope first. Every variable is printed under a name
//! that nothing else has. Its declaration has the span of the user's declaration, and each use the
//! span of the user's use. So the compiler finds the variable that the macro found, or none. It
//! distinguishes two names with the same text if one comes from a `macro_rules!` and the other from
//! its caller. The name is then an error, and not converted as another variable.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Error, Result};

/// Returns the name as Rust compares it: `r#t` is `t`.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Returns the tokens as a person writes a path or a type: `&mut Vec<f32>`.
pub(crate) fn spelled(tokens: &impl ToTokens) -> String {
    let mut spelled = String::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for word in tokens.to_token_stream().to_string().split_whitespace() {
        if spelled.ends_with(is_word) && word.starts_with(is_word) {
            spelled.push(' ');
        }
        spelled.push_str(word);
    }
    spelled
}

/// All identifiers of a function, and those made for it.
#[derive(Debug)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    pub(crate) fn of(item: TokenStream) -> Self {
        let mut names = HashSet::new();
        each(item, &mut |name, _| {
            names.insert(text(name));
        });
        Self(names)
    }

    pub(crate) fn contains(&self, name: &Ident) -> bool {
        self.0.contains(&text(name))
    }

    /// Returns a name like the given one that nothing else has.
    pub(crate) fn fresh(&mut self, name: &Ident, number: usize) -> Ident {
        let mut fresh = format!("{}_{number}", text(name));
        while !self.0.insert(fresh.clone()) {
            fresh.push('_');
        }
        Ident::new(&fresh, name.span())
    }
}

/// The place of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// After `.` or `::`, where no variable's name stands.
    Member,
    Other,
}

/// Calls `f` with every identifier.
fn each(tokens: TokenStream, f: &mut impl FnMut(&Ident, Place)) {
    // The two characters before: a variable may follow `..` and `:`.
    let mut marks = [' '; 2];
    for token in tokens {
        let mut mark = ' ';
        match token {
            TokenTree::Ident(name) => {
                f(&name, if is_member(marks) { Place::Member } else { Place::Other });
            }
            TokenTree::Group(group) => each(group.stream(), f),
            TokenTree::Punct(punct) => mark = punct.as_char(),
            TokenTree::Literal(_) => {}
        }
        marks = [marks[1], mark];
    }
}

/// Refuses variables in an expression that is computed when the kernel is compiled.
///
/// The expansion prints them under other names, so the expression would find another variable or
/// none.
pub(crate) fn constant(tokens: TokenStream, is_variable: impl Fn(&Ident) -> bool) -> Result<()> {
    let mut errors = Vec::new();
    each(tokens, &mut |name, place| {
        if place == Place::Other && is_variable(name) {
            let message = format!(
                "`{name}` is a variable here, and this is computed when the kernel is compiled: write a number or \
                 the name \
                 of a `const`"
            );
            errors.push(Error::new(name.span(), message));
        }
        errors.extend(no_self(name).err());
    });
    super::all(errors)
}

/// Returns the tokens with some names replaced, except names of members.
pub(crate) fn replace(tokens: TokenStream, by: &impl Fn(&Ident) -> Option<TokenStream>) -> TokenStream {
    let mut replaced = TokenStream::new();
    // The two characters before: a variable may follow `..` and `:`.
    let mut marks = [' '; 2];
    for token in tokens {
        let mut mark = ' ';
        match &token {
            TokenTree::Ident(name) if !is_member(marks) => {
                if let Some(by) = by(name) {
                    replaced.extend(by);
                    marks = [marks[1], mark];
                    continue;
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), by));
                inner.set_span(group.span());
                replaced.extend([TokenTree::from(inner)]);
                marks = [marks[1], mark];
                continue;
            }
            TokenTree::Punct(punct) => mark = punct.as_char(),
            _ => {}
        }
        replaced.extend([token]);
        marks = [marks[1], mark];
    }
    replaced
}

/// Returns `true` if a name after these two characters is a member's.
fn is_member(marks: [char; 2]) -> bool {
    matches!(marks, [':', ':']) || marks[1] == '.' && marks[0] != '.'
}

/// Returns the first place of a name.
pub(crate) fn position(tokens: TokenStream, wanted: &str) -> Option<Span> {
    let mut found = None;
    each(tokens, &mut |name, _| {
        if found.is_none() && text(name) == wanted {
            found = Some(name.span());
        }
    });
    found
}

/// Refuses `self` and `Self`.
pub(crate) fn no_self(name: &Ident) -> Result<()> {
    if name == "self" || name == "Self" {
        return Err(Error::new(name.span(), format!("a kernel has no `{name}`: pass a parameter")));
    }
    Ok(())
}
