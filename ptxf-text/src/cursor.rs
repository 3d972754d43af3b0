//! A cursor over tokens, and the errors of tokens that are not expected.

use crate::constant::PRODUCT;
use crate::error::Error;
use crate::lexer::{Kind, Lexer, Token};
use crate::number::Number;
use crate::span::Span;

/// Characters of a token that a message shows.
const SHOWN: usize = 40;

/// A position between tokens, with the next token in view.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    lexer: Lexer<'a>,
    /// The token in view.
    pub(crate) now: Token,
    /// The last token that was passed.
    pub(crate) last: Span,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Self, Error> {
        let mut lexer = Lexer::new(text);
        let now = lexer.next()?;
        Ok(Self { text, lexer, now, last: Span::default() })
    }

    /// Returns the text of the token in view.
    pub(crate) fn word(&self) -> &'a str {
        self.of(self.now.span)
    }

    /// Returns the text of a span.
    pub(crate) fn of(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    /// Passes the token in view and returns its span.
    pub(crate) fn pass(&mut self) -> Result<Span, Error> {
        self.last = self.now.span;
        self.now = self.lexer.next()?;
        Ok(self.last)
    }

    /// Returns the token after the one in view.
    pub(crate) fn ahead(&self) -> Result<Token, Error> {
        self.lexer.clone().next()
    }

    /// Returns `true` if the token in view is this mark.
    pub(crate) fn is(&self, mark: u8) -> bool {
        self.now.kind == Kind::Mark(mark)
    }

    /// Passes the token in view if it is this mark, and returns `true` if so.
    pub(crate) fn takes(&mut self, mark: u8) -> Result<bool, Error> {
        let is = self.is(mark);
        if is {
            self.pass()?;
        }
        Ok(is)
    }

    /// Passes this mark, which has to be in view.
    pub(crate) fn mark(&mut self, mark: u8) -> Result<Span, Error> {
        if self.is(mark) { self.pass() } else { Err(self.expected(&format!("`{}`", char::from(mark)))) }
    }

    /// Passes a name. An error describes the name as `what`.
    pub(crate) fn name(&mut self, what: &str) -> Result<Span, Error> {
        if self.now.kind == Kind::Word { self.pass() } else { Err(self.expected(what)) }
    }

    /// Passes what is before this byte, which lies in the token in view.
    pub(crate) fn pass_until(&mut self, at: u32) -> Result<(), Error> {
        self.last = Span { start: self.now.span.start, end: at };
        self.lexer.seek(at);
        self.now = self.lexer.next()?;
        Ok(())
    }

    /// Passes a constant expression that is an integer.
    pub(crate) fn integer(&mut self, what: &str) -> Result<u64, Error> {
        self.integer_of(what, 0)
    }

    /// Passes an integer whose operators have at least this precedence.
    pub(crate) fn integer_of(&mut self, what: &str, least: u8) -> Result<u64, Error> {
        let from = self.now.span;
        match self.constant(what, least)? {
            Number::Int(x) => Ok(x),
            _ => Err(Error::at(self.text, from.to(self.last), format!("found a fraction where {what} is expected"))),
        }
    }

    /// Passes an integer below 2³², without operators.
    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, Error> {
        let from = self.now.span;
        let number = self.integer_of(what, PRODUCT + 1)?;
        number.try_into().map_err(|_| {
            Error::at(
                self.text,
                from.to(self.last),
                format!("{} is out of range: {what} is expected", number.cast_signed()),
            )
        })
    }

    /// Makes the error of a token that is not `what`.
    pub(crate) fn expected(&self, what: &str) -> Error {
        let found = match self.now.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => {
                let mut characters = self.word().chars();
                let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
                let mut found: String = characters.by_ref().take(SHOWN).map(printable).collect();
                if characters.next().is_some() {
                    found.push('…');
                }
                format!("`{found}`")
            }
        };
        Error::at(self.text, self.now.span, format!("found {found} where {what} is expected"))
    }
}
