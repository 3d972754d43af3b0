//! The syntax tree.

use std::fmt;

use crate::number::Number;
use crate::span::Span;
use crate::ty::Ty;

/// A PTX text and its tree.
///
/// [`Unit::parse`] and [`Unit::declarations`] read it.
#[derive(Debug)]
pub struct Unit {
    /// The text that the spans of the tree refer to.
    pub text: Box<str>,
    /// The numbers of `.version`: (7, 8) for `.version 7.8`.
    pub version: (u8, u8),
    /// The target.
    pub target: Target,
    /// Source files of `.file`: numbers and names.
    pub files: Vec<(u64, String)>,
    /// Variables of the module.
    pub variables: Vec<Variable>,
    /// Entries and functions, and declarations of them, in the order of the text.
    pub functions: Vec<Function>,
    /// Names that `.alias` gives to functions, with the names of these functions.
    pub aliases: Vec<(Span, Span)>,
}

impl Unit {
    /// Returns the entries that have a body, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|function| function.is_entry && function.body.is_some())
    }

    /// Returns the entry of this name. Returns `None` if no entry with a body has it.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Function> {
        self.entries().find(|entry| entry.name.of(&self.text) == name)
    }
}

/// A target. It displays as `sm_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The number: 90 for `sm_90a`.
    pub sm: u32,
    /// The suffix `a` or `f` of a target with features of its own.
    pub suffix: Option<char>,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.sm)?;
        self.suffix.map_or(Ok(()), |suffix| write!(f, "{suffix}"))
    }
}

/// An entry or a function, or a declaration of one.
#[derive(Debug)]
pub struct Function {
    /// `true` for `.entry`, `false` for `.func`.
    pub is_entry: bool,
    /// The name.
    pub name: Span,
    /// Return values.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub parameters: Vec<Variable>,
    /// The block that a launch has to have, by `.reqntid`: threads along x, y and z, each from 1 to
    /// 1024.
    pub required: Option<[u32; 3]>,
    /// The largest block of a launch, by `.maxntid`: threads along x, y and z, each from 1 to 1024.
    pub most: Option<[u32; 3]>,
    /// Blocks of a cluster along x, y and z, by `.reqnctapercluster`.
    pub cluster: Option<[u32; 3]>,
    /// `true` for `.noreturn`.
    pub never_returns: bool,
    /// The body. It is `None` for a declaration.
    pub body: Option<Body>,
}

impl Function {
    /// Returns the instructions of the body, in the order of the text.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.body.iter().flat_map(|body| &body.statements).filter_map(|statement| match statement {
            Statement::Instruction(instruction) => Some(instruction),
            _ => None,
        })
    }
}

/// A body of a function.
#[derive(Debug)]
pub struct Body {
    /// The text between the braces.
    pub at: Span,
    /// The statements. [`Unit::declarations`] leaves them out.
    pub statements: Vec<Statement>,
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// `.reg`
    Reg,
    /// `.global`
    Global,
    /// `.const`
    Const,
    /// `.shared`
    Shared,
    /// `.local`
    Local,
    /// `.param`
    Param,
}

/// A declaration of a variable, of a range of registers, or of a parameter.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The declaration without its initial value: `.param .align 8 .b8 x[16]`. Several names of one
    /// declaration share its head.
    pub at: Span,
    /// The state space.
    pub space: Space,
    /// The type of an element.
    pub ty: Ty,
    /// Lanes of an element: 2 for `.v2`, 4 for `.v4`, 8 for `.v8`, else 1.
    pub lanes: u32,
    /// The alignment in bytes that `.align` declares, a power of two up to 65,536.
    pub align: Option<u32>,
    /// The name.
    pub name: Span,
    /// The number of registers: 8 for `%r<8>`, at most 2^20.
    pub range: Option<u32>,
    /// The lengths of an array, outermost first. A length is `None` if its brackets are empty.
    pub lengths: Vec<Option<u64>>,
    /// The initial value.
    pub init: Option<Init>,
    /// The alignment in bytes of what the parameter points to, for a parameter with `.ptr`. It is 1
    /// if no `.align` follows.
    pub pointer: Option<u32>,
    /// `true` for `.extern`.
    pub is_extern: bool,
    /// The kind of object, for `.texref`, `.samplerref` and `.surfref`. The type is then `.b64`.
    pub opaque: Option<Opaque>,
}

