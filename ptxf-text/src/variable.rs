//! Parses declarations of variables and parameters.

use crate::constant::PRODUCT;
use crate::cursor::Cursor;
use crate::error::Error;
use crate::lexer::Kind;
use crate::number::Number;
use crate::span::Span;
use crate::tree::{Init, Opaque, Space, Variable};
use crate::ty::{Class, Ty};

/// The type of a variable that refers to an object.
const HANDLE: Ty = Ty { class: Class::Bits, bits: 64 };

/// Levels of braces in an initial value.
const DEEPEST: usize = 8;

/// Returns the state space that a directive names. Returns `None` for another directive.
pub(crate) fn space(directive: &str) -> Option<Space> {
    Some(match directive {
        ".reg" => Space::Reg,
        // Before PTX 1.5, a texture was in a state space of its own.
        ".global" | ".tex" => Space::Global,
        ".const" => Space::Const,
        ".shared" => Space::Shared,
        ".local" => Space::Local,
        ".param" => Space::Param,
        _ => return None,
    })
}

/// The part of a declaration before its names.
struct Head {
    /// The first token.
    at: Span,
    space: Space,
    ty: Ty,
    lanes: u32,
    align: Option<u32>,
    pointer: Option<u32>,
    opaque: Option<Opaque>,
}

