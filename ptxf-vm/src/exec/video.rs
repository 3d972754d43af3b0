//! Video instructions (manual 9.7.15) and `cvt.pack`: on parts of a word, one lane at a time.

use super::registers::lanes;
use super::{Mask, Reg, Registers};

/// An arithmetic operation on parts of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    AbsDiff,
    Min,
    Max,
    Average,
    Shl { wraps: bool },
    Shr { wraps: bool },
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Operation {
    fn of(self, a: i64, b: i64) -> i64 {
        let count = |wraps: bool| if wraps { b & 31 } else { b.clamp(0, 32) };
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::AbsDiff => (a - b).abs(),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Average => (a + b + i64::from(a + b >= 0)) >> 1,
            Self::Shl { wraps } => a << count(wraps),
            Self::Shr { wraps } => a >> count(wraps),
            Self::Less => (a < b).into(),
            Self::LessOrEqual => (a <= b).into(),
            Self::Equal => (a == b).into(),
            Self::NotEqual => (a != b).into(),
            Self::GreaterOrEqual => (a >= b).into(),
            Self::Greater => (a > b).into(),
        }
    }
}

/// A part of a word: its position and width in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) at: u32,
    pub(crate) bits: u32,
}

impl Part {
    pub(crate) const WHOLE: Self = Self { at: 0, bits: 32 };

    fn get(self, word: u64, signed: bool) -> i64 {
        let unused = 64 - self.bits;
        let up = word >> self.at << unused;
        if signed { up.cast_signed() >> unused } else { (up >> unused).cast_signed() }
    }

    /// Replaces the part of a word by the lower bits of a value.
    fn put(self, word: u64, value: i64) -> u64 {
        let ones = u64::MAX >> (64 - self.bits) << self.at;
        word & !ones | value.cast_unsigned() << self.at & ones
    }

    fn clamp(self, value: i64, signed: bool) -> i64 {
        let most = if signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 };
        value.clamp(if signed { -most - 1 } else { 0 }, most)
    }
}

/// The use of the last operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Second {
    /// There is none.
    Nothing,
    Add,
    Min,
    Max,
    /// The results replace parts of it.
    Merge,
}

/// An instruction on parts of `a` and `b`.
#[derive(Clone, Debug)]
pub(crate) struct Video {
    pub(crate) operation: Operation,
    /// `true` if the result, `a` and `b` are signed.
    pub(crate) signed: [bool; 3],
    pub(crate) saturates: bool,
    pub(crate) second: Second,
    /// The parts of the result, of `b:a` for `a`, and of `b:a` for `b`.
    pub(crate) parts: Vec<[Part; 3]>,
}

impl Video {
    fn of(&self, a: u64, b: u64, c: u64) -> u64 {
        let both = b << 32 | a & 0xffff_ffff;
        let mut d = if self.second == Second::Nothing { 0 } else { c };
        for [to, x, y] in &self.parts {
            let value = self.operation.of(x.get(both, self.signed[1]), y.get(both, self.signed[2]));
            let value = if self.saturates { to.clamp(value, self.signed[0]) } else { value };
            let whole = Part::WHOLE;
            let [value32, d32] = [value.cast_unsigned(), d].map(|x| whole.get(x, self.signed[0]));
            d = match self.second {
                Second::Nothing | Second::Merge => to.put(d, value),
                Second::Add => whole.put(0, d.cast_signed().wrapping_add(value)),
                Second::Min => whole.put(0, value32.min(d32)),
                Second::Max => whole.put(0, value32.max(d32)),
            };
        }
        d
    }
}

/// `cvt.pack.sat` of two integers with sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pack {
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl Pack {
    fn of(self, a: u64, b: u64, c: u64) -> u64 {
        let part = |at| Part { at, bits: self.bits };
        let value = |x| part(0).clamp(Part::WHOLE.get(x, true), self.signed);
        let rest = if self.bits == 16 { 0 } else { c << (2 * self.bits) & 0xffff_ffff };
        part(self.bits).put(part(0).put(rest, value(b)), value(a))
    }
}

/// A function of a lane.
#[derive(Clone, Debug)]
pub(crate) enum Function {
    Video(Video),
    Pack(Pack),
}

/// An instruction on `a`, `b` and `c`.
#[derive(Clone, Debug)]
pub(crate) struct OnParts {
    pub(crate) function: Function,
    pub(crate) result: Reg,
    pub(crate) operands: [Reg; 3],
}

impl OnParts {
    pub(crate) fn run(&self, registers: &mut Registers, mask: Mask) {
        for lane in lanes(mask) {
            let [a, b, c] = self.operands.map(|reg| registers.get(reg, lane));
            let value = match &self.function {
                Function::Video(video) => video.of(a, b, c),
                Function::Pack(pack) => pack.of(a, b, c),
            };
            registers.set(self.result, lane, value);
        }
    }
}
