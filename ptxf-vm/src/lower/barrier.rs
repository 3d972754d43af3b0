//! Lowers `bar` and `barrier`.

use ptxf_text::{Class, Error, Operand, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Barrier, Collective, Op, Reduction, Warp};
use crate::exec::{Bank, Reg};

impl Lowering<'_> {
    /// Lowers a barrier. Returns `false` for another instruction.
    pub(crate) fn barrier(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let words: Vec<&str> = parts.words[1..].iter().copied().filter(|w| !matches!(*w, "cta" | "aligned")).collect();
        match words.as_slice() {
            ["warp", "sync"] => {
                self.count(parts, 1)?;
                let members = Some(self.number32(&parts.operands[0])?);
                self.push(Op::Warp(Box::new(Warp { members, collective: Collective::Sync })));
            }
            ["cluster", "arrive"] | ["cluster", "arrive", "release" | "relaxed"] => {
                self.count(parts, 0)?;
                self.push(Op::ArriveCluster);
            }
            ["cluster", "wait"] | ["cluster", "wait", "acquire"] => {
                self.count(parts, 0)?;
                self.push(Op::WaitCluster);
            }
            ["sync"] | ["arrive"] => {
                let waits = words[0] == "sync";
                let (id, count) = match parts.operands {
                    [id] if waits => (id, None),
                    [id, count] => (id, Some(count)),
                    _ => return self.count(parts, if waits { 1 } else { 2 }).map(|()| true),
                };
                let barrier = Barrier { id: self.number32(id)?, count: self.maybe32(count)?, waits, reduction: None };
                self.push(Op::Barrier(Box::new(barrier)));
            }
            ["red", operation, _] => {
                let (result, id, count, truth) = match parts.operands {
                    [result, id, truth] => (result, id, None, truth),
                    [result, id, count, truth] => (result, id, Some(count), truth),
                    _ => return self.count(parts, 3).map(|()| true),
                };
                let reduction = match *operation {
                    "popc" => Reduction::Popc(self.result(result, Bank::B32)?),
                    "and" => Reduction::And(self.predicate(result)?),
                    "or" => Reduction::Or(self.predicate(result)?),
                    _ => return Ok(false),
                };
                let reduction = Some((reduction, self.truth(truth)?));
                let barrier = Barrier { id: self.number32(id)?, count: self.maybe32(count)?, waits: true, reduction };
                self.push(Op::Barrier(Box::new(barrier)));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(crate) fn number32(&mut self, operand: &Operand) -> Result<Reg, Error> {
        self.source(operand, Bank::B32, Ty { class: Class::Unsigned, bits: 32 })
    }

    fn maybe32(&mut self, operand: Option<&Operand>) -> Result<Option<Reg>, Error> {
        operand.map(|operand| self.number32(operand)).transpose()
    }
}