impl Cursor<'_> {
    /// Reads a declaration with all of its names, from its state space to its semicolon.
    pub(crate) fn variables(&mut self, is_extern: bool, all: &mut Vec<Variable>) -> Result<(), Error> {
        let head = self.head()?;
        loop {
            all.push(self.declared(&head, is_extern)?);
            if self.takes(b';')? {
                return Ok(());
            }
            if !self.takes(b',')? {
                return Err(self.expected("`,` or `;`"));
            }
        }
    }

    /// Reads parameters between parentheses.
    pub(crate) fn parameters(&mut self) -> Result<Vec<Variable>, Error> {
        let mut all = Vec::new();
        self.mark(b'(')?;
        while !self.takes(b')')? {
            let head = self.head()?;
            if !matches!(head.space, Space::Param | Space::Reg) {
                return Err(Error::at(self.text, self.last, "a parameter cannot be there: write `.param` or `.reg`"));
            }
            all.push(self.declared(&head, false)?);
            if !self.is(b')') {
                self.mark(b',').map_err(|_| self.expected("`,` or `)`"))?;
            }
        }
        Ok(all)
    }

    fn head(&mut self) -> Result<Head, Error> {
        let Some(space) = space(self.word()) else {
            return Err(self.expected("a declaration such as `.reg .b32 r;` or `.param .u64 p`"));
        };
        let mut opaque = if self.word() == ".tex" { Some(Opaque::Texture) } else { None };
        let at = self.pass()?;
        // The number of a bank before PTX 2.2: `.const[2]`.
        if space == Space::Const && self.takes(b'[')? {
            self.u32("the number of a bank of constants")?;
            self.mark(b']')?;
        }
        let (mut ty, mut lanes, mut align, mut pointer) = (None, 1, None, None);
        while self.now.kind == Kind::Dotted {
            let (span, word) = (self.now.span, self.word());
            self.pass()?;
            match word {
                // After `.ptr`, the alignment of what the parameter points to.
                ".align" if pointer.is_some() => pointer = Some(self.alignment()?),
                ".align" => align = Some(self.alignment()?),
                ".v2" => lanes = 2,
                ".v4" => lanes = 4,
                ".v8" => lanes = 8,
                ".ptr" => pointer = Some(1),
                // The state space that the parameter points to.
                ".global" | ".shared" | ".local" | ".const" | ".param" if pointer.is_some() => {}
                ".attribute" => self.parentheses()?,
                // An opaque variable of a texture, with named attributes as its initial value.
                ".texref" | ".samplerref" | ".surfref" if ty.is_none() => {
                    opaque = Some(match word {
                        ".texref" => Opaque::Texture,
                        ".samplerref" => Opaque::Sampler,
                        _ => Opaque::Surface,
                    });
                    ty = Some(HANDLE);
                }
                _ => match Ty::named(word.trim_start_matches('.')) {
                    Some(named) if ty.is_none() => ty = Some(named),
                    Some(_) => return Err(Error::at(self.text, span, format!("`{word}` is a second type: remove it"))),
                    None => {
                        let why = format!(
                            "`{word}` is not a type of a variable: write a type such as .pred, .b32, .u64 or .f32"
                        );
                        return Err(Error::at(self.text, span, why));
                    }
                },
            }
        }
        let ty = ty.ok_or_else(|| self.expected("a type such as `.b32`"))?;
        let ty = if opaque.is_some() { HANDLE } else { ty };
        Ok(Head { at, space, ty, lanes, align, pointer, opaque })
    }

    fn alignment(&mut self) -> Result<u32, Error> {
        let span = self.now.span;
        let align = self.u32("an alignment")?;
        if align.is_power_of_two() && align <= 1 << 16 {
            Ok(align)
        } else {
            Err(Error::at(self.text, span, format!("{align} is not an alignment: write a power of two up to 65536")))
        }
    }

    fn declared(&mut self, head: &Head, is_extern: bool) -> Result<Variable, Error> {
        let name = self.name("a name")?;
        let mut range = None;
        if self.takes(b'<')? {
            let span = self.now.span;
            let count = self.u32("the number of registers")?;
            self.mark(b'>')?;
            if head.space != Space::Reg || count > 1 << 20 {
                let why = "`<n>` declares at most 1048576 registers, in `.reg` only";
                return Err(Error::at(self.text, span, why));
            }
            range = Some(count);
        }
        let mut lengths = Vec::new();
        while self.takes(b'[')? {
            let length = if self.is(b']') { None } else { Some(self.integer("the length of an array")?) };
            self.mark(b']')?;
            lengths.push(length);
        }
        let at = head.at.to(self.last);
        let init = match self.takes(b'=')? {
            true if head.opaque.is_some() => Some(Init::Attributes(self.attributes()?)),
            true => Some(self.init(0)?),
            false => None,
        };
        let &Head { space, ty, lanes, align, pointer, opaque, .. } = head;
        Ok(Variable { at, space, ty, lanes, align, name, range, lengths, init, pointer, is_extern, opaque })
    }

    /// Reads the attributes of an object, with the braces around them.
    fn attributes(&mut self) -> Result<Vec<(Span, Span)>, Error> {
        let mut all = Vec::new();
        self.mark(b'{')?;
        while !self.takes(b'}')? {
            let name = self.name("an attribute such as `filter_mode`, or `}`")?;
            self.mark(b'=')?;
            if !matches!(self.now.kind, Kind::Word | Kind::Number) {
                return Err(self.expected("a value such as `linear` or 1"));
            }
            all.push((name, self.pass()?));
            if !self.is(b'}') {
                self.mark(b',').map_err(|_| self.expected("`,` or `}`"))?;
            }
        }
        Ok(all)
    }

    fn init(&mut self, depth: usize) -> Result<Init, Error> {
        match self.now.kind {
            Kind::Mark(b'{') if depth < DEEPEST => {
                self.pass()?;
                let mut all = Vec::new();
                while !self.takes(b'}')? {
                    all.push(self.init(depth + 1)?);
                    if !self.is(b'}') {
                        self.mark(b',').map_err(|_| self.expected("`,` or `}`"))?;
                    }
                }
                Ok(Init::List(all))
            }
            Kind::Mark(b'{') => {
                Err(Error::at(self.text, self.now.span, format!("braces nest more than {DEEPEST} levels deep")))
            }
            Kind::Text => Ok(Init::Text(self.pass()?)),
            Kind::Word => {
                let name = self.pass()?;
                if self.of(name) == "generic" && self.takes(b'(')? {
                    let name = self.name("the name of a variable")?;
                    self.mark(b')')?;
                    return Ok(Init::Symbol { name, generic: true, mask: None, add: self.offset()? });
                }
                Ok(Init::Symbol { name, generic: false, mask: None, add: self.offset()? })
            }
            _ => {
                let number = self.number("a number, a name or `{`")?;
                let Number::Int(mask) = number else { return Ok(Init::Number(number)) };
                if !self.takes(b'(')? {
                    return Ok(Init::Number(number));
                }
                // Bits of an address: `0xFF00(x)`, `0xFF00(generic(x))`.
                let inner = self.init(DEEPEST)?;
                self.mark(b')')?;
                match inner {
                    Init::Symbol { name, generic, mask: None, add } => {
                        Ok(Init::Symbol { name, generic, mask: Some(mask), add })
                    }
                    _ => Err(Error::at(self.text, self.last, "a mask needs a name, as in `0xFF00(x)`")),
                }
            }
        }
    }

    /// Reads offsets such as `+4` or `-4` and returns their sum. Returns 0 if there is no offset.
    pub(crate) fn offset(&mut self) -> Result<i64, Error> {
        let mut sum = 0_i64;
        loop {
            if self.takes(b'+')? || self.is(b'-') {
                sum = sum.wrapping_add(self.integer_of("an offset", PRODUCT)?.cast_signed());
            } else {
                return Ok(sum);
            }
        }
    }

    /// Passes parentheses with all tokens between them.
    pub(crate) fn parentheses(&mut self) -> Result<(), Error> {
        self.mark(b'(')?;
        let mut depth = 1_usize;
        while depth > 0 {
            match self.now.kind {
                Kind::Mark(b'(') => depth += 1,
                Kind::Mark(b')') => depth -= 1,
                Kind::End => return Err(self.expected("`)`")),
                _ => {}
            }
            self.pass()?;
        }
        Ok(())
    }

    /// Passes `.attribute(…)`, if it is in view.
    pub(crate) fn attribute(&mut self) -> Result<(), Error> {
        if self.word() != ".attribute" {
            return Ok(());
        }
        self.pass()?;
        self.parentheses()
    }

    /// Passes all tokens up to this mark, and the mark.
    pub(crate) fn skip_to(&mut self, mark: u8) -> Result<Span, Error> {
        while !self.is(mark) {
            if self.now.kind == Kind::End {
                return Err(self.expected(&format!("`{}`", char::from(mark))));
            }
            self.pass()?;
        }
        self.pass()
    }
}
