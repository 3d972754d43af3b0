//! Lowers `mma`, `mma.sp` and `wmma.mma`. The table of the library has their forms.

use ptxf::matrix::{Fragment, Instruction, Unit};
use ptxf_text::{Class, Error, Number, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Allowed, Matrix, Multiply, Op, Scaled};
use crate::exec::{Bank, Reg};

impl Lowering<'_> {
    /// Lowers a product of matrices.
    pub(crate) fn mma(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (instruction, unit) = self.product(parts)?;
        let metadata = instruction.metadata();
        let more = if metadata.is_some() { 2 } else { 0 } + if instruction.scaled().is_some() { 4 } else { 0 };
        self.count(parts, 4 + more)?;
        let [d, a, b, c] = [0, 1, 2, 3].map(|i| &parts.operands[i]);
        let a = self.fragment(a, &instruction.a(), false)?;
        let b = self.fragment(b, &instruction.b(), false)?;
        let c = self.fragment(c, &instruction.c(), false)?;
        let d = self.fragment(d, &instruction.d(), true)?;
        let sparse = self.metadata(&instruction, &parts.operands[4..])?;
        let scales = match instruction.scaled() {
            None => None,
            Some(products) => {
                // The scales of a row or a column are adjacent bytes.
                let bytes = (instruction.a().columns() / products) as u64;
                let after = &parts.operands[parts.operands.len() - 4..];
                Some([self.scale(&after[..2], bytes, 1)?, self.scale(&after[2..], bytes, 3)?])
            }
        };
        let multiply = Multiply { unit, instruction, a, b, c, d, sparse, scales };
        self.push(Op::Matrix(Box::new(Matrix::Multiply(Box::new(multiply)))));
        Ok(true)
    }

    /// Returns the instruction of the table, and the unit that executes it.
    pub(crate) fn product(&self, parts: Parts<'_, '_>) -> Result<(Instruction, Unit), Error> {
        let instruction = Instruction::parse(parts.spelled).map_err(|e| self.error(parts.span, e.to_string()))?;
        let sm = self.shape.replacement.matrix.unwrap_or(self.shape.unit.target.sm);
        let unit = Unit::of_target(&format!("sm_{sm}")).ok_or_else(|| {
            let what = format!(
                "sm_{sm} has no known matrix unit: choose the model of a device, such as sm_90, or another `.target`"
            );
            self.error(parts.span, what)
        })?;
        instruction.evidence(unit).map_err(|e| self.error(parts.span, e.to_string()))?;
        Ok((instruction, unit))
    }

    /// Returns the registers of a fragment.
    pub(crate) fn fragment(
        &mut self,
        operand: &Operand,
        fragment: &Fragment,
        is_result: bool,
    ) -> Result<Vec<Reg>, Error> {
        let (bank, class) =
            if fragment.register_bits() == 64 { (Bank::B64, Class::Float) } else { (Bank::B32, Class::Bits) };
        let ty = Ty { class, bits: bank.bits() };
        let all = self.elements(operand, fragment.registers())?;
        all.iter().map(|of| if is_result { self.result(of, bank) } else { self.source(of, bank, ty) }).collect()
    }

    /// Returns the register with the metadata of a sparse A, and the selector of lanes after it.
    /// Returns `None` for another instruction.
    pub(crate) fn metadata(
        &mut self,
        instruction: &Instruction,
        operands: &[Operand],
    ) -> Result<Option<(Reg, usize)>, Error> {
        let (Some(metadata), [register, selector, ..]) = (instruction.metadata(), operands) else { return Ok(None) };
        let most = metadata.matrices() as u64 - 1;
        let selector = self.chosen_number(selector, most, "which selects lanes with metadata")?;
        Ok(Some((self.number32(&self.elements(register, 1)?[0])?, selector)))
    }

    /// Returns the register with scales, and what the vector after it has: the first byte of a
    /// scale, and the lanes that have scales. Compilers put both into registers.
    fn scale(&mut self, operands: &[Operand], bytes: u64, threads: u64) -> Result<Scaled, Error> {
        let register = self.number32(&self.elements(&operands[0], 1)?[0])?;
        let [byte, thread] = self.elements(&operands[1], 2)? else {
            return Err(self.error(operands[1].at, "two numbers are expected, `{byte-id, thread-id}`"));
        };
        let allowed = [Allowed { multiple: bytes, most: 4 - bytes }, Allowed { multiple: 1, most: threads }];
        let names = ["the first byte of a scale", "which selects lanes with scales"];
        for ((of, allowed), name) in [byte, thread].into_iter().zip(allowed).zip(names) {
            match of.kind {
                OperandKind::Number(Number::Int(number)) if !allowed.has(number) => {
                    return Err(self.error(of.at, format!("{allowed}, {name}")));
                }
                _ => {}
            }
        }
        let ty = Ty { class: Class::Unsigned, bits: 16 };
        let place = [self.source(byte, Bank::B16, ty)?, self.source(thread, Bank::B16, ty)?];
        Ok(Scaled { register, place, allowed })
    }

    /// Returns a number of the text up to `most`.
    fn chosen_number(&self, operand: &Operand, most: u64, what: &str) -> Result<usize, Error> {
        match operand.kind {
            OperandKind::Number(Number::Int(number)) if number <= most => Ok(number as usize),
            _ => Err(self.error(operand.at, format!("a number from 0 to {most} is expected, {what}"))),
        }
    }
}
