//! A kernel's body as the macro understands it: statements ([`StatementKind`]) and expressions ([`ExprKind`]) over numbered variables.
//!
//! The parser makes it, with names resolved. The passes fill in what it cannot know: `precision` how each float is held, `classes` how
//! each value differs between threads ([`Class`]), and which assignments and jumps are for some threads only (`masked`). Whoever goes
//! through it does so by `visit`.

use std::fmt;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::attributes::Attributes;
use super::lost::Lost;
use super::parts::Parts;
use super::stored::Stored;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// The element type, or f32 if kept.
    Float,
    Int(Int),
    Bool,
    Unit,
}

impl Type {
    pub(crate) const I32: Self = Self::Int(Int::I32);
    pub(crate) const U32: Self = Self::Int(Int::U32);
    pub(crate) const USIZE: Self = Self::Int(Int::Usize);

    /// As it is written in a kernel.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Float => "f32",
            Self::Int(of) => of.name(),
            Self::Bool => "bool",
            Self::Unit => "()",
        }
    }

    /// Whether `!`, `&`, `|` and `^` take it.
    pub(crate) const fn has_bits(self) -> bool {
        self.is_int() || matches!(self, Self::Bool)
    }

    pub(crate) const fn is_int(self) -> bool {
        matches!(self, Self::Int(_))
    }

    /// Whether slices and arrays have it for elements: what is as long on every machine.
    pub(crate) const fn is_element(self) -> bool {
        match self {
            Self::Float => true,
            Self::Int(of) => !matches!(of, Int::Usize),
            Self::Bool | Self::Unit => false,
        }
    }
}

/// The integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Int {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Usize,
}

impl Int {
    const ALL: [Self; 9] =
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::I32, Self::U32, Self::I64, Self::U64, Self::Usize];

    /// The one of this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|int| int.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::Usize => "usize",
        }
    }

    /// The one of as many bits without a sign.
    pub(crate) const fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            unsigned => unsigned,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        self.unsigned() != self
    }

    /// Whether a device changes one in memory by one instruction.
    pub(crate) const fn has_atomics(self) -> bool {
        matches!(self, Self::I32 | Self::U32 | Self::I64 | Self::U64)
    }

    /// Whether a `u32` is one of them, or its low bits are.
    pub(crate) const fn has_32_bits(self) -> bool {
        !matches!(self, Self::I8 | Self::U8 | Self::I16 | Self::U16)
    }
}

/// A type that may not be known yet; `Types` knows what it is.
pub(crate) type TypeVar = usize;

/// How a value differs between the threads of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// The same for all.
    Uniform,
    /// The thread index plus something uniform.
    Lin,
    /// The thread index times something uniform, plus something uniform.
    Strided,
    /// Anything.
    Varying,
}

impl Class {
    /// Of a value that is either.
    pub(crate) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Varying }
    }
}

/// How a float is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// A literal, which becomes what it meets.
    Either,
    /// In the element type.
    Element,
    /// In f32, because it is kept or comes of something kept.
    Single,
}

/// An index into [`Kernel::variables`].
pub(crate) type Id = usize;

/// A parameter or a `let`.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// As the user calls it; of a part, what it is a part of.
    pub(crate) name: Ident,
    /// Of a part, which one, as it is written after the name: `.x`
    pub(crate) part: String,
    /// As the expansion does, and nothing else.
    pub(crate) unique: Ident,
    /// Whether the macro made it, to hold a value that is used twice.
    pub(crate) temporary: bool,
    /// Whether its precision is that of what is assigned to it.
    pub(crate) settles: bool,
    /// Whether it holds what a function returns.
    pub(crate) returned: bool,
    pub(crate) kind: Kind,
    pub(crate) ty: TypeVar,
    /// Of a slice, the format that its elements have in memory, if nothing computes in that.
    pub(crate) stored: Option<Stored>,
    /// Of a slice, how many numbers each of its elements has along each axis, if they are arrays or structures.
    pub(crate) rows: Shape,
    /// Of a slice of structures, what each element is.
    pub(crate) structure: Option<Parts<Type>>,
    /// Whether `keep` names it.
    pub(crate) kept: bool,
    pub(crate) mutable: bool,
    pub(crate) class: Class,
    /// The divergent constructs it was declared in.
    pub(crate) path: Vec<usize>,
    /// Why it is not uniform, if it could have been.
    pub(crate) diverges: Option<Span>,
}

