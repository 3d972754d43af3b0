//! A text, places in it, and errors that show them.

use std::fmt;

/// A range of bytes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// What begins where this does and ends where the other one does.
    pub(crate) const fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }

    /// The text there; nothing for a range of another text.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The number of the line that a byte stands in, and of the byte in it, both counted from 1.
pub(crate) fn place(text: &str, at: u32) -> (usize, usize) {
    let before = text.as_bytes().get(..at as usize).unwrap_or(text.as_bytes());
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    (line, column)
}

/// Where the lines of a text begin, for those who ask often.
#[derive(Debug)]
pub(crate) struct Lines(Vec<u32>);

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let ends = text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        Self([0].into_iter().chain(ends).collect())
    }

    /// The number of the line that a byte stands in, counted from 1.
    pub(crate) fn number(&self, at: u32) -> usize {
        self.0.partition_point(|begin| *begin <= at)
    }
}

/// How many characters of a line are shown around a place.
const SHOWN: usize = 60;

/// Why a PTX text cannot be read or run, and where.
///
/// Displays with the line and a mark below what is wrong.
///
/// # Examples
///
/// ```
/// let text = ".version 7.8\n.target sm_90\n.visible .entry k() {\n  add.s32 %r1 %r2;\n}";
/// let error = ptxf_vm::Module::parse(text).unwrap_err();
/// assert_eq!((error.line(), error.column()), (4, 15));
/// assert_eq!(
///     error.to_string(),
///     "line 4, column 15: found `%r2` where `,` or `;` is expected\n  |   add.s32 %r1 %r2;\n  |               ^^^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    line: usize,
    column: usize,
    what: String,
    shown: String,
    mark: (usize, usize),
}

impl Error {
    /// An error at a place of the text.
    pub(crate) fn at(text: &str, span: Span, what: impl Into<String>) -> Self {
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
        Self { line, column, what: what.into(), shown, mark: (lead, marked.clamp(1, 2 * SHOWN)) }
    }

    /// An error about no place in particular.
    pub(crate) fn general(what: impl Into<String>) -> Self {
        Self { line: 0, column: 0, what: what.into(), shown: String::new(), mark: (0, 0) }
    }

    /// The number of the line, counted from 1; 0 if the error is about no place.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The number of the byte in its line, counted from 1; 0 if there is none.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }

    /// What is wrong, without the place.
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

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one_and_long_lines_are_cut() {
        assert_eq!(place("a\nbc", 3), (2, 2));
        let text = "a\nbc\n\nd";
        let lines = Lines::new(text);
        (0..=text.len() as u32).for_each(|at| assert_eq!(lines.number(at), place(text, at).0, "{at}"));
        let long = format!("{}here{}", "x, ".repeat(1000), "y".repeat(1000));
        let error = Error::at(&long, Span { start: 3000, end: 3004 }, "wrong");
        let text = error.to_string();
        assert!(text.len() < 500 && text.ends_with("^^^^"), "{text}");
        assert_eq!(error.column(), 3001);
    }

    #[test]
    fn a_place_outside_of_the_text_is_none() {
        assert_eq!(Error::at("", Span { start: 7, end: 9 }, "wrong").line(), 1);
    }
}
