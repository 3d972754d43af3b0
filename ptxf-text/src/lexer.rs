//! Splits a PTX text into words, numbers and punctuation.

use crate::error::Error;
use crate::span::Span;

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, a register or the first word of an opcode.
    Word,
    /// A directive, a type or a modifier, with its dot.
    Dotted,
    /// An integer or a floating-point number.
    Number,
    /// A string with its quotes.
    Text,
    /// Any other character.
    Mark(u8),
    /// The end of the text.
    End,
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// A position in a text.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of `text`, which ends at its first zero byte, as for a driver.
    pub(crate) fn new(text: &'a str) -> Self {
        let end = text.bytes().position(|b| b == 0).unwrap_or(text.len());
        Self { text: &text[..end], at: 0 }
    }

    /// Continues at a byte that was read before.
    pub(crate) const fn seek(&mut self, at: u32) {
        self.at = at as usize;
    }

    /// Returns the next token. At the end of the text, its kind is [`Kind::End`].
    pub(crate) fn next(&mut self) -> Result<Token, Error> {
        self.skip()?;
        let bytes = self.text.as_bytes();
        let start = self.at;
        let Some(&first) = bytes.get(start) else { return Ok(self.token(Kind::End, start)) };
        let followed_by_name = bytes.get(start + 1).is_some_and(|&b| continues(b));
        let (kind, end) = match first {
            b'.' if followed_by_name => (Kind::Dotted, dotted(bytes, start)),
            b'0'..=b'9' => (Kind::Number, number(bytes, start)),
            b if begins(b) => (Kind::Word, start + 1 + run(bytes, start + 1)),
            b'"' => (Kind::Text, self.string()?),
            b'!' | b'#'..=b'/' | b':'..=b'@' | b'[' | b']' | b'^' | b'{' | b'|' | b'}' | b'~' => {
                (Kind::Mark(first), start + 1)
            }
            _ => {
                let found = self.text[start..].chars().next().unwrap_or_default();
                let span = Span { start: start as u32, end: (start + found.len_utf8()) as u32 };
                return Err(Error::at(
                    self.text,
                    span,
                    format!("`{}` is not part of PTX: remove it", found.escape_debug()),
                ));
            }
        };
        self.at = end;
        Ok(self.token(kind, start))
    }

    fn token(&self, kind: Kind, start: usize) -> Token {
        Token { kind, span: Span { start: start as u32, end: self.at as u32 } }
    }

    /// Passes blanks, comments, and `@@DWARF …`: debugging information before PTX 2.0, up to the
    /// end of its line.
    fn skip(&mut self) -> Result<(), Error> {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.at) {
            let rest = &bytes[self.at..];
            if b.is_ascii_whitespace() || b == 0x0b {
                self.at += 1;
            } else if rest.starts_with(b"//") || rest.starts_with(b"@@") {
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let Some(length) = rest.windows(2).skip(2).position(|w| w == b"*/") else {
                    let span = Span { start: self.at as u32, end: self.at as u32 + 2 };
                    return Err(Error::at(self.text, span, "the comment has no end: write `*/` after it"));
                };
                self.at += length + 4;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Returns the end of the string that begins here.
    fn string(&self) -> Result<usize, Error> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => at += 2,
                Some(b'\n') | None => {
                    let span = Span { start: self.at as u32, end: at.min(bytes.len()) as u32 };
                    return Err(Error::at(self.text, span, "the string does not end in its line: write `\"` after it"));
                }
                Some(_) => at += 1,
            }
        }
    }
}

/// Returns `true` if a name can begin with this byte.
const fn begins(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'%')
}

/// Returns `true` if a name can contain this byte.
const fn continues(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$')
}

/// Returns the number of bytes of a name from here on.
fn run(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|&&b| continues(b)).count()
}

/// Returns the end of `.reg`, or of `.shared::cta`, which is one token.
fn dotted(bytes: &[u8], start: usize) -> usize {
    let mut end = start + 1 + run(bytes, start + 1);
    while bytes.get(end..).is_some_and(|rest| rest.starts_with(b"::")) && run(bytes, end + 2) > 0 {
        end += 2 + run(bytes, end + 2);
    }
    end
}

/// Returns the end of `7`, `0x1F`, `0f3F800000`, `1.5` or `1e-5`.
fn number(bytes: &[u8], start: usize) -> usize {
    let mut end = start + run(bytes, start);
    let prefixed = bytes[start] == b'0' && bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic);
    if prefixed {
        return end;
    }
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end += 1 + run(bytes, end + 1);
    }
    if matches!(bytes[end - 1], b'e' | b'E') && matches!(bytes.get(end), Some(b'+' | b'-')) {
        end += 1 + run(bytes, end + 1);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(text);
        let mut words = Vec::new();
        loop {
            let token = lexer.next().unwrap();
            if token.kind == Kind::End {
                return words;
            }
            words.push(token.span.of(text));
        }
    }

    #[test]
    fn every_token_keeps_its_bytes() {
        assert_eq!(words("@!%p1 bra.uni $L__0; // no\n"), ["@", "!", "%p1", "bra", ".uni", "$L__0", ";"]);
        assert_eq!(
            words("ld.shared::cta.b32 %r1,[a+4];"),
            ["ld", ".shared::cta", ".b32", "%r1", ",", "[", "a", "+", "4", "]", ";"]
        );
        assert_eq!(
            words("mov.f32 a, 0f3F800000;/* , */0d3FF0000000000000 1.5 1e-5 0x1e-5 %tid.x"),
            [
                "mov",
                ".f32",
                "a",
                ",",
                "0f3F800000",
                ";",
                "0d3FF0000000000000",
                "1.5",
                "1e-5",
                "0x1e",
                "-",
                "5",
                "%tid",
                ".x"
            ]
        );
        assert_eq!(
            words(".version 7.8\n.b8 x[2]={1,2};\0 not read"),
            [".version", "7.8", ".b8", "x", "[", "2", "]", "=", "{", "1", ",", "2", "}", ";"]
        );
        assert_eq!(
            words(".file 1 \"a\\\"b\" .reg .b32 %r<8>;"),
            [".file", "1", "\"a\\\"b\"", ".reg", ".b32", "%r", "<", "8", ">", ";"]
        );
    }

    #[test]
    fn a_character_outside_of_the_grammar_is_an_error() {
        for (text, column) in [("a /* b", 3), ("  \"abc", 3), ("a\n €", 2), ("`", 1), ("\\", 1)] {
            let mut lexer = Lexer::new(text);
            let error = loop {
                match lexer.next() {
                    Ok(token) => assert_ne!(token.kind, Kind::End, "{text}"),
                    Err(error) => break error,
                }
            };
            assert_eq!(error.column(), column, "{text}");
        }
    }
}