impl Variable {
    /// As it is written where it is used.
    pub(crate) fn shown(&self) -> String {
        format!("{}{}", self.name, self.part)
    }
}

impl Kind {
    /// The axis along which the launch supplies it.
    pub(crate) fn axis(&self) -> Option<usize> {
        match self {
            Self::Index(index) => Some(index.axis),
            Self::Dim(dim) => Some(dim.axis),
            _ => None,
        }
    }

    /// Whether the launch supplies it.
    pub(crate) fn is_supplied(&self) -> bool {
        self.axis().is_some()
    }

    /// The name of its type in a signature, if the launch supplies it: `ThreadX`, `BlockDimX`.
    pub(crate) fn supplied_type(&self) -> Option<String> {
        let (of, axis) = match self {
            Self::Index(Index { of: IndexOf::Thread, axis }) => ("Thread", axis),
            Self::Index(Index { of: IndexOf::Local, axis }) => ("Local", axis),
            Self::Index(Index { of: IndexOf::Block, axis }) => ("Block", axis),
            Self::Dim(Dim { of: DimOf::Grid, axis }) => ("Threads", axis),
            Self::Dim(Dim { of: DimOf::Block, axis }) => ("BlockDim", axis),
            _ => return None,
        };
        Some(format!("{of}{}", ["X", "Y", "Z"][*axis]))
    }

    /// What the launch supplies for a type of this name.
    pub(crate) fn of_supplied_type(name: &str) -> Option<Self> {
        let indices = [IndexOf::Thread, IndexOf::Local, IndexOf::Block];
        let of_axis = |axis| {
            let dims = [DimOf::Grid, DimOf::Block].map(|of| Self::Dim(Dim { of, axis }));
            indices.map(|of| Self::Index(Index { of, axis })).into_iter().chain(dims)
        };
        (0..3).flat_map(of_axis).find(|kind| kind.supplied_type().as_deref() == Some(name))
    }

    /// Whether threads read elements of it that others may have written.
    pub(crate) const fn is_written(&self) -> bool {
        matches!(self, Self::Out | Self::Shared(_))
    }
}

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An index that the launch supplies.
    Index(Index),
    /// A number of threads that the launch supplies.
    Dim(Dim),
    Scalar,
    /// A shared input, `&[T]`.
    In,
    /// An output, `&mut [T]`.
    Out,
    Local,
    /// A local array of this shape.
    Array(Shape),
    /// An array of this shape that the threads of a block share.
    Shared(Shape),
    /// What a `for` counts.
    Counter,
}

/// How many elements an array has along each axis, as it is written, the outermost first.
///
/// In memory it is one array, whose rows follow each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape(pub(crate) Vec<TokenStream>);

