//! Lowers `mov` between registers, from numbers and addresses, and of parts.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::Op;
use crate::exec::{Bank, Kind, Reg, moves};

impl Lowering<'_> {
    /// Lowers `mov`. Returns `false` if there is no `mov` of this type.
    pub(crate) fn mov(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let Some(ty) = parts.ty().filter(|_| matches!(parts.words, [_, _] | [_, "v2" | "v4", _])) else {
            return Ok(false);
        };
        self.count(parts, 2)?;
        if ty.bits == 128 || parts.words.len() == 3 {
            let lanes = match parts.words[1] {
                "v4" => 4,
                _ => 2,
            };
            return self.mov_parts(parts, lanes, ty);
        }
        if ty.class == Class::Predicate {
            return self.mov_predicate(parts);
        }
        let Some(bank) = Bank::of(ty.bits).filter(|b| b.bits() == ty.bits) else { return Ok(false) };
        let [to, from] = parts.operands else { return Ok(false) };
        match (&to.kind, &from.kind) {
            (_, OperandKind::Vector(all)) => self.join(to, all, bank)?,
            (OperandKind::Vector(all), _) => self.split(all, from, bank)?,
            _ => {
                let mut from_register = self.any_source(from, bank, ty)?;
                if bank == Bank::B16 && from_register.bank == Bank::B32 && self.is_special(from) {
                    // Special registers had 16 bits before PTX 2.0, and `mov.u16` reads these.
                    let half = self.code.fresh(Bank::B16);
                    let parts = vec![Some(half), None];
                    self.push(Op::Split(Box::new(moves::Parts { whole: from_register, parts, bits: 16 })));
                    from_register = half;
                }
                let from = if from_register.bank == bank { from_register } else { self.source(from, bank, ty)? };
                let to = self.result(to, bank)?;
                let kind = [Kind::from(Some(bank))];
                self.lanes(moves::of(bank), [to.at, from.at, 0, 0, 0], &kind, &kind);
            }
        }
        Ok(true)
    }

    /// Lowers `mov` of vectors and of 128 bits, part by part.
    fn mov_parts(&mut self, parts: Parts<'_, '_>, lanes: usize, ty: Ty) -> Result<bool, Error> {
        let ty = if ty.bits == 128 { Ty { class: Class::Bits, bits: 64 } } else { ty };
        let Some(bank) = Bank::of(ty.bits).filter(|bank| bank.bits() == ty.bits) else { return Ok(false) };
        let [to, from] = [0, 1].map(|i| self.elements(&parts.operands[i], lanes));
        let kind = [Kind::from(Some(bank))];
        // All parts are read before the first one is written.
        let mut read = Vec::new();
        for from in from? {
            let (from, copy) = (self.source(from, bank, ty)?, self.code.fresh(bank));
            self.lanes(moves::of(bank), [copy.at, from.at, 0, 0, 0], &kind, &kind);
            read.push(copy);
        }
        for (to, from) in to?.iter().zip(read) {
            let to = self.result(to, bank)?;
            self.lanes(moves::of(bank), [to.at, from.at, 0, 0, 0], &kind, &kind);
        }
        Ok(true)
    }

    fn is_special(&self, operand: &Operand) -> bool {
        match operand.kind {
            OperandKind::Name { name, .. } => {
                self.of(name).starts_with('%') && self.scopes.find(self.of(name)).is_none()
            }
            _ => false,
        }
    }

    /// Returns the type of each part.
    fn part(&self, parts: &[Operand], whole: Bank) -> Result<Ty, Error> {
        let bits = whole.bits().checked_div(parts.len() as u32).unwrap_or_default();
        if matches!(parts.len(), 2 | 4) && bits >= 8 {
            return Ok(Ty { class: Class::Bits, bits });
        }
        let at = parts.first().map_or_else(Default::default, |p| p.at);
        Err(self.error(at, format!("a register of {} bits has no {} parts", whole.bits(), parts.len())))
    }

    fn join(&mut self, to: &Operand, parts: &[Operand], bank: Bank) -> Result<(), Error> {
        let ty = self.part(parts, bank)?;
        let part = Bank::of(ty.bits).unwrap_or(Bank::B16);
        let from: Vec<Reg> = parts.iter().map(|p| self.source(p, part, ty)).collect::<Result<_, _>>()?;
        let whole = self.result(to, bank)?;
        match (from.as_slice(), moves::two(bank)) {
            ([a, b], Some(run)) => {
                let (wide, narrow) = (Kind::from(Some(bank)), Kind::from(Some(part)));
                self.lanes(run, [whole.at, a.at, b.at, 0, 0], &[wide], &[narrow; 2]);
            }
            _ => {
                let parts = from.into_iter().map(Some).collect();
                self.push(Op::Join(Box::new(moves::Parts { whole, parts, bits: ty.bits })));
            }
        }
        Ok(())
    }

    fn split(&mut self, parts: &[Operand], from: &Operand, bank: Bank) -> Result<(), Error> {
        let ty = self.part(parts, bank)?;
        let part = Bank::of(ty.bits).unwrap_or(Bank::B16);
        let whole = self.source(from, bank, Ty { class: Class::Bits, bits: bank.bits() })?;
        let mut to = Vec::new();
        for p in parts {
            to.push(match p.kind {
                OperandKind::Sink => None,
                _ => Some(self.result(p, part)?),
            });
        }
        match (to.as_slice(), moves::apart(bank)) {
            ([Some(a), Some(b)], Some(run)) => {
                let (wide, narrow) = (Kind::from(Some(bank)), Kind::from(Some(part)));
                self.lanes(run, [a.at, b.at, whole.at, 0, 0], &[narrow; 2], &[wide]);
            }
            _ => self.push(Op::Split(Box::new(moves::Parts { whole, parts: to, bits: ty.bits }))),
        }
        Ok(())
    }
}
