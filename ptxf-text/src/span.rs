//! Places in a text.

/// A range of bytes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Returns the range from the start of `self` to the end of `last`.
    #[must_use]
    pub const fn to(self, last: Self) -> Self {
        Self { start: self.start, end: last.end }
    }

    /// Returns the text in the range. The result is empty if the range is not within `text`.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Returns the line and the column of the byte `at`, both counted from 1. A column is a byte of its
/// line.
///
/// # Examples
///
/// ```
/// assert_eq!(ptxf_text::place("a\nbc", 3), (2, 2));
/// ```
#[must_use]
pub fn place(text: &str, at: u32) -> (usize, usize) {
    let before = text.as_bytes().get(..at as usize).unwrap_or(text.as_bytes());
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    (line, column)
}

/// An index of the lines of a text, which finds a line faster than [`place`].
#[derive(Debug)]
pub struct Lines(Vec<u32>);

impl Lines {
    /// Indexes the lines of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        Self([0].into_iter().chain(ends).collect())
    }

    /// Returns the number of the line that contains the byte `at`, counted from 1.
    #[must_use]
    pub fn number(&self, at: u32) -> usize {
        self.0.partition_point(|begin| *begin <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_a_line_agree() {
        let text = "a\nbc\n\nd";
        let lines = Lines::new(text);
        (0..=text.len() as u32).for_each(|at| assert_eq!(lines.number(at), place(text, at).0, "{at}"));
    }
}
