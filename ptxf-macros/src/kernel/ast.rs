//! A kernel's body as a tree: statements ([`StatementKind`]) and expressions ([`ExprKind`]) over
//! numbered variables.
//!
//! The parser makes the tree, with names resolved. The passes fill in the rest. `precision` decides
//! how each float is held. `classes` finds how each value differs between threads ([`Class`]), and
//! which assignments and jumps only some threads do (`masked`). All of them walk the tree by
//! `visit`.

mod operation;
mod variable;

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};

use super::attributes::Attributes;
use super::literal_overflow::LiteralOverflow;
use super::parts::Parts;
use super::scalar_type::Type;

pub(crate) use operation::{Atomic, AtomicOp, Binary, Vote};
pub(crate) use variable::{Dim, DimOf, Id, Index, IndexOf, Kind, Shape, Variable};

/// The number of a type in `Types`, which may still be unknown.
pub(crate) type TypeVar = usize;

/// The difference between the values that the threads of a group have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// The same for all threads.
    Uniform,
    /// The thread index plus something uniform.
    Lin,
    /// The thread index times something uniform, plus something uniform.
    Strided,
    /// Any values.
    Varying,
}

impl Class {
    /// Returns the class of a value that may have either class.
    pub(crate) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Varying }
    }
}

/// The format of a float in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// A literal, which takes the other operand's format.
    Either,
    /// The element type.
    Element,
    /// f32, because the value is kept or computed from a kept one.
    Single,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    pub(crate) tail: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    /// The place in the source. For an assignment the place of its target.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    /// `let v = init;`
    Let(Id, Expr),
    /// `let (a, b) = f(x, y);`, where the `#[ptx_fn]` `f` has several results.
    LetCall {
        to: Parts<Id>,
        function: TokenStream,
        arguments: Vec<Parts<Expr>>,
    },
    /// `v = value;`. A compound assignment is written out.
    Assign {
        to: Id,
        value: Expr,
        masked: bool,
    },
    /// `let v = [a, b];`
    LetArray(Id, Vec<Expr>),
    /// `let v = [a; LENGTH];`
    LetRepeat(Id, Expr),
    /// `v[index] = value;`
    AssignElement {
        array: Id,
        index: Expr,
        value: Expr,
        masked: bool,
    },
    /// `slice[index] = value;`, where `text` is the index as it is written.
    Store {
        slice: Id,
        index: Expr,
        text: String,
        value: Expr,
        right: Right,
    },
    If(Expr, Block, Option<Block>),
    For {
        counter: Id,
        start: Expr,
        end: Expr,
        /// The argument of `.step_by(step)`.
        step: Option<Expr>,
        count: Count,
        body: Loop,
    },
    While(Option<Expr>, Loop),
    Break(Jump),
    Continue(Jump),
    /// The value, and `true` if only some threads return here.
    Return(Option<Expr>, bool),
    Block(Block),
    /// `sync_threads()`
    Sync,
    /// `atomic_add(&mut slice[index], value)`, or another atomic operation.
    Atomic(Box<Atomic>),
    /// `let v = sync_threads_or(value);`, or another vote.
    Vote(Id, Vote, Expr),
}

/// The order and the end of a counting `for`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    /// `true` for `a..=b`, which includes the upper bound.
    pub(crate) inclusive: bool,
    /// `true` for `.rev()`, which counts down.
    pub(crate) reversed: bool,
}

/// A `break` or a `continue`.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    /// The number of the loop that the jump leads out of.
    pub(crate) to: usize,
    /// The loop's label, if the jump names one.
    pub(crate) label: Option<TokenStream>,
    /// `true` if only some threads jump here.
    pub(crate) masked: bool,
}

/// The body of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) label: Option<TokenStream>,
    pub(crate) body: Block,
    /// The number of the loop as a divergent construct.
    pub(crate) id: usize,
    /// `true` if threads leave the loop, or begin its next iteration, one by one.
    pub(crate) divergent: bool,
    /// The path of the body: the divergent constructs around it.
    pub(crate) path: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    /// The place in the source. For a variable or an element the place of the name.
    pub(crate) span: Span,
    pub(crate) ty: TypeVar,
    pub(crate) class: Class,
    pub(crate) precision: Precision,
    /// For a sum, and the `mul_add` made of it: the product that `fuse` takes into it.
    pub(crate) fused: Option<Box<Product>>,
}

