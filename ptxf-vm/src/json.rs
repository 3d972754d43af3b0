//! Lines of JSON.

use std::fmt::{Display, Write as _};

/// A JSON object that is written member by member.
#[derive(Debug, Default)]
pub struct Object(String);

impl Object {
    fn key(&mut self, name: &str) {
        let before = if self.0.is_empty() { '{' } else { ',' };
        self.0.push(before);
        self.quoted(name);
        self.0.push(':');
    }

    fn quoted(&mut self, text: &str) {
        self.0.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.0.extend(['\\', c]),
                c if c.is_control() => _ = write!(self.0, "\\u{:04x}", u32::from(c)),
                c => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    /// Adds a string.
    #[must_use]
    pub fn text(mut self, name: &str, value: &str) -> Self {
        self.key(name);
        self.quoted(value);
        self
    }

    /// Adds a number, or another value whose `Display` is JSON.
    #[must_use]
    pub fn plain(mut self, name: &str, value: impl Display) -> Self {
        self.key(name);
        let _ = write!(self.0, "{value}");
        self
    }

    /// Adds a floating-point number. NaN and infinities become strings.
    #[must_use]
    pub fn float(self, name: &str, value: f64) -> Self {
        if value.is_finite() { self.plain(name, format!("{value:?}")) } else { self.text(name, &value.to_string()) }
    }

    /// Adds a list of values whose `Display` is JSON.
    #[must_use]
    pub fn list(self, name: &str, values: impl IntoIterator<Item = impl Display>) -> Self {
        let all: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        self.plain(name, format!("[{}]", all.join(",")))
    }

    /// Adds the source file and line, if they are known.
    #[must_use]
    pub fn source(self, source: Option<(&str, u32)>) -> Self {
        match source {
            Some((file, line)) => self.text("source", file).plain("source_line", line),
            None => self,
        }
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}}}", self.0, if self.0.is_empty() { "{" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_and_numbers_that_json_has_not_too() {
        let object = Object::default().text("a\"", "b\\\n").plain("n", 7).float("x", 1.0).float("y", f64::INFINITY);
        assert_eq!(object.list("l", [1, 2]).to_string(), r#"{"a\"":"b\\\u000a","n":7,"x":1.0,"y":"inf","l":[1,2]}"#);
        assert_eq!(Object::default().to_string(), "{}");
    }
}