/// A kind of object whose contents a program cannot see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// `.texref`
    Texture,
    /// `.samplerref`
    Sampler,
    /// `.surfref`
    Surface,
}

impl Variable {
    /// Returns `true` if the variable has the attribute `.managed`: the host can access it, too.
    /// `text` is the text of the module.
    #[must_use]
    pub fn is_managed(&self, text: &str) -> bool {
        // No name has a dot in it.
        self.at.of(text).contains(".managed")
    }
}

/// An initial value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// A number.
    Number(Number),
    /// An address: `name+4`, `generic(name)`, or bits of an address, `0xFF00(name)`.
    Symbol {
        /// The name of a variable or a function.
        name: Span,
        /// `true` for `generic(…)`.
        generic: bool,
        /// The mask: 0xFF00 of `0xFF00(name)`.
        mask: Option<u64>,
        /// The offset in bytes.
        add: i64,
    },
    /// `{1, 2}`
    List(Vec<Self>),
    /// A string with its quotes.
    Text(Span),
    /// Named attributes of an object: `{addr_mode_0 = wrap, filter_mode = linear}`.
    Attributes(Vec<(Span, Span)>),
}

/// A statement of a body.
#[derive(Debug)]
pub enum Statement {
    /// A label.
    Label(Span),
    /// A variable.
    Variable(Box<Variable>),
    /// `{`, which opens a scope of names.
    Enter,
    /// `}`, which closes a scope of names.
    Leave,
    /// A place in a source file, which the next instructions come from.
    Loc {
        /// The number of the file.
        file: u32,
        /// The number of the line, counted from 1.
        line: u32,
    },
    /// `list: .branchtargets a, b;`
    Targets {
        /// The name of the list.
        name: Span,
        /// The labels.
        labels: Vec<Span>,
    },
    /// `name: .callprototype …;`, the parameters of a function that is called through a register.
    Prototype {
        /// The name of the prototype.
        name: Span,
        /// Return values.
        returns: Vec<Variable>,
        /// Parameters.
        parameters: Vec<Variable>,
    },
    /// An instruction.
    Instruction(Instruction),
}

/// An instruction with its operands.
#[derive(Debug)]
pub struct Instruction {
    /// The text from the guard to the last operand.
    pub at: Span,
    /// The guard.
    pub guard: Option<Guard>,
    /// The opcode with all of its modifiers: `fma.rn.f16x2`.
    pub opcode: Span,
    /// The operands.
    pub operands: Vec<Operand>,
}

/// A guard of an instruction, `@p` or `@!p`.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// `true` for `@!p`.
    pub negated: bool,
    /// The predicate.
    pub name: Span,
}

/// An operand of an instruction.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The text of the operand.
    pub at: Span,
    /// The parts of the operand.
    pub kind: OperandKind,
}

/// A kind of operand.
#[derive(Clone, Debug)]
pub enum OperandKind {
    /// A name: `a`, `%tid.x`, `a+4` or `a[4]`.
    Name {
        /// The name.
        name: Span,
        /// The component with its dot: `.x`.
        component: Option<Span>,
        /// The offset in bytes: 4 of `a+4`.
        add: i64,
        /// The index in brackets: 4 of `a[4]`.
        index: Option<u64>,
    },
    /// A number.
    Number(Number),
    /// An address: `[a+4]`, or `[a, {x, y}]` with coordinates.
    Address {
        /// The base.
        base: Base,
        /// The offset in bytes.
        add: i64,
        /// The coordinates.
        rest: Vec<Operand>,
    },
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`
    List(Vec<Operand>),
    /// `a|b`
    Pair(Box<[Operand; 2]>),
    /// `!a`
    Not(Box<Operand>),
    /// `_`, a result that is not stored.
    Sink,
}

/// A base of an address.
#[derive(Clone, Copy, Debug)]
pub enum Base {
    /// A register or a variable.
    Name(Span),
    /// No base: the offset is the address.
    Zero,
}
