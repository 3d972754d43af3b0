//! Errors that show their place in a text.

use std::fmt;

use crate::span::{Span, place};

/// Characters of a line that an error shows on each side of its place.
const SHOWN: usize = 60;

/// A fault of a PTX text.
///
/// `Display` and `Debug` print the place, the line and a mark below the fault.
///
/// # Examples
///
/// ```
/// let text = ".version 7.8\n.target sm_90\n.visible .entry k() {\n  add.s32 %r1 %r2;\n}";
/// let error = ptxf_text::Unit::parse(text).unwrap_err();
/// assert_eq!((error.line(), error.column()), (4, 15));
/// let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
/// assert_eq!(lines[0], "line 4, column 15: found `%r2` where `,` or `;` is expected");
/// assert_eq!(lines[1], "  |   add.s32 %r1 %r2;");
/// assert_eq!(lines[2], "  |               ^^^");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    line: usize,
    column: usize,
    what: String,
    shown: String,
    mark: (usize, usize),
    is_certain: bool,
}

impl Error {
    /// Makes an error about `span` of `text`.
    pub fn at(text: &str, span: Span, what: impl Into<String>) -> Self {
        let (line, column) = place(text, span.start);
        let from = span.start as usize + 1 - column;
        let whole = text.get(from..).unwrap_or_default().lines().next().unwrap_or_default();
        let before: Vec<char> = whole.get(..column - 1).unwrap_or_default().chars().collect();
        let skipped = before.len().saturating_sub(SHOWN);
        let printable = |c: char| if c.is_control() { ' ' } else { c };
        let mut shown: String = before.iter().skip(skipped).map(|&c| printable(c)).collect();
        let lead = shown.chars().count();
        let rest = whole.get(column - 1..).unwrap_or_default();
        shown.extend(rest.chars().take(2 * SHOWN).map(printable));
        let marked = span.of(text).lines().next().unwrap_or_default().chars().count();
        Self { line, column, what: what.into(), shown, mark: (lead, marked.clamp(1, 2 * SHOWN)), is_certain: false }
    }

    /// Makes an error that has no place.
    pub fn general(what: impl Into<String>) -> Self {
        Self { line: 0, column: 0, what: what.into(), shown: String::new(), mark: (0, 0), is_certain: false }
    }

    /// Makes the error one of the text itself, which no reader of PTX accepts.
    #[must_use]
    pub fn certain(self) -> Self {
        Self { is_certain: true, ..self }
    }

    /// Returns `true` if no reader of PTX accepts the text, such as a name that is not declared.
    /// Otherwise this reader may lack what the text uses.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Returns the number of the line, counted from 1, or 0 if the error has no place.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the number of the byte in its line, counted from 1, or 0 if the error has no place.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns the message without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lead, marked) = self.mark;
        if self.line == 0 {
            return f.write_str(&self.what);
        }
        writeln!(f, "line {}, column {}: {}", self.line, self.column, self.what)?;
        writeln!(f, "  | {}", self.shown)?;
        write!(f, "  | {}{}", " ".repeat(lead), "^".repeat(marked))
    }
}

/// Prints what `Display` prints: a test or a `main` that returns the error shows its `Debug`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let long = format!("{}here{}", "x, ".repeat(1000), "y".repeat(1000));
        let error = Error::at(&long, Span { start: 3000, end: 3004 }, "wrong");
        let text = error.to_string();
        assert!(text.len() < 500 && text.ends_with("^^^^"), "{text}");
        assert_eq!(error.column(), 3001);
        assert_eq!(format!("{error:?}"), text);
    }

    #[test]
    fn a_place_outside_of_the_text_does_not_panic() {
        assert_eq!(Error::at("", Span { start: 7, end: 9 }, "wrong").line(), 1);
    }
}
