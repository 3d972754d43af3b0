//! A short text on the stack.

use core::fmt::{self, Write};

/// An ASCII text of at most 144 bytes.
pub(super) struct Text {
    bytes: [u8; 144],
    len: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; 144], len: 0 }
    }

    /// Appends an ASCII character.
    pub(super) fn push(&mut self, c: u8) {
        debug_assert!(c.is_ascii());
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = c;
            self.len += 1;
        }
    }

    /// Appends ASCII text.
    pub(super) fn append(&mut self, text: fmt::Arguments<'_>) {
        let written = self.write_fmt(text);
        debug_assert!(written.is_ok(), "the longest text fits");
    }

    pub(super) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let place = self.bytes.get_mut(self.len..self.len + s.len()).ok_or(fmt::Error)?;
        place.copy_from_slice(s.as_bytes());
        self.len += s.len();
        Ok(())
    }
}
