//! What an operation on registers takes and returns.

use super::{Bank, Run};

/// What a slot names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    B16,
    B32,
    B64,
    Predicate,
}

impl From<Option<Bank>> for Kind {
    /// Nothing stands for a predicate.
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
    /// The width of the register; `None` for a predicate.
    pub(crate) const fn bank(self) -> Option<Bank> {
        match self {
            Self::B16 => Some(Bank::B16),
            Self::B32 => Some(Bank::B32),
            Self::B64 => Some(Bank::B64),
            Self::Predicate => None,
        }
    }
}

/// What the slots of an instruction name, its results first. It has two bytes, so that an instruction is not larger for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout(u16);

impl Layout {
    /// Results and operands, of both at most five.
    pub(crate) fn new(results: &[Kind], operands: &[Kind]) -> Self {
        let kinds = results.iter().chain(operands).zip(0..).fold(0, |all, (kind, i)| all | (*kind as u16) << (2 * i));
        Self(kinds | (results.len() as u16) << 10 | ((results.len() + operands.len()) as u16) << 12)
    }

    /// How many of the slots are results.
    pub(crate) const fn results(self) -> usize {
        (self.0 >> 10 & 3) as usize
    }

    /// What each slot that is used names.
    pub(crate) fn kinds(self) -> impl Iterator<Item = Kind> {
        const KINDS: [Kind; 4] = [Kind::B16, Kind::B32, Kind::B64, Kind::Predicate];
        (0..self.0 >> 12 & 7).map(move |i| KINDS[(self.0 >> (2 * i) & 3) as usize])
    }

    /// The same of an instruction whose result is one of its operands as it is.
    pub(crate) const fn handing_on(self) -> Self {
        Self(self.0 | 1 << 15)
    }

    /// Whether its result is one of its operands as it is.
    pub(crate) const fn hands_on(self) -> bool {
        self.0 >> 15 != 0
    }
}

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
