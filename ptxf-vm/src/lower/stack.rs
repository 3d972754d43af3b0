//! Lowers `alloca`, `stacksave` and `stackrestore`.

use ptxf_text::{Class, Error, Number, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::Op;
use crate::exec::Bank;

const ADDRESS: Ty = Ty { class: Class::Unsigned, bits: 64 };

impl Lowering<'_> {
    /// Lowers an instruction on the local memory of a call. Returns `false` for another
    /// instruction.
    pub(crate) fn stack(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let op = match *parts.words {
            ["alloca", "u64"] => {
                if parts.operands.len() != 3 {
                    self.count(parts, 2)?;
                }
                let align = match parts.operands.get(2).map(|operand| (operand, &operand.kind)) {
                    None => 8,
                    Some((_, OperandKind::Number(Number::Int(align))))
                        if align.is_power_of_two() && *align <= 1 << 16 =>
                    {
                        *align as u32
                    }
                    Some((operand, _)) => {
                        return Err(self.error(operand.at, "an alignment is a power of two up to 65536"));
                    }
                };
                let bytes = self.source(&parts.operands[1], Bank::B64, ADDRESS)?;
                Op::Allocate { address: self.result(&parts.operands[0], Bank::B64)?, bytes, align }
            }
            ["stacksave", "u64"] => {
                self.count(parts, 1)?;
                Op::SaveStack(self.result(&parts.operands[0], Bank::B64)?)
            }
            ["stackrestore", "u64"] => {
                self.count(parts, 1)?;
                Op::RestoreStack(self.source(&parts.operands[0], Bank::B64, ADDRESS)?)
            }
            _ => return Ok(false),
        };
        self.push(op);
        Ok(true)
    }
}
