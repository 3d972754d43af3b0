//! Global memory: allocations that blocks on several cores access at once.
//!
//! Memory is atomic words, so that a race yields one of the values, as on a device. Addresses
//! depend only on the order of allocations, and are never used again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fault::FaultKind;
use super::heap::Heap;
use super::mapping::Permission;
use crate::exec::registers::Word;

/// The address of the first allocation.
const FIRST: u64 = 0x1000_0000_0000;
/// The alignment of addresses, and the least distance between two allocations.
const APART: u64 = 256;
/// A page.
const PAGE: u64 = 4096;
/// The least size of a buffer on a large page, and the size of such a page.
const LARGE: u64 = 1 << 20;
const LARGE_PAGE: u64 = 2 << 20;

/// The largest distance at which a message names an allocation.
const NEAR: u64 = 1 << 20;

/// The contents of unwritten memory.
const UNDEFINED: u64 = 0xa5a5_a5a5_a5a5_a5a5;

/// A purpose of an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A buffer with its number.
    Buffer(usize),
    /// A variable of a module.
    Variable(String),
    /// A variable in constant memory.
    Constant(String),
    /// The heap of `malloc`.
    Heap,
    /// The words with which the blocks of a cooperative launch wait for each other.
    Workspace,
    /// Memory at reserved addresses.
    Mapping(Permission),
}

/// An allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(super) start: u64,
    pub(super) bytes: u64,
    /// The address of the first word, at or before the start.
    pub(super) base: u64,
    /// Several mappings can have the same words.
    pub(super) words: Arc<[AtomicU64]>,
    /// A mask of written bytes for each word, if writes are tracked.
    pub(super) written: Option<Arc<[AtomicU8]>>,
    pub(super) purpose: Use,
    /// `true` if no byte can be accessed: the allocation was freed, or is a mapping without access.
    pub(super) is_closed: bool,
    /// The blocks of the heap, if the allocation is one. Only their bytes can be accessed.
    pub(super) heap: Option<Box<Heap>>,
}

/// All allocations, by address.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(super) allocations: Vec<Allocation>,
    pub(super) next: u64,
    /// Sizes of reserved ranges by their addresses.
    pub(super) reserved: BTreeMap<u64, u64>,
    buffers: usize,
    /// The address of the heap, if there is one.
    heap: Option<u64>,
    /// The address of the workspace of cooperative launches, if there is one.
    workspace: Option<u64>,
    /// Held during an access of 128 bits at once, which is one of two words.
    pairs: Mutex<()>,
    /// `true` if writes of later allocations are tracked.
    pub(crate) notes_writes: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Self::starting_at(FIRST)
    }
}

/// A reason why an access is impossible.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) kind: FaultKind,
    pub(crate) what: String,
    /// The number of the nearest buffer.
    pub(crate) buffer: Option<usize>,
}

/// Returns the words of a range of bytes, each with a mask of its bytes in the range.
fn words(offset: u64, bytes: u64) -> impl Iterator<Item = (usize, u8)> {
    let end = offset + bytes;
    (offset / 8..end.div_ceil(8)).map(move |word| {
        let (from, to) = (offset.max(8 * word) - 8 * word, end.min(8 * word + 8) - 8 * word);
        (word as usize, (0xff_u32 >> (8 - (to - from)) << from) as u8)
    })
}

impl Memory {
    /// Makes a memory whose first allocation is at this address, rounded up to the alignment.
    pub(crate) const fn starting_at(next: u64) -> Self {
        Self {
            allocations: Vec::new(),
            next,
            reserved: BTreeMap::new(),
            buffers: 0,
            heap: None,
            workspace: None,
            pairs: Mutex::new(()),
            notes_writes: false,
        }
    }

    /// Keeps other accesses of 128 bits away until the guard is dropped.
    pub(crate) fn pairs(&self) -> MutexGuard<'_, ()> {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if nothing was ever allocated.
    pub(crate) const fn is_empty(&self) -> bool {
        self.allocations.is_empty()
    }

