//! Votes, atomic operations, and operations of two operands.

use super::super::scalar_type::Type;
use super::{Expr, Id};

/// A vote: what a barrier computes from the `bool`s of all threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    Or,
    And,
    Count,
}

impl Vote {
    pub(crate) const ALL: [Self; 3] = [Self::Or, Self::And, Self::Count];

    /// Returns the vote with this name in kernels and in the library.
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

    /// Returns the type of the result.
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
    /// The index as it is written.
    pub(crate) text: String,
    /// The expected old value of `atomic_cas`.
    pub(crate) expected: Option<Expr>,
    pub(crate) value: Expr,
    /// The variable for the old value, if the kernel uses it.
    pub(crate) old: Option<Id>,
    /// `true` if the operation stands in `unsafe`.
    pub(crate) promised: bool,
}

/// An atomic operation, as a variant of the library's `AtomicOp`, or `atomic_cas`.
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

    /// Returns the operation with this name in kernels.
    pub(crate) fn of(called: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.called() == called)
    }

    /// Returns the atomic operation that computes the same as `op`.
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

    /// Returns the names of all operations in kernels, for messages.
    pub(crate) fn all_called() -> String {
        Self::ALL.map(|op| format!("`{}`", op.called())).join(", ")
    }

    /// Returns the name in kernels.
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

    /// Returns the operation whose threads may come in any order with the same result. A difference
    /// counts as a sum. `None` if the order changes the result.
    pub(crate) const fn in_any_order(self) -> Option<Self> {
        match self {
            Self::Add | Self::Sub => Some(Self::Add),
            Self::Min | Self::Max | Self::And | Self::Or | Self::Xor => Some(self),
            Self::Exchange | Self::CompareExchange => None,
        }
    }
}

/// An operation of two floats or two integers, as a variant of `Op2` or `IntOp`.
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

    /// Returns the name in kernels.
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

    /// Returns `true` for divisions and remainders.
    pub(crate) const fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Rem | Self::DivEuclid | Self::RemEuclid | Self::DivCeil)
    }

    /// Returns `true` if floats have the operation.
    pub(crate) const fn of_floats(self) -> bool {
        matches!(self, Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Min | Self::Max) || self.of_floats_only()
    }

    /// Returns `true` if only floats have the operation.
    pub(crate) const fn of_floats_only(self) -> bool {
        matches!(self, Self::CopySign | Self::Atan2 | Self::Powf | Self::Hypot)
    }
}
