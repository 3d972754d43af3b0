//! Copies of registers and of parts of registers.

use super::registers::{Mask, Registers, Run, Slots, Word};
use super::{Bank, Reg};

fn copy<W: Word>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let a = W::read(registers, s[1]);
    W::write(registers, s[0], mask, &a);
}

/// Returns `mov` between registers of one width.
pub(crate) const fn of(bank: Bank) -> Run {
    match bank {
        Bank::B16 => copy::<u16>,
        Bank::B32 => copy::<u32>,
        Bank::B64 => copy::<u64>,
    }
}

/// Computes `mov.b32 d, {a, b}`: `a` becomes the lower half.
fn pack<A: Word, D: Word>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let (a, b) = (A::read(registers, s[1]), A::read(registers, s[2]));
    let d = std::array::from_fn(|lane| D::cut(a[lane].u() | b[lane].u() << A::BITS));
    D::write(registers, s[0], mask, &d);
}

/// Computes `mov.b32 {d, e}, a`.
fn unpack<A: Word, D: Word>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let a = A::read(registers, s[2]);
    D::write(registers, s[0], mask, &std::array::from_fn(|lane| D::cut(a[lane].u())));
    D::write(registers, s[1], mask, &std::array::from_fn(|lane| D::cut(a[lane].u() >> D::BITS)));
}

/// Returns the function that joins two registers to one of width `whole`.
pub(crate) const fn two(whole: Bank) -> Option<Run> {
    match whole {
        Bank::B32 => Some(pack::<u16, u32>),
        Bank::B64 => Some(pack::<u32, u64>),
        Bank::B16 => None,
    }
}

/// Returns the function that splits a register of width `whole`.
pub(crate) const fn apart(whole: Bank) -> Option<Run> {
    match whole {
        Bank::B32 => Some(unpack::<u32, u16>),
        Bank::B64 => Some(unpack::<u64, u32>),
        Bank::B16 => None,
    }
}

/// Parts of a register, the lowest first, each of `bits` bits. A part that is left out is not
/// written.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) whole: Reg,
    pub(crate) parts: Vec<Option<Reg>>,
    pub(crate) bits: u32,
}

impl Parts {
    /// Writes the whole register.
    pub(crate) fn join(&self, registers: &mut Registers, mask: Mask) {
        for lane in super::registers::lanes(mask) {
            let part = |(i, part): (usize, &Option<Reg>)| {
                part.map_or(0, |reg| (registers.get(reg, lane) & self.ones()) << (i as u32 * self.bits))
            };
            let value = self.parts.iter().enumerate().map(part).fold(0, |all, part| all | part);
            registers.set(self.whole, lane, value);
        }
    }

    /// Writes the parts.
    pub(crate) fn split(&self, registers: &mut Registers, mask: Mask) {
        for lane in super::registers::lanes(mask) {
            let value = registers.get(self.whole, lane);
            for (i, part) in self.parts.iter().enumerate() {
                if let Some(reg) = part {
                    registers.set(*reg, lane, value >> (i as u32 * self.bits) & self.ones());
                }
            }
        }
    }

    const fn ones(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
}
