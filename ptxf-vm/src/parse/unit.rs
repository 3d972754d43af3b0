//! A whole text: what it is for, its variables and functions.

use super::cursor::Cursor;
use super::lex::Kind;
use super::number::Number;
use super::tree::{Function, Target, Unit, Variable};
use super::variable::space;
use crate::text::Error;

/// The oldest version whose grammar this is: functions have an ABI since then.
const OLDEST: (u8, u8) = (3, 0);

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Unit, Error> {
    let mut cursor = Cursor::new(text)?;
    let (version, target) = cursor.header()?;
    let mut unit = Unit { version, target, files: Vec::new(), variables: Vec::new(), functions: Vec::new() };
    while cursor.now.kind != Kind::End {
        cursor.item(&mut unit)?;
    }
    Ok(unit)
}

impl Cursor<'_> {
    /// `.version`, `.target` and `.address_size`.
    fn header(&mut self) -> Result<((u8, u8), Target), Error> {
        if self.word() != ".version" {
            return Err(self.expected("`.version`, with which every PTX text begins,"));
        }
        self.pass()?;
        let span = self.now.span;
        let numbers = self.word().split_once('.');
        let version = numbers.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let version: (u8, u8) = version.ok_or_else(|| self.expected("a version such as 7.8"))?;
        if version < OLDEST {
            let why = format!("PTX {}.{} is not read: functions are called otherwise before 3.0", version.0, version.1);
            return Err(Error::at(self.text, span, why));
        }
        self.pass()?;
        if self.word() != ".target" {
            return Err(self.expected("`.target`"));
        }
        self.pass()?;
        let target = self.target()?;
        while self.takes(b',')? {
            self.name("an option of the target")?;
        }
        if self.word() == ".address_size" {
            self.pass()?;
            let span = self.now.span;
            if self.small("64")? != 64 {
                return Err(Error::at(self.text, span, "addresses of 64 bits alone are supported"));
            }
        }
        Ok((version, target))
    }

    fn target(&mut self) -> Result<Target, Error> {
        let expected = self.expected("a target such as sm_90");
        let name = self.name("a target such as sm_90")?;
        let name = self.of(name);
        let rest = name.strip_prefix("sm_").ok_or(expected.clone())?;
        let digits = rest.trim_end_matches(['a', 'f']);
        let suffix = rest.chars().next_back().filter(char::is_ascii_alphabetic);
        let sm = digits.parse().map_err(|_| expected.clone())?;
        if rest.len() > digits.len() + 1 {
            return Err(expected);
        }
        Ok(Target { sm, suffix })
    }

    /// Something at the level of the module.
    fn item(&mut self, unit: &mut Unit) -> Result<(), Error> {
        if self.now.kind == Kind::Word && self.ahead()?.kind == Kind::Mark(b':') {
            // A label between the sections of debugging information.
            self.pass()?;
            self.pass()?;
            return Ok(());
        }
        let mut is_extern = false;
        loop {
            match self.word() {
                ".visible" | ".weak" | ".common" => {}
                ".extern" => is_extern = true,
                _ => break,
            }
            self.pass()?;
        }
        match self.word() {
            ".entry" | ".func" => unit.functions.push(self.function()?),
            ".file" => self.file(unit)?,
            ".section" => self.section()?,
            ".pragma" => _ = self.skip_to(b';')?,
            ".alias" => {
                return Err(Error::at(self.text, self.now.span, "`.alias` is not supported: call the function itself"));
            }
            directive if space(directive).is_some() => self.variables(is_extern, &mut unit.variables)?,
            ";" => _ = self.pass()?,
            _ => {
                return Err(
                    self.expected("`.entry`, `.func`, a variable such as `.global .b32 x;`, `.file` or `.section`")
                );
            }
        }
        Ok(())
    }

    /// `.file 1 "name"`, with time and size behind it.
    fn file(&mut self, unit: &mut Unit) -> Result<(), Error> {
        self.pass()?;
        let number = self.integer("the number of a file")?;
        if self.now.kind != Kind::Text {
            return Err(self.expected("the name of a file in quotes"));
        }
        let name = self.of(self.now.span).trim_matches('"').to_owned();
        self.pass()?;
        while self.takes(b',')? {
            self.integer("a number")?;
        }
        unit.files.push((number, name));
        Ok(())
    }

    /// `.section .debug_info { … }`, which is not read.
    fn section(&mut self) -> Result<(), Error> {
        self.pass()?;
        while !self.is(b'{') {
            if self.now.kind == Kind::End {
                return Err(self.expected("`{`"));
            }
            self.pass()?;
        }
        let mut depth = 0_usize;
        loop {
            match self.now.kind {
                Kind::Mark(b'{') => depth += 1,
                Kind::Mark(b'}') => depth -= 1,
                Kind::End => return Err(self.expected("`}`")),
                _ => {}
            }
            self.pass()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// From `.entry` or `.func` on.
    fn function(&mut self) -> Result<Function, Error> {
        let is_entry = self.word() == ".entry";
        self.pass()?;
        if self.word() == ".attribute" {
            self.skip_to(b')')?;
        }
        let returns: Vec<Variable> = if !is_entry && self.is(b'(') { self.parameters()? } else { Vec::new() };
        let name = self.name(if is_entry { "the name of an entry" } else { "the name of a function" })?;
        let parameters = if self.is(b'(') { self.parameters()? } else { Vec::new() };
        let (mut required, mut most, mut never_returns) = (None, None, false);
        while self.now.kind == Kind::Dotted {
            let directive = self.word();
            self.pass()?;
            match directive {
                ".reqntid" => required = Some(self.extent()?),
                ".maxntid" => most = Some(self.extent()?),
                ".noreturn" => never_returns = true,
                ".pragma" => _ = self.skip_to(b';')?,
                _ => {
                    // Limits that an assembler minds, some with numbers.
                    while matches!(self.now.kind, Kind::Number | Kind::Mark(b',')) {
                        self.pass()?;
                    }
                }
            }
        }
        let body = match self.now.kind {
            Kind::Mark(b'{') => {
                self.pass()?;
                Some(self.body()?)
            }
            Kind::Mark(b';') => {
                self.pass()?;
                None
            }
            _ => return Err(self.expected("`{` or `;`")),
        };
        Ok(Function { is_entry, name, returns, parameters, required, most, never_returns, body })
    }

    /// One to three numbers.
    fn extent(&mut self) -> Result<[u32; 3], Error> {
        let mut extent = [1; 3];
        for (i, n) in extent.iter_mut().enumerate() {
            if i == 0 || self.takes(b',')? {
                let from = self.now.span;
                *n = match self.number("a number of threads")? {
                    Number::Int(x @ 1..=1024) => x as u32,
                    _ => return Err(Error::at(self.text, from, "a number of threads from 1 to 1024 is expected")),
                };
            }
        }
        Ok(extent)
    }
}
