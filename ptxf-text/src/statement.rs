//! Parses bodies of functions.

use crate::cursor::Cursor;
use crate::error::Error;
use crate::lexer::Kind;
use crate::tree::{Guard, Instruction, Statement};
use crate::variable::space;

impl Cursor<'_> {
    /// Reads a body after its opening brace, and passes its closing brace.
    pub(crate) fn statements(&mut self) -> Result<Vec<Statement>, Error> {
        let mut all = Vec::new();
        let mut depth = 0_usize;
        loop {
            match self.now.kind {
                Kind::Mark(b'{') => {
                    self.pass()?;
                    depth += 1;
                    all.push(Statement::Enter);
                }
                Kind::Mark(b'}') => {
                    self.pass()?;
                    if depth == 0 {
                        return Ok(all);
                    }
                    depth -= 1;
                    all.push(Statement::Leave);
                }
                Kind::Mark(b';') => _ = self.pass()?,
                Kind::Dotted => self.directive(&mut all)?,
                Kind::Word if self.ahead()?.kind == Kind::Mark(b':') => self.label(&mut all)?,
                Kind::Word | Kind::Mark(b'@') => all.push(Statement::Instruction(self.instruction()?)),
                _ => return Err(self.expected("an instruction, a label, a directive or `}`")),
            }
        }
    }

    fn directive(&mut self, all: &mut Vec<Statement>) -> Result<(), Error> {
        let directive = self.word();
        if space(directive).is_some() {
            let mut declared = Vec::new();
            self.variables(false, &mut declared)?;
            all.extend(declared.into_iter().map(|v| Statement::Variable(Box::new(v))));
            return Ok(());
        }
        match directive {
            ".loc" => all.push(self.loc()?),
            ".pragma" => _ = self.skip_to(b';')?,
            ".extern" => {
                self.pass()?;
                let mut declared = Vec::new();
                self.variables(true, &mut declared)?;
                all.extend(declared.into_iter().map(|v| Statement::Variable(Box::new(v))));
            }
            _ => return Err(self.expected("`.reg`, `.shared`, `.local`, `.param`, `.loc` or `.pragma`")),
        }
        Ok(())
    }

    /// Reads `.loc 1 41 7`, and places of inlined calls after commas.
    fn loc(&mut self) -> Result<Statement, Error> {
        self.pass()?;
        let file = self.u32("the number of a file")?;
        let line = self.u32("the number of a line")?;
        self.u32("the number of a column")?;
        while self.takes(b',')? {
            self.name("`function_name` or `inlined_at`")?;
            match self.now.kind {
                Kind::Word => {
                    self.pass()?;
                    self.offset()?;
                }
                _ => {
                    for _ in 0..3 {
                        self.u32("a number")?;
                    }
                }
            }
        }
        Ok(Statement::Loc { file, line })
    }

    fn label(&mut self, all: &mut Vec<Statement>) -> Result<(), Error> {
        let name = self.pass()?;
        self.mark(b':')?;
        match self.word() {
            ".branchtargets" => {
                self.pass()?;
                let mut labels = vec![self.name("a label")?];
                while self.takes(b',')? {
                    labels.push(self.name("a label")?);
                }
                self.mark(b';')?;
                all.push(Statement::Targets { name, labels });
            }
            // A list of functions that may be called, which nothing needs: the register has the
            // address.
            ".calltargets" => _ = self.skip_to(b';')?,
            ".callprototype" => {
                self.pass()?;
                let mut returns = Vec::new();
                if self.is(b'(') {
                    returns = self.parameters()?;
                }
                self.name("`_`")?;
                let parameters = if self.is(b'(') { self.parameters()? } else { Vec::new() };
                self.skip_to(b';')?;
                all.push(Statement::Prototype { name, returns, parameters });
            }
            _ => all.push(Statement::Label(name)),
        }
        Ok(())
    }

    fn instruction(&mut self) -> Result<Instruction, Error> {
        let from = self.now.span;
        let mut guard = None;
        if self.takes(b'@')? {
            let negated = self.takes(b'!')?;
            guard = Some(Guard { negated, name: self.name("the name of a predicate")? });
        }
        let first = self.name("an instruction")?;
        while self.now.kind == Kind::Dotted {
            let word = self.pass()?;
            // The number of a bank before PTX 2.2: `ld.const[2].f32`.
            if self.of(word) == ".const" && self.takes(b'[')? {
                self.u32("the number of a bank of constants")?;
                self.mark(b']')?;
            }
        }
        let opcode = first.to(self.last);
        let is_call = self.of(first) == "call";
        let mut operands = Vec::new();
        while !self.is(b';') {
            operands.push(self.operand(is_call)?);
            if !self.is(b';') {
                self.mark(b',').map_err(|_| self.expected("`,` or `;`"))?;
            }
        }
        let at = from.to(self.last);
        self.pass()?;
        Ok(Instruction { at, guard, opcode, operands })
    }
}
