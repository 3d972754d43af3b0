//! A function as it is run: names resolved, types inferred.

use std::fmt;

use super::lower::Shape;
use crate::cvt::Num;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `f32` in the source: the element type, or binary32 if kept.
    Float,
    /// An integer.
    Int(Int),
    /// `bool`
    Bool,
    /// `()`
    Unit,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// Its name in Rust.
    pub name: &'static str,
    /// `true` for signed types.
    pub signed: bool,
    /// Width in bits.
    pub bits: u32,
}

impl Int {
    const fn new(name: &'static str, signed: bool, bits: u32) -> Self {
        Self { name, signed, bits }
    }

    /// All integer types; `usize` has 64 bits.
    pub const ALL: [Self; 9] = [
        Self::new("i8", true, 8),
        Self::new("u8", false, 8),
        Self::new("i16", true, 16),
        Self::new("u16", false, 16),
        Self::new("i32", true, 32),
        Self::new("u32", false, 32),
        Self::new("i64", true, 64),
        Self::new("u64", false, 64),
        Self::new("usize", false, 64),
    ];

    /// Returns the type of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|int| int.name == name)
    }

    /// Returns the least and the greatest integer.
    #[must_use]
    pub const fn range(self) -> [i128; 2] {
        if self.signed { [-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1] } else { [0, (1 << self.bits) - 1] }
    }
}

impl Type {
    pub(super) const I32: Self = Self::Int(Int::ALL[4]);
    pub(super) const U32: Self = Self::Int(Int::ALL[5]);
    /// The type of indices.
    pub const USIZE: Self = Self::Int(Int::ALL[8]);

    pub(super) const fn is_int(self) -> bool {
        matches!(self, Self::Int(_))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Float => "f32",
            Self::Int(int) => int.name,
            Self::Bool => "bool",
            Self::Unit => "()",
        })
    }
}

/// A type that may not be known yet; an index into `Types`.
pub(super) type TypeVar = usize;

/// The precision of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// The precision of a literal, and of expressions of literals: that of the other operand.
    Either,
    Element,
    Single,
}

/// An index into [`Function::variables`].
pub(super) type Id = usize;

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) ty: TypeVar,
    pub(super) kept: bool,
    /// For an array of several axes: their lengths. For a slice of arrays: any number, and their
    /// lengths.
    pub(super) axes: Vec<usize>,
    /// For a slice of structures: the shape of each.
    pub(super) structure: Option<Shape>,
    /// The place of its first word in the frame.
    pub(super) place: usize,
}

impl Variable {
    /// Returns the format of a slice's elements if kernels do not compute in it.
    pub(super) const fn stored(&self) -> Option<Stored> {
        match self.kind {
            Kind::Slice { stored, .. } => stored,
            _ => None,
        }
    }

    /// Returns the number of words of the frame that the variable has.
    pub(super) const fn words(&self) -> usize {
        match self.kind {
            Kind::Array(length) => length,
            _ => 1,
        }
    }
}

/// The kind of a variable, and the content of its word in the frame if that is not its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An index of that kind along an axis.
    Index(IndexOf, usize),
    Scalar,
    /// A slice; the word is the number of its memory.
    Slice {
        mutable: bool,
        /// The format of its elements if kernels do not compute in it.
        stored: Option<Stored>,
    },
    /// A `let`, or the counter of a `for`.
    Local,
    /// A local array, a word per element.
    Array(usize),
    /// A shared array: the number of its memory and of its elements.
    Shared(usize),
}

/// A format that only memory has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    /// The name of the Rust type.
    pub(super) name: &'static str,
    pub(super) num: Num,
    /// Number of elements in a byte.
    pub(super) in_byte: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexOf {
    /// A thread in the grid.
    Thread,
    /// A thread in its block.
    Local,
    /// A block in the grid.
    Block,
    /// Not an index: the number of threads of the grid.
    Threads,
    /// The number of threads of a block other than the last.
    BlockDim,
}

#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) statements: Vec<Expr>,
    pub(super) tail: Option<Box<Expr>>,
}

/// An expression or a statement, which is an expression of type `()`.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: Is,
    pub(super) ty: TypeVar,
    pub(super) precision: Precision,
}

