//! Fast accesses of a warp, in which each half accesses consecutive elements or a single one.
//!
//! Most accesses of efficient programs have this pattern. The general path handles all other
//! accesses, and all wrong addresses, for which it makes the fault.

use super::access::is_in;
use super::memory::{Allocation, Memory};
use super::shared::Shared;
use super::warp::Warp;
use crate::code::{Access, Address, Space};
use crate::exec::registers::{LANES, Word};
use crate::exec::{Bank, Mask, Reg};

/// Lanes of half a warp.
const HALF: usize = LANES / 2;

/// The addresses of a half: one element for all lanes, or consecutive elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Half {
    pub(crate) start: u64,
    /// The number of elements, or 0 if no lane is active.
    pub(crate) elements: usize,
}

/// Finds the pattern of each half of an access. Returns `None` if the addresses have another
/// pattern.
#[inline(always)]
fn halves<A: Word>(lanes: &[A; LANES], offset: u64, bytes: u64, mask: Mask) -> Option<[Half; 2]> {
    let (first, second) = lanes.split_at(HALF);
    Some([half(first, offset, bytes, mask as u16)?, half(second, offset, bytes, (mask >> HALF) as u16)?])
}

#[inline(always)]
fn half<A: Word>(lanes: &[A], offset: u64, bytes: u64, mask: u16) -> Option<Half> {
    if mask == 0 {
        return Some(Half { start: 0, elements: 0 });
    }
    let first = mask.trailing_zeros() as usize;
    let second = match mask & (mask - 1) {
        0 => first,
        rest => rest.trailing_zeros() as usize,
    };
    let is_same = lanes[first] == lanes[second];
    let step = if is_same { 0 } else { bytes };
    let start = lanes[first].u().wrapping_sub(first as u64 * step);
    let mut other = A::ZERO;
    for (lane, &base) in lanes.iter().enumerate() {
        let expected = A::cut(start.wrapping_add(lane as u64 * step));
        let active = A::cut(u64::from(mask >> lane & 1).wrapping_neg());
        other = A::cut(other.u() | (base.u() ^ expected.u()) & active.u());
    }
    // A 32-bit address wraps around.
    let start = A::cut(start.wrapping_add(offset)).u();
    let elements = if is_same { 1 } else { HALF };
    (other == A::ZERO && start & (bytes - 1) == 0).then_some(Half { start, elements })
}

/// The last allocations that a warp accessed.
#[derive(Debug, Default)]
pub(crate) struct Recent<'l> {
    known: [Option<&'l Allocation>; 4],
    oldest: usize,
}