/// A product that is an operand of a sum.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    /// `true` for the first operand of the sum.
    pub(crate) is_first: bool,
    /// The product as it is written.
    pub(crate) text: String,
    /// `true` for what the `fma` negates: the product, and the other operand.
    pub(crate) negates: [bool; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Variable(Id),
    Float(String),
    Int(String),
    Bool(bool),
    /// A constant's path, or a `const` block.
    Constant(TokenStream),
    /// `WEIGHTS[index]`: the path of a constant array, and an index for each axis.
    ConstantElement(TokenStream, Vec<Expr>),
    /// `f32::INFINITY` or another constant of the type `f32`, in the element's format.
    Limit(Ident),
    /// `-a` for an integer.
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// A function of one float, as a variant of `Op1`.
    Float1(&'static str, Box<Expr>),
    /// A function of one integer that returns its type, as a variant of `IntOp1`.
    Int1(&'static str, Box<Expr>),
    /// Arithmetic of two floats or integers. For two `bool`s `&`, `|` or `^`, which compute both
    /// operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    MulAdd(Box<[Expr; 3]>),
    /// `a.clamp(least, most)` for floats or integers.
    Clamp(Box<[Expr; 3]>),
    /// `a.powi(exponent)`
    Power(Box<Expr>, i32),
    /// `a.is_nan()`, `a.is_finite()` or `a.is_infinite()`, by the method's name.
    Test(&'static str, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `&&` or `||`, which compute the second operand only if the first does not decide.
    Logic {
        and: bool,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    /// `a as T`, where `T` is the type of the expression.
    Cast(Box<Expr>),
    /// `cvt_rn(a)`
    Narrow(Box<Expr>),
    /// An element, widened to f32; inserted by `precision`.
    Widen(Box<Expr>),
    /// `slice[index]`, where `text` is the index as it is written.
    Load {
        slice: Id,
        index: Box<Expr>,
        text: String,
        right: Right,
    },
    /// `slice.len()`
    Length(Id),
    Element(Id, Box<Expr>),
    /// `TABLE.get(a)`
    Table(TokenStream, Box<Expr>),
    /// The place of an element in rows that follow each other in memory.
    Row(Box<Row>),
    /// A whole input, as an argument of a function.
    Slice(Id),
    /// `f(a, b)`, where `f` is a `#[ptx_fn]`.
    Call(TokenStream, Vec<Parts<Expr>>),
    /// The value of a variable that is assigned before it is read. In the parser also a value that
    /// was refused.
    Unset,
    If(Box<Expr>, Block, Block),
    Block(Block),
}

/// `row * width + column`, with a check that the column is in the row. So different (row, column)
/// are different places.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) row: Expr,
    /// The number of rows, if the array has a fixed one. A slice has as many as fit into it.
    pub(crate) rows: Option<Expr>,
    /// The same for all threads.
    pub(crate) width: Expr,
    pub(crate) column: Expr,
}

/// The reason why a thread may access an element of an output or of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// No reason is known.
    None,
    /// The element is the thread's own, as `ownership` found.
    Own,
    /// The kernel's author answers for it, in `unsafe`.
    Promised,
    /// Barriers keep the read apart from all writes, as `races` found.
    Barriers,
}

/// A kernel or a `#[ptx_fn]`.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// The function's visibility, such as `pub`.
    pub(crate) visibility: TokenStream,
    pub(crate) attributes: Attributes,
    pub(crate) name: Ident,
    /// Number of threads that a device's thread runs in the version `pair`.
    pub(crate) per_thread: usize,
    pub(crate) variables: Vec<Variable>,
    /// The parameters, in order.
    pub(crate) parameters: Vec<Parts<Id>>,
    /// `true` if the body has barriers.
    pub(crate) synchronizes: bool,
    /// The places of the user's `unsafe` blocks.
    pub(crate) unsafes: Vec<Span>,
    /// The inlined functions, by the names at their calls.
    pub(crate) inlined: Vec<Ident>,
    /// The functions of the same `#[ptx_module]`, which are known to have `#[ptx_fn]`.
    pub(crate) declared: BTreeSet<String>,
    /// Literals that become 0 or infinite in the element type.
    pub(crate) overflows: Vec<LiteralOverflow>,
    /// The type of the result. `()` for a kernel, and for a function with several results.
    pub(crate) result: Type,
    /// The variables that hold the results of a function with several.
    pub(crate) results: Option<Parts<Id>>,
    pub(crate) body: Block,
}

impl Kernel {
    /// Returns `true` for a `#[ptx_fn]`.
    pub(crate) fn is_function(&self) -> bool {
        self.result != Type::Unit || self.results.is_some()
    }

    /// Returns all parameters in order, with those that have parts replaced by the parts.
    pub(crate) fn all_parameters(&self) -> impl Iterator<Item = Id> {
        self.parameters.iter().flat_map(Parts::leaves).copied()
    }

    /// Returns the number of axes along which threads have indices, 1 to 3.
    pub(crate) fn axes(&self) -> usize {
        self.all_parameters().filter_map(|id| self.variables[id].kind.axis()).max().unwrap_or(0) + 1
    }

    /// Returns `true` if the variable holds a result of this function.
    pub(crate) fn is_result(&self, id: Id) -> bool {
        self.results.as_ref().is_some_and(|results| results.leaves().contains(&&id))
    }
}