#[derive(Clone, Debug)]
pub(super) enum Is {
    /// A literal, constant or limit in f16, bf16 and f32, rounded once to each.
    Float([u32; 3]),
    Int(u128),
    Bool(bool),
    Variable(Id),
    /// `a[index]` of a slice or an array.
    Element(Id, Box<Expr>),
    /// `A[index]` of a constant with these elements.
    ConstantElement(Vec<Expr>, Box<Expr>),
    /// The indices of `a[i][j]`, each with its bound.
    Place(Vec<(Expr, usize)>),
    /// `a.len()`
    Length(Id),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// `a.sqrt()` and its like.
    Function(Function1, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A sum or difference under `fuse`, one of whose operands is written as a product.
    Fused {
        difference: bool,
        operands: Box<[Expr; 2]>,
        /// The index of the operand that is fused.
        product: usize,
    },
    MulAdd(Box<[Expr; 3]>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `a.is_nan()` and its like.
    Test(Test, Box<Expr>),
    /// `a.count_ones()` and its like, of an integer, in its type.
    Count(Integer1, Box<Expr>),
    /// `a.clamp(least, most)`
    Clamp(Box<[Expr; 3]>),
    /// `a.powi(exponent)`
    Power(Box<Expr>, i32),
    /// `a && b`, or else `a || b`
    Logic {
        and: bool,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    /// `a as T`, where `T` is the type of the expression.
    Cast(Box<Expr>),
    /// `cvt_rn(a)`
    Narrow(Box<Expr>),
    /// An element in f32, exactly.
    Widen(Box<Expr>),
    /// `TABLE.get(a)`
    Table(String, Box<Expr>),
    Call(String, Vec<Argument>),
    If(Box<Expr>, Block, Option<Block>),
    /// The arms of a `match` of the variable, from this one on.
    Arm(Id, Box<Arm>),
    Block(Block),

    Let(Id, Box<Expr>),
    /// `let (a, _) = f(x);`
    LetSeveral(Vec<Option<Id>>, Box<Several>),
    /// `(a, out[t]) = f(x);`
    AssignSeveral(Vec<Target>, Box<Several>),
    ReturnSeveral(Box<Several>),
    /// The only part that is left of several.
    Pick(Box<Several>),
    LetArray(Id, Vec<Expr>),
    /// `let v = [a; LENGTH];`
    LetRepeat(Id, Box<Expr>),
    /// `v = value` or `v op= value`, of an element if there is an index.
    Assign {
        to: Id,
        index: Option<Box<Expr>>,
        op: Option<Binary>,
        /// `true` if the value is written as a product, which `fuse` fuses with `+=` or `-=`.
        fused: bool,
        value: Box<Expr>,
    },
    For {
        counter: Id,
        start: Box<Expr>,
        end: Box<Expr>,
        inclusive: bool,
        reversed: bool,
        /// The step of `.step_by(step)`.
        step: Option<Box<Expr>>,
        label: Option<String>,
        body: Block,
    },
    /// A `loop` if there is no condition.
    While(Option<String>, Option<Box<Expr>>, Block),
    /// Out of the innermost loop, or of the one with this label.
    Break(Option<String>),
    Continue(Option<String>),
    Return(Option<Box<Expr>>),
    /// `sync_threads()`, numbered.
    Barrier(usize),
    /// A barrier, numbered, with the thread's vote: how many are for it, of all or as a number.
    Vote(usize, Vote, Box<Expr>),
    /// `atomic_add(&mut a[index], value)` and its like.
    Atomic(Box<Atomic>),
}

/// A change of an element that other threads may change at the same time.
#[derive(Clone, Debug)]
pub(super) struct Atomic {
    pub(super) op: AtomicOp,
    pub(super) to: Id,
    pub(super) index: Expr,
    /// The expected value of a compare-and-swap.
    pub(super) expected: Option<Expr>,
    pub(super) value: Expr,
    /// `true` inside of `unsafe`: the kernel's author is responsible for the order.
    pub(super) promised: bool,
}

/// The kinds of votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    Any,
    All,
    Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicOp {
    Of(Binary),
    Exchange,
    CompareExchange,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    /// The bounds of each alternative, both of which match.
    pub(super) ranges: Vec<[i128; 2]>,
    pub(super) value: Expr,
    /// The next arm.
    pub(super) otherwise: Option<Expr>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Value {
        value: Expr,
        /// `true` if the argument becomes f32 and not an element.
        kept: bool,
    },
    Several(Several),
    Slice(Id),
    /// A local array; `true` if it receives the parameter's elements afterwards.
    Array(Id, bool),
    /// Places that receive the parameter's value afterwards.
    Places(Vec<Target>),
}

/// An assigned place: a variable, or an element of one.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) to: Id,
    pub(super) index: Option<Expr>,
}

/// Several numbers at once.
#[derive(Clone, Debug)]
pub(super) struct Several {
    pub(super) kind: SeveralIs,
    pub(super) leaves: Vec<Leaf>,
}

/// One of several numbers.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) ty: TypeVar,
    pub(super) precision: Precision,
    /// `true` if the number is computed as an element and then widened.
    pub(super) widened: bool,
}

#[derive(Clone, Debug)]
pub(super) enum SeveralIs {
    /// Concatenated pieces.
    Join(Vec<Piece>),
    /// A range: the start and the number of its values.
    Slice(Box<Several>, usize, usize),
    /// The parts from `first` on of a structure with `of` parts in a slice.
    Load {
        slice: Id,
        index: Box<Expr>,
        first: usize,
        of: usize,
    },
    Call(String, Vec<Argument>),
    If(Box<Expr>, SeveralBlock, SeveralBlock),
    /// A choice by the variable's integer.
    Match(Id, Vec<(Vec<[i128; 2]>, SeveralBlock)>),
    Block(SeveralBlock),
}

#[derive(Clone, Debug)]
pub(super) enum Piece {
    One(Expr),
    Several(Several),
}

/// Statements and their final values.
#[derive(Clone, Debug)]
pub(super) struct SeveralBlock {
    pub(super) statements: Vec<Expr>,
    pub(super) value: Box<Several>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function1 {
    Abs,
    Sqrt,
    Recip,
    Exp2,
    Exp,
    Log2,
    Ln,
    Sin,
    Cos,
    Tanh,
    Rsqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundTiesEven,
    Signum,
    Fract,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Log10,
    ToDegrees,
    ToRadians,
}

/// A property of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Nan,
    Finite,
    Infinite,
}

/// A function of one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer1 {
    Abs,
    Signum,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    ReverseBits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    DivEuclid,
    RemEuclid,
    DivCeil,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Min,
    Max,
    CopySign,
    Atan2,
    Powf,
    Hypot,
    AbsDiff,
    SaturatingAdd,
    SaturatingSub,
    Pow,
    RotateLeft,
    RotateRight,
}

