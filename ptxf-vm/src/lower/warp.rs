//! Lowers instructions among the lanes of a warp.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::forms;
use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Collective, Op, Shuffle, Update, Vote, Warp};
use crate::exec::registers::SINK;
use crate::exec::{Bank, Kind, Run, bits};

/// Returns `and.b32`.
fn integer_and() -> Option<Run> {
    bits::find("and", Ty { class: Class::Bits, bits: 32 }).map(|found| found.run)
}

impl Lowering<'_> {
    /// Lowers `shfl`, `vote` and similar instructions. Returns `false` for another instruction.
    pub(crate) fn warp(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        // Before sm_70 the lanes of a warp were at one place, and no instruction named them.
        let is_old =
            self.shape.unit.target.sm < 70 && matches!(parts.words, ["shfl" | "vote", second, ..] if *second != "sync");
        let words = [&parts.words[..1], &["sync"], &parts.words[1..]].concat();
        let parts = if is_old { Parts { words: &words, ..parts } } else { parts };
        let Some((collective, members)) = self.collective(parts, is_old)? else { return Ok(false) };
        let members = members.map(|operand| self.number32(operand)).transpose()?;
        self.push(Op::Warp(Box::new(Warp { members, collective })));
        Ok(true)
    }

    fn collective<'o>(
        &mut self,
        parts: Parts<'o, '_>,
        is_old: bool,
    ) -> Result<Option<(Collective, Option<&'o Operand>)>, Error> {
        let operands = parts.operands;
        // Without a member mask.
        let left = usize::from(is_old);
        let found = match *parts.words {
            ["activemask", "b32"] => {
                self.count(parts, 1)?;
                (Collective::Active(self.result(&operands[0], Bank::B32)?), None)
            }
            ["shfl", "sync", mode, "b32"] => {
                let mode = match mode {
                    "up" => Shuffle::Up,
                    "down" => Shuffle::Down,
                    "bfly" => Shuffle::Bfly,
                    "idx" => Shuffle::Idx,
                    _ => return Ok(None),
                };
                self.count(parts, 5 - left)?;
                let (to, found) = self.with_predicate(&operands[0])?;
                let result = self.result(to, Bank::B32)?;
                let [a, b, c] = [1, 2, 3].map(|i| &operands[i]);
                let bits = Ty { class: Class::Bits, bits: 32 };
                let a = self.source(a, Bank::B32, bits)?;
                let (b, c) = (self.number32(b)?, self.number32(c)?);
                (Collective::Shuffle { mode, result, found, a, b, c }, operands.get(4))
            }
            ["vote", "sync", "ballot", "b32"] => {
                self.count(parts, 3 - left)?;
                let mode = Vote::Ballot(self.result(&operands[0], Bank::B32)?);
                (Collective::Vote { mode, truth: self.truth(&operands[1])?, result: SINK }, operands.get(2))
            }
            ["vote", "sync", mode, "pred"] => {
                let mode = match mode {
                    "all" => Vote::All,
                    "any" => Vote::Any,
                    "uni" => Vote::Uni,
                    _ => return Ok(None),
                };
                self.count(parts, 3 - left)?;
                let result = self.predicate(&operands[0])?;
                (Collective::Vote { mode, truth: self.truth(&operands[1])?, result }, operands.get(2))
            }
            ["match", mode @ ("any" | "all"), "sync", ty @ ("b32" | "b64")] => {
                self.count(parts, 3)?;
                let (to, predicate) = self.with_predicate(&operands[0])?;
                let result = self.result(to, Bank::B32)?;
                let bank = if ty == "b32" { Bank::B32 } else { Bank::B64 };
                let a = self.source(&operands[1], bank, Ty { class: Class::Bits, bits: bank.bits() })?;
                (Collective::Match { result, all: (mode == "all").then_some(predicate), a }, Some(&operands[2]))
            }
            ["redux", "sync", operation @ ("min" | "max"), ref modifiers @ .., "f32"] => {
                let (has_abs, nan) = match *modifiers {
                    [] => (false, ""),
                    ["NaN"] => (false, ".NaN"),
                    ["abs"] => (true, ""),
                    ["abs", "NaN"] => (true, ".NaN"),
                    _ => return Ok(None),
                };
                let Some(form) = forms::known(&format!("{operation}{nan}.f32")) else { return Ok(None) };
                self.count(parts, 3)?;
                let ty = Ty { class: Class::Float, bits: 32 };
                let result = self.result(&operands[0], Bank::B32)?;
                let mut a = self.source(&operands[1], Bank::B32, ty)?;
                if let Some(and) = integer_and().filter(|_| has_abs) {
                    let (sign, magnitude) = (self.constant(Bank::B32, 0x7fff_ffff), self.code.fresh(Bank::B32));
                    self.lanes(and, [magnitude.at, a.at, sign.at, 0, 0], &[Kind::B32], &[Kind::B32; 2]);
                    a = magnitude;
                }
                (Collective::Reduce { update: Update::Form(form), ty, result, a }, Some(&operands[2]))
            }
            ["redux", "sync", operation, named] => {
                let Some(ty) = Ty::named(named).filter(|t| t.bits == 32) else { return Ok(None) };
                let update = match (operation, ty.class) {
                    ("add", Class::Unsigned | Class::Signed) => Update::Add,
                    ("min", Class::Unsigned | Class::Signed) => Update::Min,
                    ("max", Class::Unsigned | Class::Signed) => Update::Max,
                    ("and", Class::Bits) => Update::And,
                    ("or", Class::Bits) => Update::Or,
                    ("xor", Class::Bits) => Update::Xor,
                    _ => return Ok(None),
                };
                self.count(parts, 3)?;
                let result = self.result(&operands[0], Bank::B32)?;
                let a = self.source(&operands[1], Bank::B32, ty)?;
                (Collective::Reduce { update, ty, result, a }, Some(&operands[2]))
            }
            ["elect", "sync"] => {
                self.count(parts, 2)?;
                let (to, predicate) = self.with_predicate(&operands[0])?;
                (Collective::Elect { result: self.result(to, Bank::B32)?, predicate }, Some(&operands[1]))
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    /// Splits `d` or `d|p`.
    pub(crate) fn with_predicate<'o>(&self, operand: &'o Operand) -> Result<(&'o Operand, u32), Error> {
        match &operand.kind {
            OperandKind::Pair(both) => Ok((&both[0], self.predicate(&both[1])?)),
            _ => Ok((operand, SINK)),
        }
    }
}
