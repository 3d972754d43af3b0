//! What a text says, with the bytes of every part.

use super::number::Number;
use crate::text::Span;
use crate::ty::Ty;

/// A whole text.
#[derive(Debug)]
pub(crate) struct Unit {
    /// (7, 8) of `.version 7.8`.
    pub(crate) version: (u8, u8),
    pub(crate) target: Target,
    /// Names of source files by their numbers.
    pub(crate) files: Vec<(u64, String)>,
    /// Variables of the module.
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
}

/// What `.target` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// 90 of `sm_90a`.
    pub(crate) sm: u32,
    /// `a` or `f` of a target with features of its own.
    pub(crate) suffix: Option<char>,
}

/// An entry, a function, or a declaration of one.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) is_entry: bool,
    pub(crate) name: Span,
    pub(crate) returns: Vec<Variable>,
    pub(crate) parameters: Vec<Variable>,
    /// `.reqntid`, which a launch has to have, and `.maxntid`, which it may not exceed.
    pub(crate) required: Option<[u32; 3]>,
    pub(crate) most: Option<[u32; 3]>,
    /// `.noreturn`
    pub(crate) never_returns: bool,
    pub(crate) body: Option<Vec<Statement>>,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Reg,
    Global,
    Const,
    Shared,
    Local,
    Param,
}

/// A declaration of one name, or of a range of registers.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) space: Space,
    pub(crate) ty: Ty,
    /// 2 of `.v2`, else 1.
    pub(crate) lanes: u32,
    pub(crate) align: Option<u32>,
    pub(crate) name: Span,
    /// 8 of `%r<8>`.
    pub(crate) range: Option<u32>,
    /// The lengths of an array; `None` where the first one is left out.
    pub(crate) lengths: Vec<Option<u64>>,
    pub(crate) init: Option<Init>,
    /// Whether a parameter is marked as a pointer.
    pub(crate) pointer: bool,
    pub(crate) is_extern: bool,
}

/// The value that a variable begins with.
#[derive(Debug, PartialEq)]
pub(crate) enum Init {
    Number(Number),
    /// The address of a name, `generic(name)+4`, or some of its bits, `0xFF00(name)`.
    Symbol {
        name: Span,
        generic: bool,
        mask: Option<u64>,
        add: i64,
    },
    List(Vec<Self>),
    Text(Span),
}

/// A statement of a body.
#[derive(Debug)]
pub(crate) enum Statement {
    Label(Span),
    Variable(Box<Variable>),
    /// `{`, which opens a scope of names.
    Enter,
    /// `}`
    Leave,
    /// The place in a source file that the instructions behind it come from.
    Loc {
        file: u32,
        line: u32,
    },
    /// `list: .branchtargets a, b;`
    Targets {
        name: Span,
        labels: Vec<Span>,
    },
    /// `name: .callprototype …;`: sizes are those of the parameters of a function that is called through a register.
    Prototype {
        name: Span,
        returns: Vec<Variable>,
        parameters: Vec<Variable>,
    },
    Instruction(Instruction),
}

/// An instruction with its operands.
#[derive(Debug)]
pub(crate) struct Instruction {
    /// From the guard to the last operand.
    pub(crate) at: Span,
    pub(crate) guard: Option<Guard>,
    /// With all its modifiers.
    pub(crate) opcode: Span,
    pub(crate) operands: Vec<Operand>,
}

/// `@p` or `@!p`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) negated: bool,
    pub(crate) name: Span,
}

/// An operand and its bytes.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) at: Span,
    pub(crate) kind: OperandKind,
}

/// What an operand is.
#[derive(Debug)]
pub(crate) enum OperandKind {
    /// `a`, `%tid.x`, `a+4`, `a[4]`.
    Name {
        name: Span,
        component: Option<Span>,
        add: i64,
        index: Option<u64>,
    },
    Number(Number),
    /// `[a+4]`, or with coordinates behind a comma.
    Address {
        base: Base,
        add: i64,
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
    /// `_`
    Sink,
}

/// What an address begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    Name(Span),
    /// None: the number behind it is the address.
    Zero,
}
