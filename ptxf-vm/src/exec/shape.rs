//! What an operation on registers takes and returns.

use super::{Bank, Run};

/// The width of an operand, in terms of the instruction's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// That of the type.
    Same,
    /// Twice that.
    Wide,
    /// 32 bits, whatever the type: counts and positions.
    B32,
    /// A predicate.
    Predicate,
}

impl Width {
    /// Where such operands of a type of so many bits are; `None` for a predicate.
    pub(crate) const fn bank(self, bits: u32) -> Option<Bank> {
        match self {
            Self::Same => Bank::of(bits),
            Self::Wide => Bank::of(2 * bits),
            Self::B32 => Some(Bank::B32),
            Self::Predicate => None,
        }
    }
}

/// What computes an instruction, and on what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) run: Run,
    pub(crate) result: Width,
    pub(crate) operands: &'static [Width],
}
