//! The limit on how deep a kernel nests, which is checked before anything recurses into the kernel.
//!
//! The parser, the passes and the printer recurse on the compiler's stack. If the stack overflows,
//! the compiler dies without a message. Nesting is what stands between parentheses, and each
//! operand of an operator: `a + b + c` is a sum in a sum. An arm of a `match` is an `else` of the
//! arm before. Parentheses take twice the stack of an operator.

use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// The largest depth. At this depth macros without optimization take 2.3 MiB of the compiler's 8
/// MiB stack.
pub(super) const MOST: usize = 256;

/// The depth of a pair of parentheses. An operator has depth 1.
const GROUP: usize = 2;

/// The depth of an arm of a `match`, which contains a block.
const ARM: usize = 3;

/// Words before expressions.
const NESTING: [&str; 8] = ["as", "else", "if", "in", "while", "match", "return", "break"];

/// Refuses an item that nests deeper than [`MOST`], on the first token that is too deep.
pub(crate) fn check(item: &TokenStream) -> Result<()> {
    // Groups still to be visited, with their depths. A recursion could overflow the stack itself.
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

/// Tokens that belong to one expression, as far as can be seen without a grammar.
struct Expression {
    around: usize,
    /// Arms of a `match` so far. Each counts as inside of the one before.
    arms: usize,
    /// Operators so far.
    operators: usize,
    /// The groups in the expression.
    groups: Vec<TokenStream>,
    last: Last,
}

/// The previous token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The first of the two characters of an operator such as `&&`.
    Mark(char),
    /// A group that a call or an index may follow.
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

    /// Ends the expression. Its groups are deeper than all operators around them.
    fn end(&mut self, waiting: &mut Vec<(TokenStream, usize)>) {
        let around = self.around + self.arms + self.operators + GROUP;
        waiting.extend(self.groups.drain(..).map(|group| (group, around)));
        (self.operators, self.last) = (0, Last::Other);
    }
}

fn too_deep(span: Span) -> Error {
    let message = format!(
        "this nests too deep for the compiler's stack: {GROUP} for each pair of parentheses or block, {ARM} for each \
         arm of a `match` and 1 for each operator make more than {MOST} here; name a part in a `let`, or make it a \
         `#[ptx_fn]`"
    );
    Error::new(span, message)
}
