//! Which variable a name means.
//!
//! A name is looked up by its text, innermost scope first, and every variable is printed under a name that nothing else has:
//! declared with the span of its declaration, used with the span of each use. So the compiler finds the variable that was
//! found here, or none. Where it tells two names of one text apart, as that of a `macro_rules!` from that of its caller, the
//! name is an error, and neither converted nor checked as something that it is not.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Error, Result};

/// The name as Rust compares it: `r#t` is `t`.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The tokens as one writes a path or a type: `&mut Vec<f32>`.
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

    /// A name like the one given, that nothing has.
    pub(crate) fn fresh(&mut self, name: &Ident, number: usize) -> Ident {
        let mut fresh = format!("{}_{number}", text(name));
        while !self.0.insert(fresh.clone()) {
            fresh.push('_');
        }
        Ident::new(&fresh, name.span())
    }
}

/// Where an identifier stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Behind `.` or `::`, where no variable's name stands.
    Member,
    Other,
}

/// Calls `f` with every identifier.
fn each(tokens: TokenStream, f: &mut impl FnMut(&Ident, Place)) {
    // The two marks in front: a variable may stand behind `..` and `:`.
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

/// Refuses variables, for which `is_variable` answers, in what is computed when the kernel is compiled.
///
/// They are printed under other names than this says, so it would find something else, or nothing.
pub(crate) fn constant(tokens: TokenStream, is_variable: impl Fn(&Ident) -> bool) -> Result<()> {
    let mut errors = Vec::new();
    each(tokens, &mut |name, place| {
        if place == Place::Other && is_variable(name) {
            let message = format!(
                "`{name}` is a variable here, and this is computed when the kernel is compiled: write a number or the name \
                 of a `const`"
            );
            errors.push(Error::new(name.span(), message));
        }
        errors.extend(no_self(name).err());
    });
    super::all(errors)
}

/// The tokens with others in place of some names, where no member's stands.
pub(crate) fn replace(tokens: TokenStream, by: &impl Fn(&Ident) -> Option<TokenStream>) -> TokenStream {
    let mut replaced = TokenStream::new();
    // The two marks in front: a variable may stand behind `..` and `:`.
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

/// Whether a name behind these two marks is a member's.
fn is_member(marks: [char; 2]) -> bool {
    matches!(marks, [':', ':']) || marks[1] == '.' && marks[0] != '.'
}

/// Where a name stands, if it does.
pub(crate) fn position(tokens: TokenStream, wanted: &str) -> Option<Span> {
    let mut found = None;
    each(tokens, &mut |name, _| {
        if found.is_none() && text(name) == wanted {
            found = Some(name.span());
        }
    });
    found
}

/// Refuses what a method would mean by itself.
pub(crate) fn no_self(name: &Ident) -> Result<()> {
    if name == "self" || name == "Self" {
        return Err(Error::new(name.span(), format!("there is no `{name}` in a kernel: it is a function of its own")));
    }
    Ok(())
}
