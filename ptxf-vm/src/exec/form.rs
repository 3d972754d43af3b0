//! The forms of the table: each is computed by the library, in every lane.

use ptxf::spec::{MOST_OPERANDS, Spelling, Type};

use super::Reg;
use super::convert::extended;
use super::registers::{Mask, Registers, lanes};
use crate::ty::{Class, Ty};

/// Where an operand is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Register(Reg),
    /// A predicate; the lowest bit negates it.
    Predicate(u32),
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Destination {
    Register(Reg),
    /// The second one gets bit 1 of the result.
    Predicates(u32, u32),
}

/// A form with its operands.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) spelling: Spelling,
    pub(crate) sources: Vec<Source>,
    pub(crate) destination: Destination,
}

impl Form {
    pub(crate) fn run(&self, registers: &mut Registers, mask: Mask) {
        let count = self.sources.len().min(MOST_OPERANDS);
        let (mut first, mut second) = (0, 0);
        for lane in lanes(mask) {
            let mut operands = [0; MOST_OPERANDS];
            for (operand, source) in operands.iter_mut().zip(&self.sources) {
                *operand = match *source {
                    Source::Register(reg) => registers.get(reg, lane),
                    Source::Predicate(slot) => (registers.truth(slot) >> lane & 1).into(),
                };
            }
            // Lowering has taken a form of so many operands.
            let result = self.spelling.call(&operands[..count]).unwrap_or_default();
            match self.destination {
                Destination::Register(reg) => {
                    let result = integer(self.spelling.form.result).map_or(result, |ty| extended(result, ty));
                    registers.set(reg, lane, result);
                }
                Destination::Predicates(..) => {
                    first |= (result as u32 & 1) << lane;
                    second |= ((result >> 1) as u32 & 1) << lane;
                }
            }
        }
        if let Destination::Predicates(p, q) = self.destination {
            registers.set_truth(p, first, mask);
            registers.set_truth(q, second, mask);
        }
    }
}

/// A type of integers, whose results fill a wider register.
pub(crate) fn integer(ty: Type) -> Option<Ty> {
    let class = match ty {
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => Class::Unsigned,
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => Class::Signed,
        _ => return None,
    };
    Some(Ty { class, bits: ty.bits() })
}
