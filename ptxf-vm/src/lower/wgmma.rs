//! Lowers `wgmma`, the products of four warps.

use ptxf_text::{Class, Error, Number, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::mma::shape;
use super::operand::Parts;
use crate::code::{Factor, Group, Matrix, Op, Wide};
use crate::exec::Bank;
use crate::exec::fragment::{Fragment, Role};
use crate::exec::product::{Format, Formats, Rule, Total};

/// The device that has `wgmma`.
const SM: u32 = 90;

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
            [_, "mma_async", "sync", "aligned", shaped, ref words @ ..] => return self.wide(parts, shaped, words),
            _ => return Ok(false),
        };
        if !matches!(group, Group::Wait(_)) {
            self.count(parts, 0)?;
        }
        self.push(Op::Matrix(Box::new(Matrix::Group(group))));
        Ok(true)
    }

    fn wide(&mut self, parts: Parts<'_, '_>, shaped: &str, words: &[&str]) -> Result<bool, Error> {
        let (rule, words) = match words {
            ["satfinite", rest @ ..] => (Rule::Saturate, rest),
            [rest @ .., "and", "popc"] => (Rule::And, rest),
            _ => (Rule::None, words),
        };
        let (Some([64, n, k]), &[d, a, b]) = (shape(shaped), words) else { return Ok(false) };
        let (Some(a), Some(b), Some(total)) = (Format::named(a), Format::named(b), Total::named(d)) else {
            return Ok(false);
        };
        // A row of A has 32 bytes in every shape.
        let fits = a.bits() == b.bits() && matches!(a.bits(), 1 | 8 | 16 | 32) && k * a.bits() as usize == 256;
        if !fits || n % 8 != 0 || !(8..=256).contains(&n) {
            return Ok(false);
        }
        let sm = self.shape.replacement.matrix.unwrap_or(self.shape.unit.target.sm);
        if sm != SM {
            return Err(
                self.error(parts.span, format!("`wgmma` is an instruction of sm_{SM}a, and the device is sm_{sm}"))
            );
        }
        let (unit, formats) = (self.unit(parts, "a")?, Formats { a, b, total, rule });
        formats.check(unit).map_err(|what| self.error(parts.span, what))?;
        let from_registers = matches!(parts.operands.get(1).map(|a| &a.kind), Some(OperandKind::Vector(_)));
        let (has_signs, transposes) = match a {
            Format::F16 | Format::Bf16 => (true, 2 - usize::from(from_registers)),
            Format::Tf32 | Format::E4m3 | Format::E5m2 => (true, 0),
            _ => (false, 0),
        };
        self.count(parts, 4 + 2 * usize::from(has_signs) + transposes)?;
        let keeps = self.truth(&parts.operands[3])?;
        let mut negates = [false; 2];
        if has_signs {
            for (negates, operand) in negates.iter_mut().zip(&parts.operands[4..]) {
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
        let fragment = |role, columns, bits| Fragment { role, rows: 16, columns, bits };
        let a_factor = if from_registers {
            let fragment = fragment(Role::A, k, a.bits());
            Factor::Registers(fragment, self.fragment(&parts.operands[1], fragment, false, false)?)
        } else {
            self.descriptor(&parts.operands[1], a_transposed)?
        };
        let b_factor = self.descriptor(&parts.operands[2], b_transposed)?;
        let d_as = fragment(Role::C, n, total.bits());
        let d = self.fragment(&parts.operands[0], d_as, false, true)?;
        let wide = Wide { unit, formats, n, k, a: a_factor, b: b_factor, d: (d_as, d), keeps, negates };
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