impl Shape {
    /// How many elements there are.
    pub(crate) fn elements(&self) -> TokenStream {
        let product = self.0.iter().cloned().reduce(|a, b| quote!((#a) * (#b)));
        product.expect("an array has an axis")
    }

    /// An array of one element of this shape's.
    pub(crate) fn array(&self, element: TokenStream) -> TokenStream {
        self.0.iter().rev().fold(element, |of, length| quote!([#of; { #length }]))
    }

    /// An array of one element of this shape's, as Rust writes its type.
    pub(crate) fn of(&self, element: &str) -> String {
        self.0.iter().rev().fold(element.to_owned(), |of, length| format!("[{of}; {length}]"))
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Shape {}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, length) in self.0.iter().enumerate() {
            write!(f, "{}{length}", if i == 0 { "" } else { " × " })?;
        }
        Ok(())
    }
}

/// Which index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) of: IndexOf,
    /// 0 is x.
    pub(crate) axis: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexOf {
    /// In the grid.
    Thread,
    /// In the block.
    Local,
    /// Of the block.
    Block,
}

/// Which number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dim {
    pub(crate) of: DimOf,
    /// 0 is x.
    pub(crate) axis: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DimOf {
    /// Of the grid.
    Grid,
    /// Of a block, unless it is the last.
    Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    pub(crate) tail: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    /// Of an assignment, where it names what it assigns to.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    /// `let v = init;`
    Let(Id, Expr),
    /// `let (a, b) = f(x, y);` of a `#[ptx_fn]` with several results.
    LetCall {
        to: Parts<Id>,
        function: TokenStream,
        arguments: Vec<Parts<Expr>>,
    },
    /// `v = value;`, possibly for some threads only; a compound assignment is written out.
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
    /// `slice[index] = value;`, where what follows the slice's name is `text`.
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
        /// Of `.step_by(step)`.
        step: Option<Expr>,
        count: Count,
        body: Loop,
    },
    While(Option<Expr>, Loop),
    Break(Jump),
    Continue(Jump),
    /// Whether for some threads only, as in the others.
    Return(Option<Expr>, bool),
    Block(Block),
    /// `sync_threads()`
    Sync,
    /// `atomic_add(&mut slice[index], value)` and its like
    Atomic(Box<Atomic>),
    /// `let v = sync_threads_or(value);` and its like
    Vote(Id, Vote, Expr),
}

/// What a barrier finds out of the truth values that the threads of a block bring to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    Or,
    And,
    Count,
}

impl Vote {
    pub(crate) const ALL: [Self; 3] = [Self::Or, Self::And, Self::Count];

    /// The one that a kernel calls by this name, which is the library's, too.
    pub(crate) fn of(called: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vote| vote.called() == called)
    }

    /// As it is written.
    pub(crate) const fn called(self) -> &'static str {
        match self {
            Self::Or => "sync_threads_or",
            Self::And => "sync_threads_and",
            Self::Count => "sync_threads_count",
        }
    }

    /// The type of its result.
    pub(crate) const fn returns(self) -> Type {
        match self {
            Self::Or | Self::And => Type::Bool,
            Self::Count => Type::U32,
        }
    }
}

/// A change of an element that other threads may change at the same time.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub(crate) op: AtomicOp,
    pub(crate) slice: Id,
    pub(crate) index: Expr,
    /// What follows the slice's name.
    pub(crate) text: String,
    /// Of `atomic_cas`, what the element has to be.
    pub(crate) expected: Option<Expr>,
    pub(crate) value: Expr,
    /// The variable that holds what the element was, if that is asked for.
    pub(crate) old: Option<Id>,
    /// Whether it stands in `unsafe`.
    pub(crate) promised: bool,
}

/// What becomes of the element; its name is the variant of the library's `AtomicOp`, but for `atomic_cas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
}

impl AtomicOp {
    const ALL: [Self; 9] = [
        Self::Add,
        Self::Sub,
        Self::Min,
        Self::Max,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Exchange,
        Self::CompareExchange,
    ];

    /// The one that a kernel calls by this name.
    pub(crate) fn of(called: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.called() == called)
    }

    /// The one that does what an operation does.
    pub(crate) const fn of_binary(op: Binary) -> Option<Self> {
        Some(match op {
            Binary::Add => Self::Add,
            Binary::Sub => Self::Sub,
            Binary::Min => Self::Min,
            Binary::Max => Self::Max,
            Binary::And => Self::And,
            Binary::Or => Self::Or,
            Binary::Xor => Self::Xor,
            _ => return None,
        })
    }

    /// All of them, as they are written.
    pub(crate) fn all_called() -> String {
        Self::ALL.map(|op| format!("`{}`", op.called())).join(", ")
    }

    /// As it is written.
    pub(crate) const fn called(self) -> &'static str {
        match self {
            Self::Add => "atomic_add",
            Self::Sub => "atomic_sub",
            Self::Min => "atomic_min",
            Self::Max => "atomic_max",
            Self::And => "atomic_and",
            Self::Or => "atomic_or",
            Self::Xor => "atomic_xor",
            Self::Exchange => "atomic_exch",
            Self::CompareExchange => "atomic_cas",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Add => "Add",
            Self::Sub => "Sub",
            Self::Min => "Min",
            Self::Max => "Max",
            Self::And => "And",
            Self::Or => "Or",
            Self::Xor => "Xor",
            Self::Exchange => "Exchange",
            Self::CompareExchange => "CompareExchange",
        }
    }

    /// What any number of threads may do to an element in any order, with the same result: the same as themselves, and a difference
    /// is a sum. `None` if the order tells.
    pub(crate) const fn in_any_order(self) -> Option<Self> {
        match self {
            Self::Add | Self::Sub => Some(Self::Add),
            Self::Min | Self::Max | Self::And | Self::Or | Self::Xor => Some(self),
            Self::Exchange | Self::CompareExchange => None,
        }
    }
}