    /// Allocates memory with undefined contents. `None` allocates a buffer with the next number,
    /// which begins at a page if it has the size of one: programs divide it by pages.
    pub(crate) fn allocate(&mut self, bytes: u64, align: u64, purpose: Option<Use>) -> u64 {
        let page = match bytes {
            _ if purpose.is_some() => 1,
            LARGE.. => LARGE_PAGE,
            PAGE.. => PAGE,
            _ => 1,
        };
        let align = align.max(page);
        let purpose = purpose.unwrap_or_else(|| self.next_buffer());
        let start = self.next.next_multiple_of(align.max(APART));
        self.next = (start + bytes).next_multiple_of(APART) + APART;
        let written = self.written(bytes);
        self.insert(Allocation {
            start,
            bytes,
            base: start,
            words: undefined(bytes),
            written,
            heap: (purpose == Use::Heap).then(|| Box::new(Heap::new(start, bytes))),
            purpose,
            is_closed: false,
        });
        start
    }

    pub(crate) const fn has_heap(&self) -> bool {
        self.heap.is_some()
    }

    /// Makes the heap, if there is none.
    pub(crate) fn add_heap(&mut self, bytes: u64) {
        if self.heap.is_none() {
            self.heap = Some(self.allocate(bytes, APART, Some(Use::Heap)));
        }
    }

    /// Returns the heap with its allocation. Returns `None` if there is none.
    pub(crate) fn heap(&self) -> Option<(&Heap, &Allocation)> {
        let i = self.allocations.binary_search_by_key(&self.heap?, |a| a.start).ok()?;
        let allocation = &self.allocations[i];
        Some((allocation.heap.as_deref()?, allocation))
    }

    /// Returns the address of the workspace of a cooperative launch, with zeros.
    pub(crate) fn workspace(&mut self) -> u64 {
        const BYTES: u64 = 64;
        let address = match self.workspace {
            Some(address) => address,
            None => self.allocate(BYTES, APART, Some(Use::Workspace)),
        };
        self.workspace = Some(address);
        if let Ok(found) = self.find(address, BYTES) {
            found.fill(0, &[0; BYTES as usize]);
        }
        address
    }

    /// Allocates a buffer at the address of its bytes in this process.
    pub(crate) fn allocate_host(&mut self, bytes: u64, purpose: Option<Use>) -> u64 {
        let words = undefined(bytes + APART);
        let base = words.as_ptr().expose_provenance() as u64;
        let start = base.next_multiple_of(APART);
        // The system can use a freed address again.
        self.allocations.retain(|a| !a.is_closed || a.start >= start + bytes || a.start + a.bytes <= start);
        let purpose = purpose.unwrap_or_else(|| self.next_buffer());
        // The machine does not see writes of the process.
        self.insert(Allocation { start, bytes, base, words, written: None, purpose, is_closed: false, heap: None });
        start
    }

    /// Returns the masks of unwritten bytes, if writes are tracked.
    pub(super) fn written(&self, bytes: u64) -> Option<Arc<[AtomicU8]>> {
        self.notes_writes.then(|| (0..bytes.div_ceil(8)).map(|_| AtomicU8::new(0)).collect())
    }

    const fn next_buffer(&mut self) -> Use {
        self.buffers += 1;
        Use::Buffer(self.buffers)
    }

    pub(super) fn insert(&mut self, allocation: Allocation) {
        let at = self.allocations.partition_point(|a| a.start <= allocation.start);
        self.allocations.insert(at, allocation);
    }

    /// Frees the allocation that begins at `start`. Returns `false` if there is none.
    pub(crate) fn free(&mut self, start: u64) -> bool {
        let Ok(i) = self.allocations.binary_search_by_key(&start, |a| a.start) else { return false };
        let allocation = &mut self.allocations[i];
        if matches!(allocation.purpose, Use::Heap | Use::Workspace | Use::Mapping(_)) {
            return false;
        }
        let was_there = !allocation.is_closed;
        allocation.is_closed = true;
        allocation.words = Arc::default();
        allocation.written = None;
        was_there
    }

