//! Lowers instructions that only help a device: hints about caches, registers and time, and cache
//! policies.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Op, Space};
use crate::exec::{Bank, Kind, moves};

impl Lowering<'_> {
    /// Lowers an instruction without a result and without an effect.
    pub(crate) fn hint(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        for operand in parts.operands {
            self.named(operand)?;
        }
        self.push(Op::Nothing);
        Ok(true)
    }

    /// Lowers `createpolicy`. Nothing is cached, so that all policies are equal.
    pub(crate) fn policy(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let [result, rest @ ..] = parts.operands else { return self.count(parts, 2).map(|()| true) };
        for operand in rest {
            self.named(operand)?;
        }
        let (result, none) = (self.result(result, Bank::B64)?, self.constant(Bank::B64, 0));
        self.lanes(moves::of(Bank::B64), [result.at, none.at, 0, 0, 0], &[Kind::B64], &[Kind::B64]);
        Ok(true)
    }

    /// Checks the names of an operand.
    fn named(&mut self, operand: &Operand) -> Result<(), Error> {
        match operand.kind {
            OperandKind::Number(_) => Ok(()),
            OperandKind::Address { .. } => self.located(operand, Space::Generic).map(|_| ()),
            _ => self.any_source(operand, Bank::B32, Ty { class: Class::Bits, bits: 32 }).map(|_| ()),
        }
    }
}
