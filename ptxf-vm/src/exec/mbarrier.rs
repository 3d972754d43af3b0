//! The object of `mbarrier`: 64 opaque bits.
//!
//! The fields, from the lowest bit on: pending arrivals, expected arrivals of a phase, pending
//! bytes, and, in the highest bit, the parity of the phase.

use super::registers::{Mask, Registers, Slots, lanes};
use super::{Bank, Reg};

/// The width of a number of arrivals.
const COUNT: u32 = 20;
const MOST: u64 = (1 << COUNT) - 1;
/// The lowest bit and the width of the number of bytes, which is signed.
const BYTES: u32 = 2 * COUNT;
const WIDTH: u32 = 21;
const ODD: u64 = 1 << 63;

/// An operation on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// A number of threads arrive.
    Arrive,
    /// A number of threads arrive, and later phases do not expect them.
    Drop,
    /// The phase expects a number of further bytes.
    Expect,
    /// The phase expects a number of further bytes, and then one thread arrives.
    ExpectAndArrive,
    /// A number of bytes have come.
    Complete,
}

impl Arrival {
    /// Returns the object after the operation. Returns an error if a field would overflow.
    pub(crate) fn of(self, object: u64, count: u64) -> Result<u64, String> {
        let (mut pending, mut expected) = (object & MOST, object >> COUNT & MOST);
        let mut bytes = ((object << (64 - BYTES - WIDTH)).cast_signed() >> (64 - WIDTH)) as i128;
        let (arrive, expect) = match self {
            Self::Arrive | Self::Drop => (count, 0),
            Self::Expect => (0, i128::from(count)),
            Self::ExpectAndArrive => (1, i128::from(count)),
            Self::Complete => (0, -i128::from(count)),
        };
        if arrive > pending {
            return Err(format!("{arrive} arrivals at an mbarrier whose phase waits for {pending}"));
        }
        bytes += expect;
        pending -= arrive;
        if self == Self::Drop {
            expected -= arrive.min(expected);
        }
        let limit = 1 << (WIDTH - 1);
        if bytes >= limit || bytes <= -limit {
            return Err(format!("an mbarrier waits for {bytes} bytes, and at most {} are possible", limit - 1));
        }
        let mut phase = object & ODD;
        if pending == 0 && bytes == 0 {
            (pending, phase) = (expected, phase ^ ODD);
        }
        let bytes = (bytes as u64 & ((1 << WIDTH) - 1)) << BYTES;
        Ok(phase | bytes | expected << COUNT | pending)
    }
}

fn wide(slot: u32) -> Reg {
    Reg { bank: Bank::B64, at: slot }
}

fn narrow(slot: u32) -> Reg {
    Reg { bank: Bank::B32, at: slot }
}

/// Makes an object that expects a number of arrivals in each phase.
pub(crate) fn initial(registers: &mut Registers, &[object, count, ..]: &Slots, mask: Mask) {
    for lane in lanes(mask) {
        let count = registers.get(narrow(count), lane) & MOST;
        registers.set(wide(object), lane, count << COUNT | count);
    }
}

/// Checks whether the phase of the state that `arrive` returned is over.
pub(crate) fn is_over(registers: &mut Registers, &[predicate, object, state, ..]: &Slots, mask: Mask) {
    set(registers, predicate, mask, |registers, lane| {
        (registers.get(wide(object), lane) ^ registers.get(wide(state), lane)) & ODD != 0
    });
}

/// Checks whether the last phase of this parity is over.
pub(crate) fn has_parity(registers: &mut Registers, &[predicate, object, parity, ..]: &Slots, mask: Mask) {
    set(registers, predicate, mask, |registers, lane| {
        registers.get(wide(object), lane) >> 63 != registers.get(narrow(parity), lane) & 1
    });
}

fn set(registers: &mut Registers, predicate: u32, mask: Mask, is_true: impl Fn(&Registers, usize) -> bool) {
    let truth = lanes(mask).fold(0, |all, lane| all | Mask::from(is_true(registers, lane)) << lane);
    registers.set_truth(predicate, truth, mask);
}

/// Reads the number of pending arrivals.
pub(crate) fn pending(registers: &mut Registers, &[count, state, ..]: &Slots, mask: Mask) {
    for lane in lanes(mask) {
        let state = registers.get(wide(state), lane);
        registers.set(narrow(count), lane, state & MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_with_its_last_arrival_and_its_last_byte() {
        let object = 3 << COUNT | 3;
        let step = |object, arrival: Arrival, count| arrival.of(object, count).unwrap();
        let two = step(object, Arrival::Arrive, 2);
        assert_eq!(two, 3 << COUNT | 1);
        assert_eq!(step(two, Arrival::Arrive, 1), ODD | 3 << COUNT | 3);
        assert_eq!(step(two, Arrival::Drop, 1), ODD | 2 << COUNT | 2);
        let waits = step(two, Arrival::ExpectAndArrive, 100);
        assert_eq!(waits, 100 << BYTES | 3 << COUNT);
        assert_eq!(step(step(waits, Arrival::Complete, 60), Arrival::Complete, 40), ODD | 3 << COUNT | 3);
        // Bytes may come before they are expected.
        let early = step(two, Arrival::Complete, 8);
        assert_eq!(step(step(early, Arrival::Arrive, 1), Arrival::Expect, 8), ODD | 3 << COUNT | 3);
        assert!(Arrival::Arrive.of(two, 2).unwrap_err().contains("2 arrivals at an mbarrier whose phase waits for 1"));
        assert!(Arrival::Expect.of(two, 1 << 20).unwrap_err().contains("1048576 bytes"));
    }
}