    /// Returns the allocation that has all of these bytes.
    pub(crate) fn find(&self, address: u64, bytes: u64) -> Result<&Allocation, Refused> {
        let next = self.allocations.partition_point(|a| a.start <= address);
        match next.checked_sub(1).map(|i| &self.allocations[i]) {
            Some(a) if a.has(address, bytes) => Ok(a),
            _ => Err(self.refused(address, next)),
        }
    }

    /// Returns the address and the size of the allocation with this byte. Returns `None` if there
    /// is none.
    pub(crate) fn around(&self, address: u64) -> Option<(u64, u64)> {
        self.find(address, 1).ok().map(|a| (a.start, a.bytes))
    }

    /// Describes the surroundings of an address that lacks the bytes.
    #[cold]
    fn refused(&self, address: u64, next: usize) -> Refused {
        if let Some(refused) = self.unmapped(address) {
            return refused;
        }
        let before = next.checked_sub(1).map(|i| &self.allocations[i]);
        let after = self.allocations.get(next);
        let mut kind = FaultKind::OutOfBounds;
        let (what, at) = match (before, after) {
            _ if address < 4096 => ("which is a null pointer".to_owned(), None),
            (Some(Allocation { start, bytes, heap: Some(heap), .. }), _) if address < start + bytes => {
                let (found, what) = heap.refused(address);
                return Refused { kind: found, what, buffer: None };
            }
            (Some(a), _) if a.is_closed && address < a.start + a.bytes => {
                kind = FaultKind::Freed;
                (format!("{} bytes into {}, which was freed", address - a.start, a.named()), Some(a))
            }
            (Some(a), _) if address < a.start + a.bytes => {
                (format!("{} bytes before the end of {}", a.start + a.bytes - address, a.named()), Some(a))
            }
            _ => {
                // The nearer one is named.
                let past = before.map(|a| (address - (a.start + a.bytes), "past the end of", a));
                let ahead = after.map(|a| (a.start - address, "before", a));
                let nearest = past.into_iter().chain(ahead).min_by_key(|(distance, ..)| *distance);
                match nearest.filter(|(distance, ..)| *distance < NEAR) {
                    Some((distance, is, a)) => (format!("{distance} bytes {is} {}", a.named()), Some(a)),
                    None => ("which is near no allocation".to_owned(), None),
                }
            }
        };
        let buffer = match at.map(|a| &a.purpose) {
            Some(Use::Buffer(number)) => Some(*number),
            _ => None,
        };
        Refused { kind, what, buffer }
    }
}

/// Returns words for so many bytes, with undefined contents.
pub(super) fn undefined(bytes: u64) -> Arc<[AtomicU64]> {
    (0..bytes.div_ceil(8)).map(|_| AtomicU64::new(UNDEFINED)).collect()
}

impl Allocation {
    /// Returns the offset of an address.
    pub(crate) const fn offset(&self, address: u64) -> u64 {
        address - self.start
    }

    /// Returns `true` if the allocation has all of these bytes.
    pub(crate) fn has(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        let is_inside = !self.is_closed && offset <= self.bytes && bytes <= self.bytes - offset;
        is_inside && self.heap.as_ref().is_none_or(|heap| heap.has(address, bytes))
    }

    /// Returns a description for messages.
    pub(crate) fn named(&self) -> String {
        let bytes = self.bytes;
        match &self.purpose {
            Use::Buffer(number) => format!("buffer #{number} of {bytes} bytes"),
            Use::Variable(name) => format!("the variable `{name}` of {bytes} bytes"),
            Use::Constant(name) => format!("the constant `{name}` of {bytes} bytes"),
            Use::Heap => format!("the heap of {bytes} bytes"),
            Use::Workspace => format!("the workspace of the grid of {bytes} bytes"),
            Use::Mapping(Permission::Read) => format!("the read-only mapping of {bytes} bytes at {:#x}", self.start),
            Use::Mapping(_) => format!("the mapping of {bytes} bytes at {:#x}", self.start),
        }
    }

