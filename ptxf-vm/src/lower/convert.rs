//! Lowers `cvt` between integers.

use ptxf_text::{Class, Error, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::Op;
use crate::exec::convert::Conversion;
use crate::exec::{Bank, Kind};

impl Lowering<'_> {
    /// Lowers a conversion between integers. Returns `false` for another instruction.
    pub(crate) fn convert(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (saturated, to, from) = match *parts.words {
            [_, "sat", to, from] => (true, to, from),
            [_, to, from] => (false, to, from),
            _ => return Ok(false),
        };
        let integer =
            |word| Ty::named(word).filter(|t| matches!(t.class, Class::Unsigned | Class::Signed) && t.bits <= 64);
        let (Some(to), Some(from)) = (integer(to), integer(from)) else { return Ok(false) };
        self.count(parts, 2)?;
        let (Some(to_bank), Some(from_bank)) = (Bank::of(to.bits), Bank::of(from.bits)) else { return Ok(false) };
        let operand = self.any_source(&parts.operands[1], from_bank, from)?;
        let operand =
            if operand.bank.bits() < from.bits { self.source(&parts.operands[1], from_bank, from)? } else { operand };
        let result = match self.any_result(&parts.operands[0])? {
            Some(reg) if reg.bank.bits() >= to.bits => reg,
            _ => self.result(&parts.operands[0], to_bank)?,
        };
        let conversion = Conversion { from, to, saturated, result, operand };
        match conversion.whole() {
            Some(run) => {
                let [to, from] = [result, operand].map(|reg| Kind::from(Some(reg.bank)));
                self.lanes(run, [result.at, operand.at, 0, 0, 0], &[to], &[from]);
            }
            None => self.push(Op::Convert(Box::new(conversion))),
        }
        Ok(true)
    }
}
