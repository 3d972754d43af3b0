//! `cvt` between integers (manual 9.7.9.21). The table of forms has floating point.

use ptxf_text::{Class, Ty};

use super::registers::{Mask, Registers, Run, Slots, Word, lanes};
use super::{Bank, Reg};

/// Extends the lower bits of a register to 64 bits, with the sign of a signed type.
pub(crate) const fn extended(x: u64, ty: Ty) -> u64 {
    let unused = 64 - ty.bits;
    match ty.class {
        Class::Signed => (x.cast_signed() << unused >> unused).cast_unsigned(),
        _ => x << unused >> unused,
    }
}

/// Converts a value to another type: truncates it, or saturates it for `.sat`.
pub(crate) fn converted(x: u64, from: Ty, to: Ty, saturated: bool) -> u64 {
    let x = extended(x, from);
    if !saturated {
        return extended(x, to);
    }
    let value = if from.class == Class::Signed { i128::from(x.cast_signed()) } else { i128::from(x) };
    let (low, high) = match to.class {
        Class::Signed => (-(1_i128 << (to.bits - 1)), (1_i128 << (to.bits - 1)) - 1),
        _ => (0, (1_i128 << to.bits) - 1),
    };
    value.clamp(low, high) as u64
}

/// A conversion that saturates, or whose registers are wider than its types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    pub(crate) from: Ty,
    pub(crate) to: Ty,
    pub(crate) saturated: bool,
    pub(crate) result: Reg,
    pub(crate) operand: Reg,
}

impl Conversion {
    pub(crate) fn run(&self, registers: &mut Registers, mask: Mask) {
        for lane in lanes(mask) {
            let x = registers.get(self.operand, lane);
            registers.set(self.result, lane, converted(x, self.from, self.to, self.saturated));
        }
    }

    /// Returns an equal function on whole registers. Returns `None` if a register is wider than its
    /// type or the conversion saturates.
    pub(crate) const fn whole(&self) -> Option<Run> {
        let signed = matches!(self.from.class, Class::Signed);
        if self.saturated || self.operand.bank.bits() != self.from.bits || self.result.bank.bits() != self.to.bits {
            return None;
        }
        Some(match (self.operand.bank, self.result.bank, signed) {
            (Bank::B16, Bank::B16, _) => resize::<u16, u16, false>,
            (Bank::B16, Bank::B32, false) => resize::<u16, u32, false>,
            (Bank::B16, Bank::B32, true) => resize::<u16, u32, true>,
            (Bank::B16, Bank::B64, false) => resize::<u16, u64, false>,
            (Bank::B16, Bank::B64, true) => resize::<u16, u64, true>,
            (Bank::B32, Bank::B16, _) => resize::<u32, u16, false>,
            (Bank::B32, Bank::B32, _) => resize::<u32, u32, false>,
            (Bank::B32, Bank::B64, false) => resize::<u32, u64, false>,
            (Bank::B32, Bank::B64, true) => resize::<u32, u64, true>,
            (Bank::B64, Bank::B16, _) => resize::<u64, u16, false>,
            (Bank::B64, Bank::B32, _) => resize::<u64, u32, false>,
            (Bank::B64, Bank::B64, _) => resize::<u64, u64, false>,
        })
    }
}

fn resize<A: Word, D: Word, const SIGNED: bool>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let a = A::read(registers, s[1]);
    let d = std::array::from_fn(|lane| if SIGNED { D::cut_s(a[lane].s()) } else { D::cut(a[lane].u()) });
    D::write(registers, s[0], mask, &d);
}