    /// Returns `true` for a variable of a module.
    pub(crate) const fn is_variable(&self) -> bool {
        matches!(self.purpose, Use::Variable(_))
    }

    /// Returns `true` if threads cannot write.
    pub(crate) const fn is_constant(&self) -> bool {
        matches!(self.purpose, Use::Constant(_) | Use::Mapping(Permission::Read))
    }

    /// Reads up to eight bytes that do not cross a multiple of eight.
    #[inline]
    pub(crate) fn read(&self, address: u64, bytes: u32) -> u64 {
        let offset = address - self.base;
        let word = self.words[(offset / 8) as usize].load(Ordering::Relaxed);
        word >> (8 * (offset % 8)) & u64::MAX >> (64 - 8 * bytes)
    }

    /// Writes up to eight bytes that do not cross a multiple of eight.
    #[inline]
    pub(crate) fn write(&self, address: u64, bytes: u32, value: u64) {
        let offset = address - self.base;
        let word = &self.words[(offset / 8) as usize];
        if bytes == 8 {
            word.store(value, Ordering::Relaxed);
            return;
        }
        let shift = 8 * (offset % 8);
        self.merge(word, u64::MAX >> (64 - 8 * bytes) << shift, value << shift);
    }

    /// Writes the bits of the mask in one atomic step.
    #[inline]
    fn merge(&self, word: &AtomicU64, mask: u64, value: u64) {
        let mut old = word.load(Ordering::Relaxed);
        while let Err(now) =
            word.compare_exchange_weak(old, old & !mask | value & mask, Ordering::Relaxed, Ordering::Relaxed)
        {
            old = now;
        }
    }

    /// Reads consecutive elements from an address that is a multiple of their size. The allocation
    /// has all of them.
    #[inline(always)]
    pub(crate) fn read_row<W: Word>(&self, address: u64, values: &mut [W]) {
        let (offset, bits) = (address - self.base, u64::from(W::BITS));
        let first = (offset / 8) as usize;
        let last = ((offset + values.len() as u64 * bits / 8 - 1) / 8) as usize;
        let words = &self.words[first..=last];
        if offset.is_multiple_of(8) {
            for (values, word) in values.chunks_mut((64 / bits) as usize).zip(words) {
                let word = word.load(Ordering::Relaxed);
                for (i, value) in values.iter_mut().enumerate() {
                    *value = W::cut(word >> (i as u64 * bits % 64));
                }
            }
            return;
        }
        for (i, value) in values.iter_mut().enumerate() {
            let at = offset % 8 * 8 + i as u64 * bits;
            *value = W::cut(words[(at / 64) as usize].load(Ordering::Relaxed) >> (at % 64));
        }
    }

    /// Writes consecutive elements. Whole words are written at once, with the effect of one write
    /// per element.
    #[inline(always)]
    pub(crate) fn write_row<W: Word>(&self, address: u64, values: &[W]) {
        let size = W::BITS / 8;
        let per_word = (8 / size) as usize;
        let before = ((self.base.wrapping_sub(address) % 8) as usize / size as usize).min(values.len());
        let (head, rest) = values.split_at(before);
        let mut at = address;
        for value in head {
            self.write(at, size, value.u());
            at += u64::from(size);
        }
        let whole = rest.chunks_exact(per_word);
        let tail = whole.remainder();
        let first = ((at - self.base) / 8) as usize;
        for (values, word) in whole.zip(&self.words[first..]) {
            let bits = values.iter().rev().fold(0, |all, value| all << (W::BITS % 64) | value.u());
            word.store(bits, Ordering::Relaxed);
        }
        at += u64::from(size) * (rest.len() - tail.len()) as u64;
        for value in tail {
            self.write(at, size, value.u());
            at += u64::from(size);
        }
    }

