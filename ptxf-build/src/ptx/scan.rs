//! Reads entries out of tokens.

use std::collections::HashMap;

use super::lex::{Token, lex};
use super::parameter::{Kind, Parameter};
use super::{Entry, Error, Ptx};

/// More bytes than the parameters of an entry may have together.
const LARGEST: u64 = 1 << 20;

/// Reads a text; [`super::scan`] describes it.
pub(crate) fn scan(text: &str) -> Result<Ptx, Error> {
    let (tokens, plain) = lex(text)?;
    let mut scanner = Scanner { text, plain: &plain, tokens: &tokens, next: 0 };
    let (mut version, mut target) = (None, None);
    let mut entries = Vec::new();
    let mut known = HashMap::new();
    let mut open = Vec::new();
    while let Some(token) = scanner.take() {
        match token.text {
            ".version" if version.is_none() && open.is_empty() => version = Some(scanner.version()?),
            ".version" => return Err(scanner.error(&token, "a second `.version`")),
            ".target" if open.is_empty() => {
                // The words that follow change what the compiler allows, but not the target.
                let name = scanner.identifier("a target")?;
                target.get_or_insert(name);
            }
            ".entry" if !open.is_empty() => return Err(scanner.error(&token, "an `.entry` inside braces")),
            ".entry" => {
                if version.is_none() || target.is_none() {
                    return Err(scanner.error(&token, "an `.entry` in front of `.version` and `.target`"));
                }
                let at = scanner.next;
                let (entry, is_whole) = scanner.entry()?;
                declare(&mut known, &entry, is_whole).map_err(|what| scanner.error(&tokens[at], what))?;
                if is_whole {
                    entries.push(entry);
                }
            }
            "(" | "[" | "{" => open.push(token),
            ")" | "]" | "}" => scanner.close(&mut open, &token)?,
            _ => {}
        }
    }
    if let Some(token) = open.last() {
        return Err(scanner.error(token, format!("`{}` that nothing closes", token.text)));
    }
    let missing = |what: &str| Error::at(text, text.len(), format!("the text ends, and has had no `{what}`"));
    let (version, target) = (version.ok_or_else(|| missing(".version"))?, target.ok_or_else(|| missing(".target"))?);
    Ok(Ptx { version, target, entries })
}

/// Adds an entry, unless it is there already: one with a body may also be declared.
fn declare(known: &mut HashMap<String, (Vec<Parameter>, bool)>, entry: &Entry, is_whole: bool) -> Result<(), String> {
    let Some((parameters, was_whole)) = known.get_mut(&entry.name) else {
        known.insert(entry.name.clone(), (entry.parameters.clone(), is_whole));
        return Ok(());
    };
    if *was_whole && is_whole {
        return Err("a second entry of this name".to_owned());
    }
    let nameless = |p: &Parameter| Parameter { name: String::new(), ..p.clone() };
    let same = |(a, b): (&Parameter, &Parameter)| nameless(a) == nameless(b);
    if parameters.len() != entry.parameters.len() || !parameters.iter().zip(&entry.parameters).all(same) {
        return Err("an entry that takes something else than it was declared to".to_owned());
    }
    *was_whole |= is_whole;
    Ok(())
}

struct Scanner<'a> {
    text: &'a str,
    plain: &'a str,
    tokens: &'a [Token<'a>],
    next: usize,
}

