//! Accesses of whole warps in which each half reads or writes neighbours, or reads one element.
//!
//! That is how programs access memory if they are any good, so that it does not go lane by lane. Whatever is unusual, a lane that is
//! away or an address that is wrong, is left to the general way, which says what is wrong with it.

use super::access::{Addresses, is_in};
use super::block::Shared;
use super::memory::{Allocation, Memory};
use super::warp::Warp;
use crate::code::{Access, Space};
use crate::exec::registers::{LANES, Word};
use crate::exec::{Bank, Mask, Reg};

/// Lanes of which one runs.
const HALF: usize = LANES / 2;

/// Where the lanes of a half are: from an address on, one element or as many as there are lanes.
#[derive(Clone, Copy)]
struct Half {
    start: u64,
    elements: usize,
}

/// The halves of an access to elements of so many bytes; `None` if they lie otherwise.
fn halves(addresses: &Addresses, bytes: u64) -> Option<[Half; 2]> {
    let (first, second) = addresses.split_at(HALF);
    let half = |lanes: &[u64]| {
        let start = lanes[0];
        let (mut same, mut next) = (0, 0);
        for (lane, &address) in lanes.iter().enumerate() {
            same |= address ^ start;
            next |= address ^ start.wrapping_add(lane as u64 * bytes);
        }
        let elements = match (same, next) {
            (0, _) => 1,
            (_, 0) => HALF,
            _ => return None,
        };
        (start & (bytes - 1) == 0).then_some(Half { start, elements })
    };
    Some([half(first)?, half(second)?])
}

/// The allocations that a warp has accessed last.
#[derive(Debug, Default)]
pub(crate) struct Recent<'l> {
    known: [Option<&'l Allocation>; 4],
    oldest: usize,
}

impl<'l> Recent<'l> {
    /// The allocation that has all of these bytes.
    #[inline]
    fn find(&mut self, memory: &'l Memory, address: u64, bytes: u64) -> Option<&'l Allocation> {
        if let Some(found) = self.known.iter().flatten().find(|known| known.has(address, bytes)) {
            return Some(found);
        }
        let found = memory.find(address, bytes).ok()?;
        self.known[self.oldest] = Some(found);
        self.oldest = (self.oldest + 1) % self.known.len();
        Some(found)
    }
}

/// The one register of an access, if it is as wide as the type.
fn register(access: &Access) -> Option<Reg> {
    match *access.registers {
        [Some(reg)] if reg.bank.bits() == access.ty.bits => Some(reg),
        _ => None,
    }
}

impl Warp<'_> {
    /// Loads so, if it can; whether it has.
    pub(super) fn load_row(
        &mut self,
        frame: usize,
        access: &Access,
        addresses: &Addresses,
        mask: Mask,
        shared: &Shared,
    ) -> bool {
        let Some(reg) = register(access).filter(|_| mask == !0) else { return false };
        let done = match reg.bank {
            Bank::B16 => self.load_words::<u16>(frame, access.space, reg.at, addresses, shared),
            Bank::B32 => self.load_words::<u32>(frame, access.space, reg.at, addresses, shared),
            Bank::B64 => self.load_words::<u64>(frame, access.space, reg.at, addresses, shared),
        };
        done.is_some()
    }

    /// Stores so, if it can; whether it has.
    pub(super) fn store_row(
        &mut self,
        frame: usize,
        access: &Access,
        addresses: &Addresses,
        mask: Mask,
        shared: &mut Shared,
    ) -> bool {
        let Some(reg) = register(access).filter(|_| mask == !0) else { return false };
        let done = match reg.bank {
            Bank::B16 => self.store_words::<u16>(frame, access.space, reg.at, addresses, shared),
            Bank::B32 => self.store_words::<u32>(frame, access.space, reg.at, addresses, shared),
            Bank::B64 => self.store_words::<u64>(frame, access.space, reg.at, addresses, shared),
        };
        done.is_some()
    }