    /// Replaces up to eight bytes in one atomic step, and returns the old ones.
    pub(crate) fn update(&self, address: u64, bytes: u32, mut f: impl FnMut(u64) -> u64) -> u64 {
        let offset = address - self.base;
        let word = &self.words[(offset / 8) as usize];
        let (shift, ones) = (8 * (offset % 8), u64::MAX >> (64 - 8 * bytes));
        let mut old = word.load(Ordering::Relaxed);
        loop {
            let value = old >> shift & ones;
            let new = old & !(ones << shift) | (f(value) & ones) << shift;
            match word.compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return value,
                Err(now) => old = now,
            }
        }
    }

    /// Returns the number of unwritten bytes. It is 0 if writes are not tracked.
    pub(crate) fn undefined(&self, address: u64, bytes: u64) -> u64 {
        let Some(written) = &self.written else { return 0 };
        let missing = |(i, ones): (usize, u8)| (ones & !written[i].load(Ordering::Relaxed)).count_ones();
        words(address - self.start, bytes).map(missing).map(u64::from).sum()
    }

    /// Marks bytes of a new block of the heap as unwritten.
    pub(crate) fn set_unwritten(&self, address: u64, bytes: u64) {
        let Some(written) = &self.written else { return };
        for (i, ones) in words(address - self.start, bytes) {
            written[i].fetch_and(!ones, Ordering::Relaxed);
        }
    }

    /// Marks bytes as written.
    pub(crate) fn set_written(&self, address: u64, bytes: u64) {
        let Some(written) = &self.written else { return };
        for (i, ones) in words(address - self.start, bytes) {
            // Usually the bits are set already, and a read is cheaper than a write.
            if written[i].load(Ordering::Relaxed) & ones != ones {
                written[i].fetch_or(ones, Ordering::Relaxed);
            }
        }
    }

    /// Copies bytes to an offset.
    pub(crate) fn fill(&self, offset: u64, bytes: &[u8]) {
        self.set_written(self.start + offset, bytes.len() as u64);
        let offset = offset + (self.start - self.base);
        for (i, byte) in bytes.iter().enumerate().take_while(|(i, _)| !(offset + *i as u64).is_multiple_of(8)) {
            self.write(self.base + offset + i as u64, 1, (*byte).into());
        }
        let lead = (offset.next_multiple_of(8) - offset) as usize;
        let rest = bytes.get(lead..).unwrap_or_default();
        let whole = rest.chunks_exact(8);
        let tail = whole.remainder();
        let first = (offset as usize + lead) / 8;
        for (word, chunk) in self.words.get(first..).unwrap_or_default().iter().zip(whole) {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(chunk);
            word.store(u64::from_le_bytes(bytes), Ordering::Relaxed);
        }
        let end = offset + bytes.len() as u64 - tail.len() as u64;
        for (i, byte) in tail.iter().enumerate() {
            self.write(self.base + end + i as u64, 1, (*byte).into());
        }
    }

    /// Returns the bytes at an offset.
    pub(crate) fn bytes(&self, offset: u64, count: u64) -> Vec<u8> {
        let offset = offset + (self.start - self.base);
        let from = (offset / 8) as usize;
        let words = self.words.get(from..).unwrap_or_default().iter();
        let bytes = words.flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes());
        bytes.skip((offset % 8) as usize).take(count as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_any_offset() {
        let mut memory = Memory::default();
        let start = memory.allocate(37, 1, None);
        let a = memory.find(start, 37).unwrap();
        for offset in 0..20 {
            let data: Vec<u8> = (1..=17).map(|x| x + offset as u8).collect();
            a.fill(offset, &data);
            assert_eq!(a.bytes(offset, 17), data, "{offset}");
        }
        a.write(start + 4, 2, 0xbeef);
        assert_eq!((a.read(start + 4, 1), a.read(start + 5, 1), a.read(start + 4, 4) & 0xffff), (0xef, 0xbe, 0xbeef));
        assert_eq!(a.update(start + 4, 2, |x| x + 1), 0xbeef);
        assert_eq!(a.read(start + 4, 2), 0xbef0);
    }

    #[test]
    fn rows_are_their_elements_wherever_they_begin() {
        let mut memory = Memory::default();
        let start = memory.allocate(100, 1, None);
        let a = memory.find(start, 100).unwrap();
        for from in 0..8 {
            a.fill(0, &[0xff; 100]);
            let values: [u16; 11] = std::array::from_fn(|i| (i + 1) as u16);
            a.write_row(start + 2 * from, &values);
            let mut back = [0; 11];
            a.read_row(start + 2 * from, &mut back);
            let one_by_one = (0..11).map(|i| a.read(start + 2 * (from + i), 2) as u16);
            assert!(back == values && one_by_one.eq(values), "{from}");
            assert_eq!(a.bytes(0, 100).iter().filter(|byte| **byte == 0xff).count(), 78);
        }
        a.write_row(start + 4, &[1_u32, 2, 3, 4]);
        assert_eq!((a.read(start + 8, 8), a.read(start + 16, 4)), (3 << 32 | 2, 4));
    }

    #[test]
    fn memory_of_the_process_is_found_by_its_address() {
        let mut memory = Memory::starting_at(1 << 56);
        let before = memory.allocate(8, 1, None);
        let host = memory.allocate_host(21, None);
        assert!(before == 1 << 56 && host.is_multiple_of(APART) && host < before);
        let a = memory.find(host, 21).unwrap();
        a.fill(3, &[7; 18]);
        assert_eq!((a.bytes(2, 3)[1..].to_vec(), a.read(host + 20, 1), a.offset(host + 20)), (vec![7; 2], 7, 20));
        let at = a.words.as_ptr().addr() as u64;
        assert!(at <= host && host + 21 <= at + 8 * a.words.len() as u64, "the bytes are there");
        assert_eq!((memory.around(host + 20), memory.around(host + 21)), (Some((host, 21)), None));
        assert!(memory.free(host) && memory.find(host, 1).unwrap_err().kind == FaultKind::Freed);
        // The system uses an address again sooner or later.
        for _ in 0..100 {
            let again = memory.allocate_host(21, None);
            assert!(memory.find(again, 21).is_ok() && memory.free(again));
        }
    }

    #[test]
    fn bytes_that_nobody_wrote_are_counted() {
        let mut memory = Memory::default();
        let before = memory.allocate(16, 1, None);
        memory.notes_writes = true;
        let start = memory.allocate(37, 1, None);
        let a = memory.find(start, 37).unwrap();
        assert_eq!(a.undefined(start, 37), 37);
        a.fill(6, &[1; 12]);
        a.set_written(start + 30, 2);
        assert_eq!([a.undefined(start, 37), a.undefined(start + 4, 4), a.undefined(start + 8, 8)], [23, 2, 0]);
        assert_eq!([a.undefined(start + 16, 4), a.undefined(start + 30, 2), a.undefined(start + 30, 4)], [2, 0, 2]);
        assert_eq!(memory.find(before, 16).unwrap().undefined(before, 16), 0);
    }

    #[test]
    fn a_message_names_the_nearest_allocation() {
        let mut memory = Memory::default();
        let (a, b) = (memory.allocate(10, 1, None), memory.allocate(8, 1, Some(Use::Constant("c".to_owned()))));
        let said = |memory: &Memory, address, bytes| memory.find(address, bytes).unwrap_err().what;
        assert!(memory.find(a, 10).is_ok() && memory.find(b, 8).unwrap().is_constant());
        assert_eq!(said(&memory, a + 10, 4), "0 bytes past the end of buffer #1 of 10 bytes");
        assert_eq!(said(&memory, a + 8, 4), "2 bytes before the end of buffer #1 of 10 bytes");
        assert_eq!(said(&memory, a - 4, 4), "4 bytes before buffer #1 of 10 bytes");
        assert_eq!(said(&memory, 8, 4), "which is a null pointer");
        assert_eq!(said(&memory, u64::MAX, 4), "which is near no allocation");
        assert!(memory.free(a) && !memory.free(a) && !memory.free(a + 1));
        assert_eq!(memory.find(a + 2, 1).unwrap_err().kind, FaultKind::Freed);
        assert_ne!(memory.allocate(10, 1, None), a);
    }
}