/// How a `for` counts from one bound to the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    /// Whether the upper bound is counted, too.
    pub(crate) inclusive: bool,
    /// Whether the counter goes down, as `.rev()` asks.
    pub(crate) reversed: bool,
}

/// A jump to the end or to the next round of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    /// The loop's number.
    pub(crate) to: usize,
    /// The loop's label, if it is named.
    pub(crate) label: Option<TokenStream>,
    /// Whether it is for some threads only.
    pub(crate) masked: bool,
}

/// The body of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) label: Option<TokenStream>,
    pub(crate) body: Block,
    /// Its number as a divergent construct.
    pub(crate) id: usize,
    /// Whether threads leave it, or go to its next round, one by one.
    pub(crate) divergent: bool,
    /// The path of its body.
    pub(crate) path: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    /// Of a variable or an element of one, its name's.
    pub(crate) span: Span,
    pub(crate) ty: TypeVar,
    pub(crate) class: Class,
    pub(crate) precision: Precision,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Variable(Id),
    Float(String),
    Int(String),
    Bool(bool),
    /// A constant's path or a `const` block.
    Constant(TokenStream),
    /// `WEIGHTS[index]` of a constant array's path, with an index for each axis.
    ConstantElement(TokenStream, Vec<Expr>),
    /// `f32::INFINITY` and its like, of whatever the element type is.
    Limit(Ident),
    /// `-a` of an integer, `!a`
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// A function of one float; its name is the variant of `Op1`.
    Float1(&'static str, Box<Expr>),
    /// A function of one integer, in its type; its name is the variant of `IntOp1`.
    Int1(&'static str, Box<Expr>),
    /// Arithmetic of two floats or integers; of two `bool`s, `&`, `|` and `^`, which compute both.
    Binary(Binary, Box<Expr>, Box<Expr>),
    MulAdd(Box<[Expr; 3]>),
    /// `a.clamp(least, most)` of floats or integers
    Clamp(Box<[Expr; 3]>),
    /// `a.powi(exponent)`
    Power(Box<Expr>, i32),
    /// `a.is_nan()` and its like, by the method's name.
    Test(&'static str, Box<Expr>),
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `&&`, or else `||`, which compute the second if the first leaves it open
    Logic {
        and: bool,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    /// `a as T`, where `T` is the type of the expression.
    Cast(Box<Expr>),
    /// `cvt_rn(a)`
    Narrow(Box<Expr>),
    /// An element in f32; made by the macro.
    Widen(Box<Expr>),
    /// `slice[index]`, where what follows the slice's name is `text`.
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
    /// The place of an element in rows that follow each other.
    Row(Box<Row>),
    /// An input as a whole, which a function is called with.
    Slice(Id),
    /// `f(a, b)` of a `#[ptx_fn]`.
    Call(TokenStream, Vec<Parts<Expr>>),
    /// What a variable holds that is assigned to before it is read; in the parser, a value that was refused, too.
    Unset,
    If(Box<Expr>, Block, Block),
    Block(Block),
}

/// `row * width + column`, where the column has to be in the row: places of different rows or columns are different places.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) row: Expr,
    /// How many rows there are, if the array says so; else as many as can be counted.
    pub(crate) rows: Option<Expr>,
    /// The same for all threads.
    pub(crate) width: Expr,
    pub(crate) column: Expr,
}

/// Why a thread may access an element of what others write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// No reason is known.
    None,
    /// It is the thread's own, as `own` found.
    Own,
    /// The kernel promises it, in `unsafe`.
    Promised,
}

/// An operation of floats or integers; its name is the variant of `Op2` or `IntOp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
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
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Add => "Add",
            Self::Sub => "Sub",
            Self::Mul => "Mul",
            Self::Div => "Div",
            Self::Rem => "Rem",
            Self::DivEuclid => "DivEuclid",
            Self::RemEuclid => "RemEuclid",
            Self::DivCeil => "DivCeil",
            Self::And => "And",
            Self::Or => "Or",
            Self::Xor => "Xor",
            Self::Shl => "Shl",
            Self::Shr => "Shr",
            Self::Min => "Min",
            Self::Max => "Max",
            Self::CopySign => "CopySign",
            Self::Atan2 => "Atan2",
            Self::Powf => "Powf",
            Self::Hypot => "Hypot",
            Self::AbsDiff => "AbsDiff",
            Self::SaturatingAdd => "SaturatingAdd",
            Self::SaturatingSub => "SaturatingSub",
            Self::Pow => "Pow",
            Self::RotateLeft => "RotateLeft",
            Self::RotateRight => "RotateRight",
        }
    }

    /// As it is written.
    pub(crate) const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::DivEuclid => "div_euclid",
            Self::RemEuclid => "rem_euclid",
            Self::DivCeil => "div_ceil",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Min => "min",
            Self::Max => "max",
            Self::CopySign => "copysign",
            Self::Atan2 => "atan2",
            Self::Powf => "powf",
            Self::Hypot => "hypot",
            Self::AbsDiff => "abs_diff",
            Self::SaturatingAdd => "saturating_add",
            Self::SaturatingSub => "saturating_sub",
            Self::Pow => "pow",
            Self::RotateLeft => "rotate_left",
            Self::RotateRight => "rotate_right",
        }
    }

    /// Whether it divides.
    pub(crate) const fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Rem | Self::DivEuclid | Self::RemEuclid | Self::DivCeil)
    }

    /// Whether floats have it.
    pub(crate) const fn of_floats(self) -> bool {
        matches!(self, Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Min | Self::Max) || self.of_floats_only()
    }

    /// Whether integers have it not.
    pub(crate) const fn of_floats_only(self) -> bool {
        matches!(self, Self::CopySign | Self::Atan2 | Self::Powf | Self::Hypot)
    }
}

