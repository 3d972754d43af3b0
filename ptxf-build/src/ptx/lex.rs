//! A PTX text as words and punctuation.
//!
//! Comments and strings are what a search for `.entry` would fall for. Where compilers could
//! disagree about their ends, the text is refused: a quote behind a backslash, a line comment that
//! a backslash or a lone carriage return may continue or end.

use super::Error;

/// A word, a string or a punctuation mark, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl Token<'_> {
    /// Whether it is an identifier, a directive or a number.
    pub(crate) fn is_word(&self) -> bool {
        self.text.as_bytes().first().is_some_and(|&b| begins_word(b))
    }

    /// The token as a message shows it.
    pub(crate) fn shown(&self) -> String {
        let mut characters = self.text.chars();
        let mut shown: String = characters.by_ref().take(40).flat_map(char::escape_debug).collect();
        if characters.next().is_some() {
            shown.push('…');
        }
        shown
    }

    pub(crate) fn is_string(&self) -> bool {
        self.text.starts_with('"')
    }
}

/// The text's tokens, and a text of the same length with blanks in the place of comments and of the
/// contents of strings.
pub(crate) fn lex(text: &str) -> Result<(Vec<Token<'_>>, String), Error> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut plain: Vec<u8> = bytes.iter().map(|&b| if b == b'\n' { b'\n' } else { b' ' }).collect();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => {
                at = line_comment(text, at)?;
                continue;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                at = block_comment(text, at)?;
                continue;
            }
            b' ' | b'\t' | b'\n' | b'\x0b' | b'\x0c' => {
                at += 1;
                continue;
            }
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => {
                at += 1;
                continue;
            }
            b'"' => string(text, at)?,
            b if begins_word(b) => word(bytes, at),
            b'#' => return Err(Error::at(text, at, "`#`: lines for a preprocessor are not read")),
            b',' | b';' | b':' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/'
            | b'~' | b'!' | b'^' | b'&' | b'|' | b'=' | b'?' | b'@' => at + 1,
            _ => {
                let found = text[at..].chars().next().unwrap_or_default();
                return Err(Error::at(text, at, format!("`{}` stands for nothing in PTX", found.escape_debug())));
            }
        };
        if bytes[at] == b'"' {
            // Only the quotes of a string are copied.
            plain[at] = b'"';
            plain[end - 1] = b'"';
        } else {
            plain[at..end].copy_from_slice(&bytes[at..end]);
        }
        tokens.push(Token { text: &text[at..end], at });
        at = end;
    }
    // All of what was copied is ASCII.
    Ok((tokens, String::from_utf8_lossy(&plain).into_owned()))
}

/// Names, directives with their dot, registers, and numbers.
const fn begins_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'%' | b'.')
}

/// The end of the word. A dot can begin it, and only a number has one inside.
fn word(bytes: &[u8], at: usize) -> usize {
    let number = bytes[at].is_ascii_digit();
    let goes_on = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || (number && *b == b'.');
    at + 1 + bytes[at + 1..].iter().take_while(|b| goes_on(b)).count()
}

/// Where the comment that begins here ends, in front of its newline.
fn line_comment(text: &str, at: usize) -> Result<usize, Error> {
    let length = text[at..].find('\n').unwrap_or(text.len() - at);
    let comment = &text[at..at + length];
    let comment = comment.strip_suffix('\r').unwrap_or(comment);
    if let Some(found) = comment.find(['\r', '\0']) {
        return Err(Error::at(text, at + found, "a comment that may end here or go on"));
    }
    if comment.ends_with('\\') {
        return Err(Error::at(text, at + comment.len() - 1, "a comment that may end here or go on in the next line"));
    }
    Ok(at + length)
}

/// Where the comment that begins here ends.
fn block_comment(text: &str, at: usize) -> Result<usize, Error> {
    let inside = &text[at + 2..];
    let Some(length) = inside.find("*/") else { return Err(Error::at(text, at, "a comment that nothing ends")) };
    if let Some(found) = inside[..length].find('\0') {
        return Err(Error::at(text, at + 2 + found, "a zero byte, where the driver's text ends"));
    }
    Ok(at + 2 + length + 2)
}

/// Where the string that begins here ends.
fn string(text: &str, at: usize) -> Result<usize, Error> {
    let inside = &text[at + 1..];
    let never = || Error::at(text, at, "a string that its line does not end");
    let length = inside.find(['"', '\n', '\r', '\0']).ok_or_else(never)?;
    if !inside[length..].starts_with('"') {
        return Err(never());
    }
    let backslashes = inside[..length].bytes().rev().take_while(|&b| b == b'\\').count();
    if backslashes % 2 != 0 {
        return Err(Error::at(text, at + 1 + length, "a quote behind a backslash, which may end the string or not"));
    }
    Ok(at + 1 + length + 1)
}
