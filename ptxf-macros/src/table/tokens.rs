//! Checks before parsing: depth, length, and attributes at places where they would be ignored.
//!
//! The parser is recursive in parentheses, signs and `else if`s. A macro that overflows its stack
//! crashes the compiler, so a loop rejects too deep an input first.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Error, Result};

/// The limit of groups within groups.
const DEEPEST: usize = 128;
/// The limit of tokens of one expression; each group has a count of its own.
const LONGEST: usize = 512;
/// The limit of signs in a row.
const MOST_SIGNS: usize = 16;
/// The limit of `else`s in a row.
const MOST_ELSES: usize = 64;

/// The tokens of a group, counted since the last separator.
struct Arithmetic {
    tokens: proc_macro2::token_stream::IntoIter,
    length: usize,
    signs: usize,
    elses: usize,
}

impl Arithmetic {
    fn new(tokens: TokenStream) -> Self {
        Self { tokens: tokens.into_iter(), length: 0, signs: 0, elses: 0 }
    }

    fn count(&mut self, token: &TokenTree) -> Result<()> {
        let complain = |what: &str| Err(Error::new(token.span(), format!("{what}: name parts of it, `let y = …;`")));
        match token {
            TokenTree::Punct(p) if [';', ','].contains(&p.as_char()) => {
                (self.length, self.signs, self.elses) = (0, 0, 0)
            }
            TokenTree::Punct(_) => self.signs += 1,
            TokenTree::Ident(name) if *name == "let" => (self.length, self.signs, self.elses) = (0, 0, 0),
            TokenTree::Ident(name) => (self.signs, self.elses) = (0, self.elses + usize::from(*name == "else")),
            _ => self.signs = 0,
        }
        self.length += 1;
        if self.length > LONGEST {
            return complain(&format!("an expression of more than {LONGEST} tokens"));
        }
        if self.signs > MOST_SIGNS {
            return complain(&format!("more than {MOST_SIGNS} signs in a row"));
        }
        if self.elses > MOST_ELSES {
            return complain(&format!("more than {MOST_ELSES} `else`s in a row"));
        }
        Ok(())
    }
}

/// Rejects an input that is too deep or too long to be parsed, and attributes after the word
/// `static`.
pub(super) fn check(input: TokenStream) -> Result<()> {
    let mut arithmetics = vec![Arithmetic::new(input)];
    let mut in_definition = false;
    let mut after_hash = false;
    while let Some(arithmetic) = arithmetics.last_mut() {
        let Some(token) = arithmetic.tokens.next() else {
            arithmetics.pop();
            continue;
        };
        arithmetic.count(&token)?;
        match token {
            TokenTree::Punct(p) if p.as_char() == '#' => {
                if in_definition || arithmetics.len() > 1 {
                    return Err(Error::new(p.span(), "an attribute has no effect here: write it before the `static`"));
                }
                after_hash = true;
                continue;
            }
            // Attributes before the `static` are for the compiler.
            TokenTree::Group(_) if after_hash => {}
            TokenTree::Group(group) => {
                if arithmetics.len() > DEEPEST {
                    return Err(Error::new(
                        group.span_open(),
                        format!("nested more than {DEEPEST} deep: name parts of it, `let y = …;`"),
                    ));
                }
                arithmetics.push(Arithmetic::new(group.stream()));
            }
            TokenTree::Ident(name) if name == "static" => in_definition = true,
            _ => {}
        }
        after_hash = false;
    }
    Ok(())
}
