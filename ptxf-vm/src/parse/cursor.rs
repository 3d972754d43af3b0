//! The tokens in front of the parser, and what it expects there.

use super::lex::{Kind, Lexer, Token};
use super::number::Number;
use crate::text::{Error, Span};

/// How much of a token a message shows.
const SHOWN: usize = 40;

/// Reads token by token, with one in view.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    lexer: Lexer<'a>,
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

    /// The text of the token in view.
    pub(crate) fn word(&self) -> &'a str {
        self.of(self.now.span)
    }

    /// The text of a place.
    pub(crate) fn of(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    /// Passes the token.
    pub(crate) fn pass(&mut self) -> Result<Span, Error> {
        self.last = self.now.span;
        self.now = self.lexer.next()?;
        Ok(self.last)
    }

    /// The token behind the one in view.
    pub(crate) fn ahead(&self) -> Result<Token, Error> {
        self.lexer.clone().next()
    }

    pub(crate) fn is(&self, mark: u8) -> bool {
        self.now.kind == Kind::Mark(mark)
    }

    /// Passes this mark if it is there.
    pub(crate) fn takes(&mut self, mark: u8) -> Result<bool, Error> {
        let is = self.is(mark);
        if is {
            self.pass()?;
        }
        Ok(is)
    }

    /// Passes this mark.
    pub(crate) fn mark(&mut self, mark: u8) -> Result<Span, Error> {
        if self.is(mark) { self.pass() } else { Err(self.expected(&format!("`{}`", char::from(mark)))) }
    }

    /// Passes a name.
    pub(crate) fn name(&mut self, what: &str) -> Result<Span, Error> {
        if self.now.kind == Kind::Word { self.pass() } else { Err(self.expected(what)) }
    }

    /// Passes a number, with its sign.
    pub(crate) fn number(&mut self, what: &str) -> Result<Number, Error> {
        if self.takes(b'-')? {
            return self.unsigned(what).map(Number::negated);
        }
        if self.takes(b'~')? {
            return match self.unsigned(what)? {
                Number::Int(x) => Ok(Number::Int(!x)),
                _ => Err(Error::at(self.text, self.last, "`~` stands in front of an integer alone")),
            };
        }
        self.unsigned(what)
    }

    fn unsigned(&mut self, what: &str) -> Result<Number, Error> {
        if self.now.kind != Kind::Number {
            return Err(self.expected(what));
        }
        let span = self.now.span;
        let number = Number::read(self.of(span)).map_err(|what| Error::at(self.text, span, what))?;
        self.pass()?;
        Ok(number)
    }

    /// Passes an integer, with its sign.
    pub(crate) fn integer(&mut self, what: &str) -> Result<u64, Error> {
        let from = self.now.span;
        match self.number(what)? {
            Number::Int(x) => Ok(x),
            _ => Err(Error::at(self.text, from.to(self.last), format!("found a fraction where {what} is expected"))),
        }
    }

    /// Passes an integer below 2³².
    pub(crate) fn small(&mut self, what: &str) -> Result<u32, Error> {
        let from = self.now.span;
        let number = self.integer(what)?;
        number.try_into().map_err(|_| {
            Error::at(
                self.text,
                from.to(self.last),
                format!("{} does not fit: {what} is expected", number.cast_signed()),
            )
        })
    }

    /// The error of a token that is not what should be there.
    pub(crate) fn expected(&self, what: &str) -> Error {
        let found = match self.now.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => {
                let mut characters = self.word().chars();
                let mut found: String = characters.by_ref().take(SHOWN).collect();
                if characters.next().is_some() {
                    found.push('…');
                }
                format!("`{found}`")
            }
        };
        Error::at(self.text, self.now.span, format!("found {found} where {what} is expected"))
    }
}
