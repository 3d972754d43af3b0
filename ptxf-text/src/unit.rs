//! Parses a whole text: its header, its variables and its functions.

use crate::cursor::Cursor;
use crate::error::Error;
use crate::lexer::Kind;
use crate::number::Number;
use crate::span::Span;
use crate::tree::{Body, Function, Target, Unit, Variable};
use crate::variable::space;

/// The oldest version.
const OLDEST: (u8, u8) = (1, 0);

impl Unit {
    /// Reads a PTX text.
    ///
    /// # Errors
    ///
    /// Returns an error with its place if the text is not PTX for addresses of 64 bits. A text
    /// before version 2.3 may use addresses of either size.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_text::Unit;
    ///
    /// let error = Unit::parse(".version 7.8\n.target sm_90\n.entry k() { ret }").unwrap_err();
    /// assert!(error.what().starts_with("found `}` where an operand: a register, a number"));
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        read(text, true)
    }

    /// Reads a PTX text without the statements of its bodies, whose braces only are matched.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Unit::parse`], except those within bodies.
    ///
    /// # Examples
    ///
    /// ```
    /// let text = ".version 7.8 .target sm_90 .entry k() { an instruction of the future; }";
    /// let unit = ptxf_text::Unit::declarations(text)?;
    /// assert!(unit.entry("k").is_some());
    /// # Ok::<(), ptxf_text::Error>(())
    /// ```
    pub fn declarations(text: &str) -> Result<Self, Error> {
        read(text, false)
    }
}

fn read(text: &str, statements: bool) -> Result<Unit, Error> {
    if text.len() > u32::MAX as usize {
        return Err(Error::general("the text has 4 GiB or more"));
    }
    let mut cursor = Cursor::new(text)?;
    let (version, target) = cursor.header()?;
    let mut unit = Unit {
        text: text.into(),
        version,
        target,
        files: Vec::new(),
        variables: Vec::new(),
        functions: Vec::new(),
        aliases: Vec::new(),
    };
    while cursor.now.kind != Kind::End {
        cursor.item(&mut unit, statements)?;
    }
    Ok(unit)
}

impl Cursor<'_> {
    /// Reads `.version`, `.target` and `.address_size`.
    fn header(&mut self) -> Result<((u8, u8), Target), Error> {
        if self.word() != ".version" {
            return Err(self.expected("`.version`, the first directive of a text,"));
        }
        self.pass()?;
        let span = self.now.span;
        let numbers = self.word().split_once('.');
        let version = numbers.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let version: (u8, u8) = version.ok_or_else(|| self.expected("a version such as 7.8"))?;
        if version < OLDEST {
            let why = format!("PTX {}.{} never was: the oldest version is 1.0", version.0, version.1);
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
            if self.u32("64")? != 64 {
                return Err(Error::at(self.text, span, "addresses have 64 bits only: write `.address_size 64`"));
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

    /// Reads a directive of the module.
    fn item(&mut self, unit: &mut Unit, statements: bool) -> Result<(), Error> {
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
            ".entry" | ".func" => unit.functions.push(self.function(statements)?),
            ".file" => self.file(unit)?,
            ".section" => self.section()?,
            ".pragma" => _ = self.skip_to(b';')?,
            ".alias" => {
                self.pass()?;
                let alias = self.name("the name of a function")?;
                self.mark(b',')?;
                unit.aliases.push((alias, self.name("the name of a function")?));
                self.mark(b';')?;
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

    /// Reads `.file 1 "name"`, with or without a time and a size.
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

    /// Passes `.section .debug_info { … }`.
    fn section(&mut self) -> Result<(), Error> {
        self.pass()?;
        while !self.is(b'{') {
            if self.now.kind == Kind::End {
                return Err(self.expected("`{`"));
            }
            self.pass()?;
        }
        self.pass()?;
        self.skip_block()
    }

    /// Passes all tokens up to the brace that closes a block, and the brace.
    pub(crate) fn skip_block(&mut self) -> Result<(), Error> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.now.kind {
                Kind::Mark(b'{') => depth += 1,
                Kind::Mark(b'}') => depth -= 1,
                Kind::End => return Err(self.expected("`}`")),
                _ => {}
            }
            self.pass()?;
        }
        Ok(())
    }

    /// Reads an entry or a function from its directive on.
    fn function(&mut self, statements: bool) -> Result<Function, Error> {
        let is_entry = self.word() == ".entry";
        self.pass()?;
        self.attribute()?;
        let returns: Vec<Variable> = if !is_entry && self.is(b'(') { self.parameters()? } else { Vec::new() };
        let name = self.name(if is_entry { "the name of an entry" } else { "the name of a function" })?;
        let parameters = if self.is(b'(') { self.parameters()? } else { Vec::new() };
        let (mut required, mut most, mut cluster, mut never_returns) = (None, None, None, false);
        while self.now.kind == Kind::Dotted {
            let directive = self.word();
            self.pass()?;
            match directive {
                ".reqntid" => required = Some(self.extent()?),
                ".maxntid" => most = Some(self.extent()?),
                ".reqnctapercluster" => cluster = Some(self.extent()?),
                ".noreturn" => never_returns = true,
                ".pragma" => _ = self.skip_to(b';')?,
                _ => {
                    // Limits for an assembler, some with numbers.
                    while matches!(self.now.kind, Kind::Number | Kind::Mark(b',')) {
                        self.pass()?;
                    }
                }
            }
        }
        let body = match self.now.kind {
            Kind::Mark(b'{') => Some(self.body(statements)?),
            Kind::Mark(b';') => {
                self.pass()?;
                None
            }
            _ => return Err(self.expected("`{` or `;`")),
        };
        Ok(Function { is_entry, name, returns, parameters, required, most, cluster, never_returns, body })
    }

    /// Reads a body from its opening brace on, or passes it if its statements are not wanted.
    fn body(&mut self, statements: bool) -> Result<Body, Error> {
        let open = self.pass()?;
        let statements = if statements { self.statements()? } else { self.skip_block().map(|()| Vec::new())? };
        let at = Span { start: open.end, end: self.last.start };
        Ok(Body { at, statements })
    }

    /// Reads a size of a block or a cluster: one to three numbers.
    fn extent(&mut self) -> Result<[u32; 3], Error> {
        let mut extent = [1; 3];
        for (i, n) in extent.iter_mut().enumerate() {
            if i == 0 || self.takes(b',')? {
                let from = self.now.span;
                *n = match self.number("a number of threads")? {
                    Number::Int(x @ 1..=1024) => x as u32,
                    _ => {
                        return Err(Error::at(
                            self.text,
                            from,
                            "the number of threads is out of range: write a number from 1 to 1024",
                        ));
                    }
                };
            }
        }
        Ok(extent)
    }
}