/// A kernel, or a function of kernels.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// `pub`, or whatever stands there.
    pub(crate) visibility: TokenStream,
    pub(crate) attributes: Attributes,
    pub(crate) name: Ident,
    pub(crate) variables: Vec<Variable>,
    /// The parameters among the variables, in order.
    pub(crate) parameters: Vec<Parts<Id>>,
    /// Whether it has barriers.
    pub(crate) synchronizes: bool,
    /// Where it says `unsafe`.
    pub(crate) unsafes: Vec<Span>,
    /// The functions that became a part of it, where they are called.
    pub(crate) inlined: Vec<Ident>,
    /// Literals that are others in the element type.
    pub(crate) lost: Vec<Lost>,
    /// Of a function; a kernel has none, and neither has a function with several.
    pub(crate) result: Type,
    /// Of a function with several results, the variables that hold them when it ends.
    pub(crate) results: Option<Parts<Id>>,
    pub(crate) body: Block,
}

impl Kernel {
    /// Whether kernels call it.
    pub(crate) fn is_function(&self) -> bool {
        self.result != Type::Unit || self.results.is_some()
    }

    /// All parameters, and the parts of those that have some, in order.
    pub(crate) fn all_parameters(&self) -> impl Iterator<Item = Id> {
        self.parameters.iter().flat_map(Parts::leaves).copied()
    }

    /// The axes along which threads have indices.
    pub(crate) fn axes(&self) -> usize {
        self.all_parameters().filter_map(|id| self.variables[id].kind.axis()).max().unwrap_or(0) + 1
    }

    /// Whether the variable holds a result of this function.
    pub(crate) fn is_result(&self, id: Id) -> bool {
        self.results.as_ref().is_some_and(|results| results.leaves().contains(&&id))
    }
}