    #[inline(always)]
    fn load_words<W: Word>(
        &mut self,
        frame: usize,
        space: Space,
        at: u32,
        addresses: &Addresses,
        shared: &Shared,
    ) -> Option<()> {
        let size = u64::from(W::BITS / 8);
        let halves = halves(addresses, size)?;
        let mut values = [W::ZERO; LANES];
        for (half, values) in halves.iter().zip(values.chunks_exact_mut(HALF)) {
            let read = &mut values[..half.elements];
            match space {
                Space::Shared => read_bytes(&shared.bytes, half.start, read)?,
                Space::Input => read_bytes(&self.launch.input, half.start, read)?,
                Space::Local => return None,
                Space::Generic if !is_in(Space::Generic, half.start) => return None,
                Space::Global | Space::Const | Space::Generic => {
                    let bytes = half.elements as u64 * size;
                    self.recent.find(self.launch.memory, half.start, bytes)?.read_row(half.start, read);
                }
            }
            if half.elements == 1 {
                values.fill(values[0]);
            }
        }
        *W::lanes_mut(&mut self.frames[frame].registers, at) = values;
        Some(())
    }

    #[inline(always)]
    fn store_words<W: Word>(
        &mut self,
        frame: usize,
        space: Space,
        at: u32,
        addresses: &Addresses,
        shared: &mut Shared,
    ) -> Option<()> {
        let size = u64::from(W::BITS / 8);
        let halves = halves(addresses, size)?.map(|half| (half.elements == HALF).then_some(half.start));
        let bytes = HALF as u64 * size;
        let starts = [halves[0]?, halves[1]?];
        let values = &W::bank(&self.frames[frame].registers)[at as usize].0;
        match space {
            Space::Shared => {
                let places = starts.map(|start| place(&shared.bytes, start, bytes));
                if places.iter().any(Option::is_none) {
                    return None;
                }
                for (place, values) in places.into_iter().flatten().zip(values.chunks_exact(HALF)) {
                    for (to, value) in shared.bytes[place].chunks_exact_mut(size as usize).zip(values) {
                        to.copy_from_slice(&value.u().to_le_bytes()[..size as usize]);
                    }
                }
            }
            Space::Global | Space::Generic => {
                if space == Space::Generic && !starts.iter().all(|&start| is_in(space, start)) {
                    return None;
                }
                let memory = self.launch.memory;
                let [first, second] =
                    starts.map(|start| self.recent.find(memory, start, bytes).filter(|found| !found.is_constant()));
                let (low, high) = values.split_at(HALF);
                let (first, second) = (first?, second?);
                first.write_row(starts[0], low);
                second.write_row(starts[1], high);
            }
            Space::Local | Space::Input | Space::Const => return None,
        }
        Some(())
    }
}

/// Where so many bytes from an address on are, if all of them are there.
fn place(all: &[u8], start: u64, bytes: u64) -> Option<std::ops::Range<usize>> {
    let end = start.checked_add(bytes)?;
    (end <= all.len() as u64).then_some(start as usize..end as usize)
}

#[inline(always)]
fn read_bytes<W: Word>(all: &[u8], start: u64, values: &mut [W]) -> Option<()> {
    let size = (W::BITS / 8) as usize;
    let from = &all[place(all, start, (values.len() * size) as u64)?];
    for (value, bytes) in values.iter_mut().zip(from.chunks_exact(size)) {
        *value = W::of_bytes(bytes);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_neighbours_or_one_element() {
        let lie = |f: fn(u64) -> u64| {
            halves(&std::array::from_fn(|lane| f(lane as u64)), 4)
                .map(|all| all.map(|half| (half.start, half.elements)))
        };
        assert_eq!(lie(|lane| 64 + 4 * lane), Some([(64, 16), (128, 16)]));
        assert_eq!(lie(|lane| 4 * (lane % 16)), Some([(0, 16), (0, 16)]));
        assert_eq!(lie(|lane| lane / 16 * 1024), Some([(0, 1), (1024, 1)]));
        assert_eq!(lie(|lane| 2 + 4 * lane), None, "misaligned");
        assert_eq!(lie(|lane| 8 * lane), None);
        assert_eq!(lie(|lane| 4 * (lane ^ 1)), None);
    }
}
