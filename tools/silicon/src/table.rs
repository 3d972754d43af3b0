//! Tables of results: cells between tabs, a line of column names, and comments after `#`.

use anyhow::Result;
use csv::{QuoteStyle, ReaderBuilder, WriterBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads the rows of a table, without its comments.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<Vec<T>> {
    let mut reader = ReaderBuilder::new().delimiter(b'\t').comment(Some(b'#')).quoting(false).from_reader(text);
    Ok(reader.deserialize().collect::<csv::Result<_>>()?)
}

/// Writes rows below the names of their fields. Without rows the text is empty.
pub(crate) fn write<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Result<String> {
    let mut writer = WriterBuilder::new().delimiter(b'\t').quote_style(QuoteStyle::Never).from_writer(Vec::new());
    rows.into_iter().try_for_each(|row| writer.serialize(row))?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}