impl<'l> Recent<'l> {
    /// Returns the allocation with all of these bytes.
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

/// Returns the single register of an access if it is as wide as the type.
fn register(access: &Access) -> Option<Reg> {
    match *access.registers {
        [Some(reg)] if reg.bank.bits() == access.ty.bits => Some(reg),
        _ => None,
    }
}

/// A source of a half.
#[derive(Clone, Copy)]
enum Origin<'a> {
    Nothing,
    /// A slice with the bytes.
    Bytes(&'a [u8]),
    /// An allocation, addressed by the half.
    Allocation(&'a Allocation),
}

impl Warp<'_> {
    /// Finds the pattern of an access of `bytes` bytes in each lane.
    #[inline(always)]
    pub(super) fn halves(&self, frame: usize, address: &Address, bytes: u64, mask: Mask) -> Option<[Half; 2]> {
        let Address { base, offset, in_frame } = *address;
        let Some(base) = base.filter(|_| !in_frame) else {
            let is_aligned = !in_frame && offset.is_multiple_of(bytes);
            return is_aligned.then_some([Half { start: offset, elements: 1 }; 2]);
        };
        let registers = &self.frames[frame].registers;
        match (base.bank, mask) {
            // Usually all lanes are active, which is faster to check.
            (Bank::B64, Mask::MAX) => halves(&registers.b64[base.at as usize].0, offset, bytes, !0),
            (Bank::B64, _) => halves(&registers.b64[base.at as usize].0, offset, bytes, mask),
            (Bank::B32, Mask::MAX) => halves(&registers.b32[base.at as usize].0, offset, bytes, !0),
            (Bank::B32, _) => halves(&registers.b32[base.at as usize].0, offset, bytes, mask),
            (Bank::B16, _) => None,
        }
    }

    /// Returns the allocation of a whole half in global or constant memory.
    pub(super) fn whole(&self, half: Half, bytes: u64) -> Option<&Allocation> {
        self.launch.memory.find(half.start, half.elements as u64 * bytes).ok()
    }

    /// Loads if the pattern allows it. Returns `true` if it did.
    pub(super) fn load_row(&mut self, frame: usize, access: &Access, mask: Mask, shared: &Shared) -> bool {
        let Some(reg) = register(access) else { return false };
        let done = match reg.bank {
            Bank::B16 => self.load_words::<u16>(frame, access, reg.at, mask, shared),
            Bank::B32 => self.load_words::<u32>(frame, access, reg.at, mask, shared),
            Bank::B64 => self.load_words::<u64>(frame, access, reg.at, mask, shared),
        };
        done.is_some()
    }

    /// Stores if the pattern allows it. Returns `true` if it did.
    pub(super) fn store_row(&mut self, frame: usize, access: &Access, mask: Mask, shared: &mut Shared) -> bool {
        let Some(reg) = register(access) else { return false };
        let done = match reg.bank {
            Bank::B16 => self.store_words::<u16>(frame, access, reg.at, mask, shared),
            Bank::B32 => self.store_words::<u32>(frame, access, reg.at, mask, shared),
            Bank::B64 => self.store_words::<u64>(frame, access, reg.at, mask, shared),
        };
        done.is_some()
    }

    #[inline(always)]
    fn load_words<W: Word>(
        &mut self,
        frame: usize,
        access: &Access,
        at: u32,
        mask: Mask,
        shared: &Shared,
    ) -> Option<()> {
        let size = u64::from(W::BITS / 8);
        let halves = self.halves(frame, &access.address, size, mask)?;
        // Both halves are checked first: the loaded register can be the address register.
        let mut sources = [Origin::Nothing; 2];
        for (source, half) in sources.iter_mut().zip(&halves) {
            let bytes = half.elements as u64 * size;
            *source = match access.space {
                _ if half.elements == 0 => Origin::Nothing,
                Space::Shared => Origin::Bytes(&shared.bytes[place(&shared.bytes, half.start, bytes)?]),
                Space::Input => Origin::Bytes(&self.launch.input[place(&self.launch.input, half.start, bytes)?]),
                Space::Local => return None,
                Space::Generic if !is_in(Space::Generic, half.start) => return None,
                Space::Global | Space::Const | Space::Generic => {
                    Origin::Allocation(self.recent.find(self.launch.memory, half.start, bytes)?)
                }
            };
        }
        let registers = &mut self.frames[frame].registers;
        let read = |to: &mut [W; LANES]| {
            for ((half, source), to) in halves.iter().zip(sources).zip(to.chunks_exact_mut(HALF)) {
                match source {
                    Origin::Nothing => {}
                    Origin::Bytes(bytes) if half.elements == 1 => to.fill(W::of_bytes(bytes)),
                    Origin::Bytes(bytes) => {
                        for (to, bytes) in to.iter_mut().zip(bytes.chunks_exact(size as usize)) {
                            *to = W::of_bytes(bytes);
                        }
                    }
                    Origin::Allocation(found) if half.elements == 1 => {
                        to.fill(W::cut(found.read(half.start, size as u32)));
                    }
                    Origin::Allocation(found) => found.read_row(half.start, to),
                }
            }
        };
        if mask == !0 {
            read(&mut W::bank_mut(registers)[at as usize].0);
        } else {
            let mut values = [W::ZERO; LANES];
            read(&mut values);
            W::write(registers, at, mask, &values);
        }
        Some(())
    }

    #[inline(always)]
    fn store_words<W: Word>(
        &mut self,
        frame: usize,
        access: &Access,
        at: u32,
        mask: Mask,
        shared: &mut Shared,
    ) -> Option<()> {
        let size = u64::from(W::BITS / 8);
        let [low, high] = self.halves(frame, &access.address, size, mask)?;
        let rows = [row(low, mask as u16, size)?, row(high, (mask >> HALF) as u16, size)?];
        let bytes = |row: &Row| row.lanes.len() as u64 * size;
        let values = &W::bank(&self.frames[frame].registers)[at as usize].0;
        let halves = values.chunks_exact(HALF);
        match access.space {
            Space::Shared => {
                let places = rows.each_ref().map(|row| place(&shared.bytes, row.start, bytes(row)));
                let [Some(first), Some(second)] = places else { return None };
                for ((place, row), values) in [first, second].into_iter().zip(rows).zip(halves) {
                    for (to, value) in shared.bytes[place].chunks_exact_mut(size as usize).zip(&values[row.lanes]) {
                        to.copy_from_slice(&value.u().to_le_bytes()[..size as usize]);
                    }
                }
            }
            Space::Global | Space::Generic => {
                let mut found = [None; 2];
                for (found, row) in found.iter_mut().zip(&rows).filter(|(_, row)| !row.lanes.is_empty()) {
                    if access.space == Space::Generic && !is_in(Space::Generic, row.start) {
                        return None;
                    }
                    let there = self.recent.find(self.launch.memory, row.start, bytes(row))?;
                    *found = Some(there).filter(|there| !there.is_constant());
                    (*found)?;
                }
                for ((found, row), values) in found.into_iter().zip(rows).zip(halves) {
                    if let Some(found) = found {
                        found.write_row(row.start, &values[row.lanes]);
                    }
                }
            }
            Space::Local | Space::Input | Space::Const => return None,
        }
        Some(())
    }
}

/// Consecutive active lanes, and the address of the first one.
struct Row {
    start: u64,
    lanes: std::ops::Range<usize>,
}

/// Returns the active lanes of a half if they are consecutive. If lanes write to one place, the
/// last one has to win: the general path does that.
fn row(half: Half, mask: u16, size: u64) -> Option<Row> {
    let first = mask.trailing_zeros() as usize % HALF;
    let lanes = first..first + mask.count_ones() as usize;
    let is_whole = u32::from(mask >> first) + 1 == 1 << lanes.len();
    let start = match half.elements {
        HALF => half.start.wrapping_add(first as u64 * size),
        // One lane, or none.
        _ if lanes.len() < 2 => half.start,
        _ => return None,
    };
    is_whole.then_some(Row { start, lanes })
}

/// Returns the range of bytes from an address. Returns `None` if it is not within `all`.
fn place(all: &[u8], start: u64, bytes: u64) -> Option<std::ops::Range<usize>> {
    let end = start.checked_add(bytes)?;
    (end <= all.len() as u64).then_some(start as usize..end as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_neighbours_or_one_element() {
        let lie = |mask: Mask, f: fn(u64) -> u64| {
            let lanes = std::array::from_fn(|lane| f(lane as u64));
            halves::<u64>(&lanes, 8, 4, mask).map(|all| all.map(|half| (half.start, half.elements)))
        };
        assert_eq!(lie(!0, |lane| 64 + 4 * lane), Some([(72, 16), (136, 16)]));
        assert_eq!(lie(!0, |lane| 4 * (lane % 16)), Some([(8, 16), (8, 16)]));
        assert_eq!(lie(!0, |lane| lane / 16 * 1024), Some([(8, 1), (1032, 1)]));
        assert_eq!(lie(!0, |lane| 2 + 4 * lane), None, "misaligned");
        assert_eq!(lie(!0, |lane| 8 * lane), None);
        assert_eq!(lie(!0, |lane| 4 * (lane ^ 1)), None);
        // Addresses of inactive lanes do not matter.
        let one_away = |lane| if lane == 5 { 3 } else { 64 + 4 * lane };
        assert_eq!(lie(!0, one_away), None);
        assert_eq!(lie(!(1 << 5), one_away), Some([(72, 16), (136, 16)]));
        assert_eq!(lie(0b1010, |lane| 64 + 4 * lane), Some([(72, 16), (0, 0)]));
        assert_eq!(lie(0b1000, |lane| 64 + 4 * lane), Some([(84, 1), (0, 0)]));
    }

    #[test]
    fn an_address_of_32_bits_wraps_around() {
        let lanes = std::array::from_fn(|lane| (lane as u32 * 4).wrapping_sub(64));
        let [first, second] = halves::<u32>(&lanes, 64, 4, !0).unwrap();
        assert_eq!((first.start, second.start), (0, 64));
    }
}
