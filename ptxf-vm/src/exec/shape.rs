//! Kinds of operands of an operation on registers.

use super::{Bank, Run};

/// A kind of slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    B16,
    B32,
    B64,
    Predicate,
}

impl From<Option<Bank>> for Kind {
    /// Converts a width; `None` is a predicate.
    fn from(bank: Option<Bank>) -> Self {
        match bank {
            Some(Bank::B16) => Self::B16,
            Some(Bank::B32) => Self::B32,
            Some(Bank::B64) => Self::B64,
            None => Self::Predicate,
        }
    }
}

impl Kind {
    /// Returns the width of the register. Returns `None` for a predicate.
    pub(crate) const fn bank(self) -> Option<Bank> {
        match self {
            Self::B16 => Some(Bank::B16),
            Self::B32 => Some(Bank::B32),
            Self::B64 => Some(Bank::B64),
            Self::Predicate => None,
        }
    }
}

/// The kinds of the slots of an instruction, its results first, packed into two bytes to keep
/// instructions small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout(u16);

impl Layout {
    /// Makes the kinds of at most five results and operands.
    pub(crate) fn new(results: &[Kind], operands: &[Kind]) -> Self {
        let kinds = results.iter().chain(operands).zip(0..).fold(0, |all, (kind, i)| all | (*kind as u16) << (2 * i));
        Self(kinds | (results.len() as u16) << 10 | ((results.len() + operands.len()) as u16) << 12)
    }

    /// Returns the number of results.
    pub(crate) const fn results(self) -> usize {
        (self.0 >> 10 & 3) as usize
    }

    /// Returns the kind of each used slot.
    pub(crate) fn kinds(self) -> impl Iterator<Item = Kind> {
        const KINDS: [Kind; 4] = [Kind::B16, Kind::B32, Kind::B64, Kind::Predicate];
        (0..self.0 >> 12 & 7).map(move |i| KINDS[(self.0 >> (2 * i) & 3) as usize])
    }

    /// Returns the same kinds for an instruction whose result is one of its operands, unchanged.
    pub(crate) const fn handing_on(self) -> Self {
        Self(self.0 | 1 << 15)
    }

    /// Returns `true` if the result is one of the operands, unchanged.
    pub(crate) const fn hands_on(self) -> bool {
        self.0 >> 15 != 0
    }
}

/// A width of an operand, relative to the instruction's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// The width of the type.
    Same,
    /// Twice the width of the type.
    Wide,
    /// 32 bits, for counts and positions.
    B32,
    /// A predicate.
    Predicate,
}

impl Width {
    /// Returns the width of the register for a type of `bits` bits. Returns `None` for a predicate.
    pub(crate) const fn bank(self, bits: u32) -> Option<Bank> {
        match self {
            Self::Same => Bank::of(bits),
            Self::Wide => Bank::of(2 * bits),
            Self::B32 => Some(Bank::B32),
            Self::Predicate => None,
        }
    }
}

/// A function that computes an instruction, and its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) run: Run,
    pub(crate) result: Width,
    pub(crate) operands: &'static [Width],
}
