//! Lowers `cp.async`: copies that happen when their threads wait for them.

use ptxf_text::{Class, Error, Number, OperandKind, Ty};

use super::function::Lowering;
use super::memory::{is_hint, space};
use super::operand::Parts;
use crate::code::{Access, Address, CopyAsync, Op, Order, Space, Taken};
use crate::exec::mbarrier::Arrival;
use crate::exec::{Bank, Reg};

impl Lowering<'_> {
    /// Lowers a copy, the end of a group of copies, or a wait. Returns `false` for another
    /// instruction.
    pub(crate) fn copy(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        match *parts.words {
            [_, "async", "commit_group"] => {
                self.count(parts, 0)?;
                self.push(Op::Commit);
            }
            [_, "async", "wait_group"] => {
                self.count(parts, 1)?;
                let OperandKind::Number(Number::Int(_)) = parts.operands[0].kind else {
                    return Err(self.error(parts.operands[0].at, "how many groups may be left is a number"));
                };
                let left = self.number32(&parts.operands[0])?;
                self.wait_for_copies(left);
            }
            [_, "async", "wait_all"] => {
                self.count(parts, 0)?;
                self.push(Op::Commit);
                let none = self.constant(Bank::B32, 0);
                self.wait_for_copies(none);
            }
            [_, "async", "mbarrier", "arrive", ref words @ .., "b64"] => {
                self.count(parts, 1)?;
                let waits = match *words {
                    ["noinc"] | ["noinc", _] => true,
                    [] | [_] => false,
                    _ => return Ok(false),
                };
                let place = words.iter().find_map(|word| space(word)).unwrap_or(Space::Generic);
                let (place, address) = self.address(&parts.operands[0], place)?;
                // The copies are done at once. The arrival is then one that the phase expects, or
                // one that it has just been made to expect.
                let guard = self.guard;
                self.push(Op::Commit);
                let none = self.constant(Bank::B32, 0);
                self.wait_for_copies(none);
                self.guard = guard;
                if waits {
                    let one = self.constant(Bank::B32, 1);
                    self.arrival(place, address, Arrival::Arrive, one);
                }
            }
            [_, "async", "ca" | "cg", "shared" | "shared::cta", "global", ref hints @ ..]
                if hints.iter().all(|word| is_hint(word)) =>
            {
                if !(3..=4).contains(&parts.operands.len()) {
                    self.count(parts, 3)?;
                }
                self.one_copy(parts)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn one_copy(&mut self, parts: Parts<'_, '_>) -> Result<(), Error> {
        let (_, to) = self.address(&parts.operands[0], Space::Shared)?;
        let (_, from) = self.address(&parts.operands[1], Space::Global)?;
        let (size, only_16) = (&parts.operands[2], parts.words[2] == "cg");
        let bytes = match size.kind {
            OperandKind::Number(Number::Int(16)) => 16,
            OperandKind::Number(Number::Int(bytes @ (4 | 8))) if !only_16 => bytes,
            _ => {
                let sizes = if only_16 { "16" } else { "4, 8 or 16" };
                return Err(self.error(size.at, format!("{sizes} is expected: how many bytes are copied")));
            }
        };
        let (mut read, mut ignore) = (None, None);
        if let Some(operand) = parts.operands.get(3) {
            if self.truth(operand).is_ok() && !matches!(operand.kind, OperandKind::Number(_)) {
                ignore = Some(self.truth(operand)?);
            } else {
                read = Some(self.number32(operand)?);
            }
        }
        self.push(Op::Copy(Box::new(CopyAsync { from, to, bytes, read, ignore })));
        Ok(())
    }

    /// Emits a loop that takes the copies of finished groups one by one, and stores each. Checks
    /// see these stores.
    fn wait_for_copies(&mut self, left: Reg) {
        // It counts as the instruction; the others run once per copy.
        self.push(Op::Nothing);
        let guard = std::mem::take(&mut self.guard);
        let skip = self.code.instructions.len();
        if guard != 0 {
            self.guard = guard ^ 1;
            self.push(Op::Branch(0));
            self.guard = 0;
        }
        let again = self.code.instructions.len() as u32;
        let address = self.code.fresh(Bank::B64);
        let data = [self.code.fresh(Bank::B64), self.code.fresh(Bank::B64)];
        let predicates = [(); 4].map(|()| {
            self.code.predicates += 1;
            self.code.predicates - 1
        });
        let [any, sizes @ ..] = predicates;
        self.push(Op::Take(Box::new(Taken { left, address, data, sizes, any })));
        for (bytes, predicate) in [4_u32, 8, 16].into_iter().zip(sizes) {
            let ty = Ty { class: Class::Bits, bits: 8 * bytes.min(8) };
            let registers = data[..bytes.div_ceil(8) as usize].iter().copied().map(Some).collect();
            let address = Address { base: Some(address), offset: 0, in_frame: false };
            self.guard = predicate << 1;
            self.push(Op::Store(Box::new(Access {
                space: Space::Shared,
                order: Order::default(),
                address,
                ty,
                registers,
            })));
        }
        self.guard = any << 1;
        self.push(Op::Branch(again));
        if guard != 0 {
            self.code.instructions[skip].op = Op::Branch(self.code.instructions.len() as u32);
        }
    }
}