impl Binary {
    /// Returns `true` if the operator has no result for 0.
    pub(super) const fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Rem | Self::DivEuclid | Self::RemEuclid | Self::DivCeil)
    }

    /// Returns `true` if the second operand is a number of bits or an exponent, with a type of its
    /// own.
    pub(super) const fn by_a_number(self) -> bool {
        matches!(self, Self::Shl | Self::Shr | Self::Pow | Self::RotateLeft | Self::RotateRight)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// A kernel, or a function of kernels.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) variables: Vec<Variable>,
    pub(super) parameters: Vec<Id>,
    /// The number of words of a frame.
    pub(super) words: usize,
    /// The type of each type variable.
    pub(super) types: Vec<Type>,
    pub(super) body: Block,
}

impl Expr {
    /// Returns the factors of a product of numbers, and `true` if it is negated.
    pub(super) fn factors(&self) -> Option<(bool, [&Self; 2])> {
        match &self.kind {
            Is::Negate(of) => of.factors().map(|(negated, factors)| (!negated, factors)),
            Is::Binary(Binary::Mul, a, b) => Some((false, [a, b])),
            _ => None,
        }
    }

    /// Returns the factors, to change them.
    pub(super) fn factors_mut(&mut self) -> Option<[&mut Self; 2]> {
        match &mut self.kind {
            Is::Negate(of) => of.factors_mut(),
            Is::Binary(Binary::Mul, a, b) => Some([a, b]),
            _ => None,
        }
    }
}

impl Function {
    pub(super) fn type_of(&self, e: &Expr) -> Type {
        self.types[e.ty]
    }
}
