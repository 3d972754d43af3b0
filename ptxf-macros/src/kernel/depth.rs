//! How deep a kernel nests, before anything recurses into it.
//!
//! The parser, the passes and the printer call themselves for what is inside, on the compiler's stack, and when that ends the compiler
//! ends without a word. What is inside of something stands between its parentheses, or is an operand of its operator: `a + b + c` is a
//! sum in a sum. An arm of a `match` is an `else` of the arm in front. Parentheses take twice the stack that an operator does.

use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// How deep that may be: in macros that are compiled without optimization, 2.3 of the compiler's 8 MiB.
pub(super) const MOST: usize = 256;

/// Of what is between parentheses; an operator is 1.
const GROUP: usize = 2;

/// Of an arm, in which there is a block.
const ARM: usize = 3;

/// Words that expressions follow.
const NESTING: [&str; 8] = ["as", "else", "if", "in", "while", "match", "return", "break"];

/// Refuses what nests deeper, on the token that goes too far.
pub(crate) fn check(item: &TokenStream) -> Result<()> {
    // What is still to be looked at, with the levels around it: no recursion, for obvious reasons.
    let mut waiting = vec![(item.clone(), 0)];
    while let Some((tokens, around)) = waiting.pop() {
        let mut expression = Expression::new(around);
        for token in tokens {
            expression.add(token, &mut waiting)?;
        }
        expression.end(&mut waiting);
    }
    Ok(())
}

/// Tokens that are one expression at most, as far as one can tell without a grammar.
struct Expression {
    around: usize,
    /// Arms of a `match` so far, each of which is inside of the one in front.
    arms: usize,
    /// Operators so far.
    operators: usize,
    /// What is between parentheses.
    groups: Vec<TokenStream>,
    last: Last,
}

/// The token in front.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The first half of an operator of two marks.
    Mark(char),
    /// What a call or an index may stand behind.
    Group,
    /// A block, which may end a statement.
    Block,
    Other,
}

impl Expression {
    fn new(around: usize) -> Self {
        Self { around, arms: 0, operators: 0, groups: Vec::new(), last: Last::Other }
    }

    fn add(&mut self, token: TokenTree, waiting: &mut Vec<(TokenStream, usize)>) -> Result<()> {
        let span = token.span();
        let ends = match &token {
            TokenTree::Punct(mark) => matches!(mark.as_char(), ';' | ','),
            TokenTree::Ident(word) => self.last == Last::Block && word != "else" && word != "as",
            TokenTree::Group(_) | TokenTree::Literal(_) => self.last == Last::Block,
        };
        if ends {
            self.end(waiting);
        }
        match token {
            TokenTree::Punct(mark) => self.mark(&mark),
            TokenTree::Ident(word) => {
                self.operators += usize::from(NESTING.iter().any(|nests| word == nests));
                self.last = Last::Other;
            }
            TokenTree::Group(group) => {
                self.operators += usize::from(self.last == Last::Group);
                self.last = match group.delimiter() {
                    proc_macro2::Delimiter::Brace => Last::Block,
                    _ => Last::Group,
                };
                self.groups.push(group.stream());
            }
            TokenTree::Literal(_) => self.last = Last::Other,
        }
        if self.around + self.arms + self.operators > MOST {
            return Err(too_deep(span));
        }
        Ok(())
    }

    fn mark(&mut self, mark: &Punct) {
        let second = matches!(
            (self.last, mark.as_char()),
            (Last::Mark('&'), '&')
                | (Last::Mark('|'), '|')
                | (Last::Mark('.'), '.')
                | (Last::Mark('<'), '<')
                | (Last::Mark('>'), '>')
                | (Last::Mark(_), '=')
                | (Last::Mark('-' | '='), '>')
        );
        let operator =
            matches!(mark.as_char(), '+' | '-' | '*' | '/' | '%' | '^' | '!' | '&' | '|' | '<' | '>' | '=' | '.' | '?');
        self.operators += usize::from(operator && !second);
        if self.last == Last::Mark('=') && mark.as_char() == '>' {
            self.arms += ARM;
        }
        let first = operator && !second && mark.spacing() == Spacing::Joint;
        self.last = if first { Last::Mark(mark.as_char()) } else { Last::Other };
    }

    /// What was between parentheses is deeper than all operators around it.
    fn end(&mut self, waiting: &mut Vec<(TokenStream, usize)>) {
        let around = self.around + self.arms + self.operators + GROUP;
        waiting.extend(self.groups.drain(..).map(|group| (group, around)));
        (self.operators, self.last) = (0, Last::Other);
    }
}

fn too_deep(span: Span) -> Error {
    let message = format!(
        "this nests deeper than the compiler's stack may be: {GROUP} for parentheses or a block, {ARM} for each arm of a \
         `match` and 1 for an operator make more than {MOST} here; give a part a name in a `let`, or make it a `#[ptx_fn]`"
    );
    Error::new(span, message)
}
