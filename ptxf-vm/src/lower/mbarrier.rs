//! Lowers `mbarrier`: an object in shared memory, at which threads arrive and whose phases threads
//! wait for.

use ptxf_text::{Class, Error, Operand, Ty};

use super::function::Lowering;
use super::memory::{is_hint, order, space};
use super::operand::Parts;
use crate::code::{Access, Address, Atomic, Op, Order, Space, Update};
use crate::exec::mbarrier::{self, Arrival};
use crate::exec::{Bank, Kind, Reg};

const OBJECT: Ty = Ty { class: Class::Bits, bits: 64 };

impl Lowering<'_> {
    /// Lowers an instruction on an object. Returns `false` for another instruction.
    pub(crate) fn mbarrier(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let [_, what, modifiers @ .., "b64"] = parts.words else { return Ok(false) };
        let (mut place, mut kinds) = (Space::Generic, Vec::new());
        for &word in modifiers {
            match space(word) {
                Some(Space::Shared) => place = Space::Shared,
                None if is_hint(word) => {}
                None => kinds.push(word),
                Some(_) => return Ok(false),
            }
        }
        let arrival = match (*what, kinds.as_slice()) {
            ("init", []) => {
                self.count(parts, 2)?;
                let count = self.number32(&parts.operands[1])?;
                let object = self.code.fresh(Bank::B64);
                self.lanes(mbarrier::initial, [object.at, count.at, 0, 0, 0], &[Kind::B64], &[Kind::B32]);
                self.set_object(&parts.operands[0], place, object)?;
                return Ok(true);
            }
            ("inval", []) => {
                self.count(parts, 1)?;
                let nothing = self.constant(Bank::B64, 0);
                self.set_object(&parts.operands[0], place, nothing)?;
                return Ok(true);
            }
            ("pending_count", []) => {
                self.count(parts, 2)?;
                let state = self.source(&parts.operands[1], Bank::B64, OBJECT)?;
                let count = self.result(&parts.operands[0], Bank::B32)?;
                self.lanes(mbarrier::pending, [count.at, state.at, 0, 0, 0], &[Kind::B32], &[Kind::B64]);
                return Ok(true);
            }
            ("test_wait" | "try_wait", [] | ["parity"]) => {
                self.wait_for_phase(parts, place, !kinds.is_empty())?;
                return Ok(true);
            }
            ("arrive", [] | ["noComplete"]) => Arrival::Arrive,
            ("arrive_drop", [] | ["noComplete"]) => Arrival::Drop,
            ("arrive", ["expect_tx"]) => Arrival::ExpectAndArrive,
            ("expect_tx", []) => Arrival::Expect,
            ("complete_tx", []) => Arrival::Complete,
            _ => return Ok(false),
        };
        let returns = what.starts_with("arrive");
        let has_count = parts.operands.len() == 2 + usize::from(returns);
        if !has_count {
            // Without a number, one thread arrives.
            let may_lack = matches!(arrival, Arrival::Arrive | Arrival::Drop) && kinds.is_empty();
            self.count(parts, if may_lack { 2 } else { 2 + usize::from(returns) })?;
        }
        let result = returns.then(|| self.result(&parts.operands[0], Bank::B64)).transpose()?;
        let (space, address) = self.address(&parts.operands[usize::from(returns)], place)?;
        let count = match parts.operands.last().filter(|_| has_count) {
            Some(count) => self.number32(count)?,
            None => self.constant(Bank::B32, 1),
        };
        // An arrival releases by default. Counts of bytes have no order.
        let order = Order { strong: true, releases: returns && !parts.words.contains(&"relaxed") };
        self.push(Op::Atomic(Box::new(Atomic { result, order, ..arrived(space, address, arrival, count) })));
        Ok(true)
    }

    /// Adds an arrival, of threads or of bytes.
    pub(crate) fn arrival(&mut self, space: Space, address: Address, arrival: Arrival, count: Reg) {
        let order = Order { strong: true, releases: arrival == Arrival::Arrive };
        self.push(Op::Atomic(Box::new(Atomic { order, ..arrived(space, address, arrival, count) })));
    }

    /// Writes the object, which is a plain store.
    fn set_object(&mut self, operand: &Operand, place: Space, object: Reg) -> Result<(), Error> {
        let (space, address) = self.address(operand, place)?;
        self.push(Op::Store(Box::new(access(space, Order::default(), address, object))));
        Ok(())
    }

    /// Tests the object once. The manual leaves open how long `try_wait` waits.
    fn wait_for_phase(&mut self, parts: Parts<'_, '_>, place: Space, by_parity: bool) -> Result<(), Error> {
        let has_hint = parts.words[1] == "try_wait" && parts.operands.len() == 4;
        self.count(parts, if has_hint { 4 } else { 3 })?;
        let predicate = self.predicate(&parts.operands[0])?;
        let (space, address) = self.address(&parts.operands[1], place)?;
        let state = &parts.operands[2];
        let (run, state, kind) = if by_parity {
            (mbarrier::has_parity as _, self.number32(state)?, Kind::B32)
        } else {
            (mbarrier::is_over as _, self.source(state, Bank::B64, OBJECT)?, Kind::B64)
        };
        let object = self.code.fresh(Bank::B64);
        let order = Order { strong: true, ..order(parts.words) };
        self.push(Op::Load(Box::new(access(space, order, address, object))));
        self.lanes(run, [predicate, object.at, state.at, 0, 0], &[Kind::Predicate], &[Kind::B64, kind]);
        Ok(())
    }
}

fn arrived(space: Space, address: Address, arrival: Arrival, count: Reg) -> Atomic {
    let (update, order) = (Update::Arrival(arrival), Order { strong: true, releases: false });
    Atomic {
        space,
        order,
        address,
        ty: OBJECT,
        update,
        in_shared: update,
        result: None,
        operands: vec![count],
        upper: None,
        align: OBJECT.bytes(),
    }
}

fn access(space: Space, order: Order, address: Address, object: Reg) -> Access {
    Access { space, order, address, ty: OBJECT, registers: vec![Some(object)] }
}
