//! The lexer of the table's files.

use std::fmt;

/// A file of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// The name, for error messages.
    pub name: &'static str,
    /// The content.
    pub text: &'static str,
}

/// The position of a token.
#[derive(Clone, Copy)]
pub struct Pos {
    source: Source,
    start: usize,
    end: usize,
}

impl fmt::Debug for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.line_column();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

impl Pos {
    /// Returns the line and the column, counted from 1.
    pub fn line_column(self) -> (usize, usize) {
        let before = &self.source.text[..self.start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// Returns an error at this token.
    pub fn error(self, message: impl Into<String>) -> Complaint {
        Complaint { pos: self, message: message.into() }
    }
}

/// An error in the table.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// The position of the token.
    pub pos: Pos,
    /// The error and its correction.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.pos.line_column();
        let text = self.pos.source.text.lines().nth(line - 1).unwrap_or_default();
        let carets = "^".repeat(self.pos.source.text[self.pos.start..self.pos.end].chars().count().max(1));
        writeln!(f, "{:?}: {}", self.pos, self.message)?;
        writeln!(f, "    {text}")?;
        write!(f, "    {}{carets}", " ".repeat(column - 1))
    }
}

/// A token of the table's language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tok {
    /// A word: `fma`, `rn`, `where`, `inf`, `scaled::n2::ue8m0`.
    Word(String),
    /// A number as written: `4.2`, `-0x1p-149`, `-inf`.
    Number(String),
    /// A quoted text: `"9.7.3.6"`.
    Text(String),
    /// A doc comment, without the slashes and one space.
    Doc(String),
    /// One of `. , ; = { } ( ) ! |`, `->`, `=>`.
    Punct(&'static str),
    /// The end of the file.
    End,
}

/// Splits a file into tokens. The last one is [`Tok::End`].
pub(crate) fn lex(source: Source) -> Result<Vec<(Tok, Pos)>, Complaint> {
    let text = source.text;
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        let rest = &text[i..];
        let run = |keep: &dyn Fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let tok = if rest.starts_with(char::is_whitespace) {
            i += run(&char::is_whitespace);
            continue;
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            i += end;
            match rest[..end].strip_prefix("///") {
                Some(doc) => Tok::Doc(doc.strip_prefix(' ').unwrap_or(doc).to_owned()),
                None => continue,
            }
        } else if let Some(body) = rest.strip_prefix('"') {
            let Some(len) = body.find(['"', '\n']).filter(|&len| body[len..].starts_with('"')) else {
                return Err(Pos { source, start, end: start + 1 }.error("this string has no end"));
            };
            i += len + 2;
            Tok::Text(body[..len].to_owned())
        } else if let Some(p) =
            ["->", "=>", ".", ",", ";", "=", "{", "}", "(", ")", "!", "|"].into_iter().find(|p| rest.starts_with(p))
        {
            i += p.len();
            Tok::Punct(p)
        } else if rest.starts_with(|c: char| c.is_ascii_digit()) && matches!(out.last(), Some((Tok::Punct("."), _))) {
            // A modifier such as `.2pi`: no number begins with a point.
            i += run(&|c| c.is_ascii_alphanumeric());
            Tok::Word(text[start..i].to_owned())
        } else if rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            // A number has a sign at its start, and after the `p` of an exponent.
            let end = rest
                .char_indices()
                .find(|&(k, c)| {
                    !(c.is_ascii_alphanumeric() || c == '.' || c == '-' && (k == 0 || rest[..k].ends_with('p')))
                })
                .map_or(rest.len(), |(k, _)| k);
            i += end;
            Tok::Number(rest[..end].to_owned())
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name = |text: &str| text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
            i += name(rest);
            while text[i..].starts_with("::") {
                i += 2 + name(&text[i + 2..]);
            }
            Tok::Word(rest[..i - start].to_owned())
        } else {
            let c = rest.chars().next().unwrap_or_default();
            let pos = Pos { source, start, end: start + c.len_utf8() };
            return Err(pos.error(format!("`{c}` means nothing here")));
        };
        out.push((tok, Pos { source, start, end: i }));
    }
    out.push((Tok::End, Pos { source, start: text.len(), end: text.len() }));
    Ok(out)
}