impl<'a> Scanner<'a> {
    fn take(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.next).copied();
        self.next += usize::from(token.is_some());
        token
    }

    fn peek(&self) -> &'a str {
        self.tokens.get(self.next).map_or("", |token| token.text)
    }

    /// Takes this token if it is the next.
    fn takes(&mut self, text: &str) -> bool {
        let is_it = self.peek() == text;
        self.next += usize::from(is_it);
        is_it
    }

    fn error(&self, token: &Token<'_>, what: impl Into<String>) -> Error {
        Error::at(self.text, token.at, what)
    }

    /// The next token, which has to be there.
    fn some(&mut self, wanted: &str) -> Result<Token<'a>, Error> {
        self.take().ok_or_else(|| Error::at(self.text, self.text.len(), format!("the text ends in front of {wanted}")))
    }

    fn wrong<T>(&self, token: &Token<'_>, wanted: &str) -> Result<T, Error> {
        Err(self.error(token, format!("`{}` where {wanted} should be", token.shown())))
    }

    fn close(&self, open: &mut Vec<Token<'_>>, token: &Token<'_>) -> Result<(), Error> {
        let wanted = open.pop().map(|token| token.text);
        if matches!((wanted, token.text), (Some("("), ")") | (Some("["), "]") | (Some("{"), "}")) {
            return Ok(());
        }
        Err(self.error(token, format!("`{}` that closes nothing", token.text)))
    }

    /// `7.8`
    fn version(&mut self) -> Result<(u32, u32), Error> {
        let token = self.some("a version")?;
        let version = token.text.split_once('.').and_then(|(major, minor)| {
            let all = [major, minor].map(|n| n.parse().ok().filter(|_| n.bytes().all(|b| b.is_ascii_digit())));
            Some((all[0]?, all[1]?))
        });
        match version {
            // In these versions parameters stood in the bodies.
            Some(version) if version < (1, 4) => Err(self.error(&token, "PTX before 1.4 is not read")),
            Some(version) => Ok(version),
            None => self.wrong(&token, "a version such as 7.8"),
        }
    }

    fn identifier(&mut self, wanted: &str) -> Result<String, Error> {
        let token = self.some(wanted)?;
        if !token.is_word() || token.text.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
            return self.wrong(&token, wanted);
        }
        Ok(token.text.to_owned())
    }

    /// What follows `.entry`, and whether it has a body.
    fn entry(&mut self) -> Result<(Entry, bool), Error> {
        let name = self.identifier("an entry's name")?;
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut bytes = 0;
        if self.takes("(") && !self.takes(")") {
            loop {
                let at = self.next;
                let parameter = self.parameter()?;
                bytes += parameter.bytes();
                parameters.push(parameter);
                if bytes > LARGEST {
                    return Err(self.error(&self.tokens[at], "more bytes of parameters than any device takes"));
                }
                let token = self.some("`,` or `)`")?;
                match token.text {
                    "," => {}
                    ")" => break,
                    _ => return self.wrong(&token, "`,` or `)`"),
                }
            }
        }
        loop {
            let token = self.some("the entry's body")?;
            match token.text {
                ";" => return Ok((Entry { name, parameters, body: String::new() }, false)),
                "{" => {
                    let body = self.body(token)?;
                    return Ok((Entry { name, parameters, body }, true));
                }
                // `.pragma` is the only directive here that has an end of its own.
                ".pragma" => while self.some("`;`")?.text != ";" {},
                ".entry" | ".func" | ".param" => return self.wrong(&token, "the entry's body"),
                _ if token.is_word() || token.is_string() || token.text == "," => {}
                _ => return self.wrong(&token, "the entry's body"),
            }
        }
    }

    /// What is between the brace that was taken and the one that closes it.
    fn body(&mut self, brace: Token<'a>) -> Result<String, Error> {
        let mut open = vec![brace];
        loop {
            let Some(token) = self.take() else { return Err(self.error(&open[0], "`{` that nothing closes")) };
            match token.text {
                ".entry" => return Err(self.error(&token, "an `.entry` inside braces")),
                "(" | "[" | "{" => open.push(token),
                ")" | "]" | "}" => self.close(&mut open, &token)?,
                _ => {}
            }
            if open.is_empty() {
                return Ok(self.plain[brace.at + 1..token.at].to_owned());
            }
        }
    }

    /// `.param .u64 .ptr .global .align 4 x`, `.param .align 8 .b8 x[16]`
    fn parameter(&mut self) -> Result<Parameter, Error> {
        let token = self.some("a parameter")?;
        if token.text != ".param" {
            return self.wrong(&token, "a parameter");
        }
        let mut align = None;
        let ty = loop {
            let token = self.some("a parameter's type")?;
            match token.text {
                ".align" if align.is_none() => align = Some(self.align()?),
                ".align" => return Err(self.error(&token, "a second `.align`")),
                _ => break self.ty(&token)?,
            }
        };
        let pointer = if self.takes(".ptr") { Some(self.pointer()?) } else { None };
        let at = self.next;
        let name = self.identifier("a parameter's name")?;
        let mut elements = None;
        while self.takes("[") {
            elements = Some(elements.unwrap_or(1_u64).saturating_mul(self.number("a number of elements")?));
            let token = self.some("`]`")?;
            if token.text != "]" {
                return self.wrong(&token, "`]`");
            }
        }
        let (kind, bits) = ty;
        if u64::from(bits / 8).saturating_mul(elements.unwrap_or(1)) > LARGEST {
            return Err(self.error(&self.tokens[at], "a parameter of more bytes than any device takes"));
        }
        if pointer.is_some() && (elements.is_some() || ![32, 64].contains(&bits) || kind == Kind::Float) {
            return Err(self.error(&self.tokens[at], "a pointer that is no integer of 32 or 64 bits"));
        }
        Ok(Parameter { name, kind, bits, elements, align, pointer })
    }

    /// The state space and the alignment behind `.ptr`.
    fn pointer(&mut self) -> Result<u64, Error> {
        if [".const", ".global", ".local", ".shared"].contains(&self.peek()) {
            self.next += 1;
        }
        if self.takes(".align") { self.align() } else { Ok(1) }
    }

    fn ty(&self, token: &Token<'_>) -> Result<(Kind, u32), Error> {
        let ty = match token.text {
            ".b8" => (Kind::Bits, 8),
            ".b16" => (Kind::Bits, 16),
            ".b32" => (Kind::Bits, 32),
            ".b64" => (Kind::Bits, 64),
            ".b128" => (Kind::Bits, 128),
            ".u8" => (Kind::Unsigned, 8),
            ".u16" => (Kind::Unsigned, 16),
            ".u32" => (Kind::Unsigned, 32),
            ".u64" => (Kind::Unsigned, 64),
            ".s8" => (Kind::Signed, 8),
            ".s16" => (Kind::Signed, 16),
            ".s32" => (Kind::Signed, 32),
            ".s64" => (Kind::Signed, 64),
            ".f16" => (Kind::Float, 16),
            ".f32" => (Kind::Float, 32),
            ".f64" => (Kind::Float, 64),
            _ => {
                let what = format!("`{}` is no type of a parameter; such are .u32, .b64, .f32", token.shown());
                return Err(self.error(token, what));
            }
        };
        Ok(ty)
    }

    fn align(&mut self) -> Result<u64, Error> {
        let at = self.next;
        let align = self.number("an alignment")?;
        if !align.is_power_of_two() {
            return Err(self.error(&self.tokens[at], format!("an alignment of {align}, which is no power of two")));
        }
        Ok(align)
    }

    /// `16`, `0x10`, `020`, `0b10000`, each with or without `U`.
    fn number(&mut self, wanted: &str) -> Result<u64, Error> {
        let token = self.some(wanted)?;
        let digits = token.text.strip_suffix('U').unwrap_or(token.text);
        let (digits, radix) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
            [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
            [b'0', _, ..] => (&digits[1..], 8),
            _ => (digits, 10),
        };
        match u64::from_str_radix(digits, radix) {
            Ok(number) if token.is_word() && digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(number),
            _ => self.wrong(&token, wanted),
        }
    }
}
