//! Lowers `wgmma`, the products of four warps.

use ptxf::matrix::Element;
use ptxf_text::{Class, Error, Number, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Factor, Group, Matrix, Op, Wide};
use crate::exec::Bank;

impl Lowering<'_> {
    /// Lowers an instruction of `wgmma`. Returns `false` for another instruction.
    pub(crate) fn wgmma(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let group = match *parts.words {
            [_, "fence", "sync", "aligned"] => Group::Fence,
            [_, "commit_group", "sync", "aligned"] => Group::Commit,
            [_, "wait_group", "sync", "aligned"] => {
                self.count(parts, 1)?;
                Group::Wait(self.integer(&parts.operands[0], 0..=i64::from(u32::MAX))?.unsigned_abs())
            }
            [_, "mma_async", ..] => return self.wide(parts),
            _ => return Ok(false),
        };
        if !matches!(group, Group::Wait(_)) {
            self.count(parts, 0)?;
        }
        self.push(Op::Matrix(Box::new(Matrix::Group(group))));
        Ok(true)
    }

    fn wide(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (instruction, unit) = self.product(parts)?;
        let from_registers = matches!(parts.operands.get(1).map(|a| &a.kind), Some(OperandKind::Vector(_)));
        let (has_signs, transposes) = match instruction.formats()[0] {
            Element::F16 | Element::Bf16 => (true, 2 - usize::from(from_registers)),
            Element::Tf32 | Element::E4m3 | Element::E5m2 => (true, 0),
            _ => (false, 0),
        };
        let first = if instruction.metadata().is_some() { 5 } else { 3 };
        self.count(parts, first + 1 + 2 * usize::from(has_signs) + transposes)?;
        let sparse = self.metadata(&instruction, &parts.operands[3..])?;
        let keeps = self.truth(&parts.operands[first])?;
        let mut negates = [false; 2];
        if has_signs {
            for (negates, operand) in negates.iter_mut().zip(&parts.operands[first + 1..]) {
                *negates = match self.integer(operand, -1..=1)? {
                    0 => return Err(self.error(operand.at, "1 or -1 is expected, which A or B is multiplied by")),
                    sign => sign < 0,
                };
            }
        }
        let transposed = parts.operands[parts.operands.len() - transposes..].iter();
        let mut transposed =
            transposed.map(|operand| Ok(self.integer(operand, 0..=1)? == 1)).collect::<Result<Vec<_>, Error>>()?;
        let b_transposed = transposed.pop().unwrap_or_default();
        let a_transposed = transposed.pop().unwrap_or_default();
        let a = if from_registers {
            Factor::Registers(self.fragment(&parts.operands[1], &instruction.a(), false)?)
        } else {
            self.descriptor(&parts.operands[1], a_transposed)?
        };
        let b = self.descriptor(&parts.operands[2], b_transposed)?;
        let d = self.fragment(&parts.operands[0], &instruction.d(), true)?;
        let wide = Wide { unit, instruction, a, b, d, sparse, keeps, negates };
        self.push(Op::Matrix(Box::new(Matrix::Wide(Box::new(wide)))));
        Ok(true)
    }

    fn descriptor(&mut self, operand: &Operand, transposed: bool) -> Result<Factor, Error> {
        let descriptor = self.source(operand, Bank::B64, Ty { class: Class::Bits, bits: 64 })?;
        Ok(Factor::Shared { descriptor, transposed })
    }

    /// Returns a number of the text in this range.
    fn integer(&self, operand: &Operand, range: std::ops::RangeInclusive<i64>) -> Result<i64, Error> {
        match operand.kind {
            OperandKind::Number(Number::Int(number)) if range.contains(&number.cast_signed()) => {
                Ok(number.cast_signed())
            }
            _ => Err(self.error(operand.at, format!("a number from {} to {} is expected", range.start(), range.end()))),
        }
    }
}
