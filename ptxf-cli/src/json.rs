//! Lines of JSON, which `--json` prints for other programs.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

/// A place in the source that PTX was compiled from.
#[derive(Serialize)]
pub(crate) struct Source<'a> {
    /// The file.
    pub(crate) source: &'a str,
    /// The line, counted from 1.
    pub(crate) source_line: u32,
}

/// Returns the members of a place; `None` if the PTX has no `.loc` there.
pub(crate) fn source(place: Option<&(String, u32)>) -> Option<Source<'_>> {
    place.map(|(source, line)| Source { source, source_line: *line })
}

/// Returns a number, or a string if JSON has no such number: an infinity or a NaN.
pub(crate) fn float(x: f64) -> Value {
    if x.is_finite() { x.into() } else { x.to_string().into() }
}

/// Writes a value and a newline.
pub(crate) fn line(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
