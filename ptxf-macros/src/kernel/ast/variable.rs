//! Variables of a kernel: parameters, `let`s, arrays and counters.

use std::fmt;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::super::memory_format::Stored;
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::{Class, TypeVar};

/// An index into [`Kernel::variables`](super::Kernel::variables).
pub(crate) type Id = usize;

/// A parameter, or a variable of a `let`.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The user's name. For a part the name of the whole.
    pub(crate) name: Ident,
    /// The path to a part, as it is written after the name: `.x`. Empty for a variable without
    /// parts.
    pub(crate) part: String,
    /// The name in the expansion, which nothing else has.
    pub(crate) unique: Ident,
    /// `true` if the macro made the variable, to hold a value that is used twice.
    pub(crate) temporary: bool,
    /// `true` if the precision is that of the assigned values.
    pub(crate) settles: bool,
    /// `true` if the variable holds the result of a function.
    pub(crate) returned: bool,
    pub(crate) kind: Kind,
    pub(crate) ty: TypeVar,
    /// A slice's format in memory, if kernels do not compute in that format.
    pub(crate) stored: Option<Stored>,
    /// For a slice of arrays or structures the number of numbers in an element, along each axis.
    pub(crate) rows: Shape,
    /// For a slice of structures the structure.
    pub(crate) structure: Option<Parts<Type>>,
    /// `true` if `keep` names the variable.
    pub(crate) kept: bool,
    pub(crate) mutable: bool,
    pub(crate) class: Class,
    /// The divergent constructs around the declaration.
    pub(crate) path: Vec<usize>,
    /// The place of the assignment that makes the variable differ between threads.
    pub(crate) diverges: Option<Span>,
}

impl Variable {
    /// Returns the variable as it is written where it is used.
    pub(crate) fn shown(&self) -> String {
        format!("{}{}", self.name, self.part)
    }
}

impl Kind {
    /// Returns the axis of a parameter that the launch supplies: 0 for x.
    pub(crate) fn axis(&self) -> Option<usize> {
        match self {
            Self::Index(index) => Some(index.axis),
            Self::Dim(dim) => Some(dim.axis),
            _ => None,
        }
    }

    /// Returns `true` if the launch supplies the parameter.
    pub(crate) fn is_supplied(&self) -> bool {
        self.axis().is_some()
    }

    /// Returns the type of a parameter that the launch supplies, as in `ThreadX` or `BlockDimX`.
    /// `None` for any other variable.
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

    /// Returns the parameter that the launch supplies for a type with this name.
    pub(crate) fn of_supplied_type(name: &str) -> Option<Self> {
        let indices = [IndexOf::Thread, IndexOf::Local, IndexOf::Block];
        let of_axis = |axis| {
            let dims = [DimOf::Grid, DimOf::Block].map(|of| Self::Dim(Dim { of, axis }));
            indices.map(|of| Self::Index(Index { of, axis })).into_iter().chain(dims)
        };
        (0..3).flat_map(of_axis).find(|kind| kind.supplied_type().as_deref() == Some(name))
    }

    /// Returns `true` for outputs and shared memory, which threads write.
    pub(crate) const fn is_written(&self) -> bool {
        matches!(self, Self::Out | Self::Shared(_))
    }
}

/// The kind of a variable.
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
    /// The counter of a `for`.
    Counter,
}

/// The lengths of an array along each axis, as they are written, the outermost first.
///
/// In memory the array is one array, whose rows follow each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape(pub(crate) Vec<TokenStream>);

impl Shape {
    /// Returns the number of elements.
    pub(crate) fn elements(&self) -> TokenStream {
        let product = self.0.iter().cloned().reduce(|a, b| quote!((#a) * (#b)));
        product.expect("an array has an axis")
    }

    /// Returns the type of an array of this shape, as tokens.
    pub(crate) fn array(&self, element: TokenStream) -> TokenStream {
        self.0.iter().rev().fold(element, |of, length| quote!([#of; { #length }]))
    }

    /// Returns the type of an array of this shape, as Rust writes it.
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

/// An index that the launch supplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) of: IndexOf,
    /// 0 for x, 1 for y, 2 for z.
    pub(crate) axis: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexOf {
    /// The thread's index in the grid.
    Thread,
    /// The thread's index in its block.
    Local,
    /// The block's index.
    Block,
}

/// A number of threads that the launch supplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dim {
    pub(crate) of: DimOf,
    /// 0 for x, 1 for y, 2 for z.
    pub(crate) axis: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DimOf {
    /// Threads of the grid.
    Grid,
    /// Threads of a block. The last block may have fewer.
    Block,
}
