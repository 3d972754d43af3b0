//! Parses operands of instructions.

use crate::cursor::Cursor;
use crate::error::Error;
use crate::lexer::Kind;
use crate::tree::{Base, Operand, OperandKind};

/// Levels of operands within operands: a register in a vector in a list needs two.
const DEEPEST: usize = 4;

impl Cursor<'_> {
    /// Reads one operand. In a call, parentheses have a list; elsewhere a constant expression.
    pub(crate) fn operand(&mut self, is_call: bool) -> Result<Operand, Error> {
        if is_call && self.is(b'(') {
            let from = self.pass()?;
            let kind = OperandKind::List(self.several(b')', 0)?);
            return Ok(Operand { at: from.to(self.last), kind });
        }
        self.nested(0)
    }

    fn nested(&mut self, depth: usize) -> Result<Operand, Error> {
        if depth > DEEPEST {
            return Err(Error::at(self.text, self.now.span, format!("operands nest more than {DEEPEST} levels deep")));
        }
        let from = self.now.span;
        let kind = match self.now.kind {
            Kind::Mark(b'[') => self.address(depth)?,
            Kind::Mark(b'{') => {
                self.pass()?;
                OperandKind::Vector(self.several(b'}', depth)?)
            }
            Kind::Mark(b'!') if self.ahead()?.kind == Kind::Word => {
                self.pass()?;
                OperandKind::Not(Box::new(self.nested(depth + 1)?))
            }
            Kind::Word if self.word() == "_" => {
                self.pass()?;
                OperandKind::Sink
            }
            Kind::Word if self.word() != "WARP_SZ" => self.named()?,
            _ => OperandKind::Number(self.number("an operand: a register, a number, `[`, `{` or `(`")?),
        };
        let first = Operand { at: from.to(self.last), kind };
        if depth == 0 && self.takes(b'|')? {
            let second = self.nested(1)?;
            return Ok(Operand { at: from.to(self.last), kind: OperandKind::Pair(Box::new([first, second])) });
        }
        Ok(first)
    }

    /// Reads a name with its component, index and offset: `%tid.x`, `a+4`, `a[4]`.
    fn named(&mut self) -> Result<OperandKind, Error> {
        let name = self.pass()?;
        let component = if self.now.kind == Kind::Dotted { Some(self.pass()?) } else { None };
        let mut index = None;
        if self.takes(b'[')? {
            index = Some(self.integer("an index")?);
            self.mark(b']')?;
        }
        Ok(OperandKind::Name { name, component, add: self.offset()?, index })
    }

    fn address(&mut self, depth: usize) -> Result<OperandKind, Error> {
        self.pass()?;
        let (base, mut add) = if self.now.kind == Kind::Word {
            (Base::Name(self.pass()?), 0)
        } else {
            (Base::Zero, self.integer("an address: a register, a name or a number")?.cast_signed())
        };
        if self.takes(b'[')? {
            add = self.integer("an index")?.cast_signed();
            self.mark(b']')?;
        }
        add = add.wrapping_add(self.offset()?);
        let mut rest = Vec::new();
        while self.takes(b',')? {
            rest.push(self.nested(depth + 1)?);
        }
        self.mark(b']').map_err(|_| self.expected("`+`, `-` or `]`"))?;
        // A hint that all threads of the warp have this address.
        if self.word() == ".unified" {
            self.pass()?;
        }
        Ok(OperandKind::Address { base, add, rest })
    }

    /// Reads operands up to the mark that closes them.
    fn several(&mut self, close: u8, depth: usize) -> Result<Vec<Operand>, Error> {
        let mut all = Vec::new();
        while !self.takes(close)? {
            all.push(self.nested(depth + 1)?);
            if !self.is(close) {
                self.mark(b',').map_err(|_| self.expected(&format!("`,` or `{}`", char::from(close))))?;
            }
        }
        Ok(all)
    }
}
