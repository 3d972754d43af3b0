//! Lowers `ldmatrix`, `stmatrix` and `movmatrix`.

use ptxf::matrix::Fragment;
use ptxf_text::{Class, Error, Operand, Ty};

use super::function::Lowering;
use super::memory::space;
use super::operand::Parts;
use crate::code::{Matrix, Op, Rows, Space};
use crate::exec::{Bank, Reg};

const BITS: Ty = Ty { class: Class::Bits, bits: 32 };

impl Lowering<'_> {
    /// Lowers an instruction on fragments. Returns `false` for another instruction.
    pub(crate) fn matrix(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let matrix = match *parts.words {
            ["ldmatrix", "sync", "aligned", ref words @ ..] => {
                self.count(parts, 2)?;
                let Some(rows) = self.rows(words, &parts.operands[1], &parts.operands[0], true)? else {
                    return Ok(false);
                };
                Matrix::Load(rows)
            }
            ["stmatrix", "sync", "aligned", ref words @ ..] => {
                self.count(parts, 2)?;
                let Some(rows) = self.rows(words, &parts.operands[0], &parts.operands[1], false)? else {
                    return Ok(false);
                };
                Matrix::Store(rows)
            }
            ["movmatrix", "sync", "aligned", "m8n8", "trans", "b16"] => {
                self.count(parts, 2)?;
                let operand = self.source(&parts.operands[1], Bank::B32, BITS)?;
                Matrix::Move { result: self.result(&parts.operands[0], Bank::B32)?, operand }
            }
            _ => return Ok(false),
        };
        self.push(Op::Matrix(Box::new(matrix)));
        Ok(true)
    }

    /// Lowers the operands of `ldmatrix` or `stmatrix`. Returns `None` if a word is unknown.
    fn rows(
        &mut self,
        words: &[&str],
        address: &Operand,
        fragments: &Operand,
        loads: bool,
    ) -> Result<Option<Rows>, Error> {
        let (shape, matrices, words) = match words {
            [shape, "x1", rest @ ..] => (*shape, 1, rest),
            [shape, "x2", rest @ ..] => (*shape, 2, rest),
            [shape, "x4", rest @ ..] => (*shape, 4, rest),
            _ => return Ok(None),
        };
        let (transposed, words) = match words {
            ["trans", rest @ ..] => (true, rest),
            _ => (false, words),
        };
        let (place, ty) = match words {
            [word, rest @ ..] if space(word) == Some(Space::Shared) => (Space::Shared, rest),
            _ => (Space::Generic, words),
        };
        let bits = match (shape, ty, loads) {
            ("m8n8", ["b16"], _) => 16,
            ("m16n16", ["b8"], true) | ("m16n8", ["b8"], false) => 8,
            ("m8n16" | "m16n16", ["b8x16", "b6x16_p32"], true) => 6,
            ("m8n16" | "m16n16", ["b8x16", "b4x16_p64"], true) => 4,
            _ => return Ok(None),
        };
        let fragment = Fragment::of_ldmatrix(shape, transposed).filter(|all| matrices <= all.matrices());
        let Some(fragment) = fragment else { return Ok(None) };
        let registers = self.fragments(fragments, matrices * fragment.registers() / fragment.matrices(), loads)?;
        let (space, address) = self.address(address, place)?;
        Ok(Some(Rows { space, address, fragment, bits, registers }))
    }

    /// Returns the registers of a vector of fragments of 32 bits.
    fn fragments(&mut self, operand: &Operand, count: usize, are_results: bool) -> Result<Vec<Reg>, Error> {
        let all = self.elements(operand, count)?;
        let one = |register| {
            if are_results { self.result(register, Bank::B32) } else { self.source(register, Bank::B32, BITS) }
        };
        all.iter().map(one).collect()
    }
}
