//! Virtual memory: reserved addresses, and memory that is mapped to them.
//!
//! A mapping is an allocation like any other, so that an access costs the same. Mappings can lie
//! next to each other, and several can have the same memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64};

use super::fault::FaultKind;
use super::memory::{Allocation, Memory, Refused, Use, undefined};

/// Memory without an address, which [`Machine::map`](crate::Machine::map) gives one or several.
///
/// A copy is the same memory. It is freed with its last copy and its last mapping.
#[derive(Clone, Debug)]
pub struct Storage {
    words: Arc<[AtomicU64]>,
    written: Option<Arc<[AtomicU8]>>,
    bytes: u64,
}

/// The access that threads and copies have to mapped memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Every access is a fault.
    None,
    /// Threads cannot write.
    Read,
    /// Threads can read and write.
    ReadWrite,
}

impl Storage {
    /// Returns the size in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The alignment of reserved addresses, and the greatest number of bytes of a range.
const PAGE: u64 = 2 << 20;
const MOST: u64 = 1 << 44;

/// Returns `true` if a range of bytes has no byte of another.
const fn is_apart(start: u64, bytes: u64, other: u64, others: u64) -> bool {
    start.saturating_add(bytes) <= other || other.saturating_add(others) <= start
}

impl Memory {
    /// Reserves addresses from a multiple of `align` on. Returns `None` if there are not enough.
    pub(crate) fn reserve(&mut self, bytes: u64, align: u64) -> Option<u64> {
        if bytes == 0 || bytes > MOST || align > MOST {
            return None;
        }
        let start = self.next.checked_next_multiple_of(align.max(PAGE))?;
        // A page is left between two ranges, so that an access beyond the end is a fault.
        self.next = start.checked_add(bytes)?.checked_next_multiple_of(PAGE)?.checked_add(PAGE)?;
        self.reserved.insert(start, bytes);
        Some(start)
    }

    /// Gives reserved addresses back, which have to be without a mapping. They are not used again.
    pub(crate) fn unreserve(&mut self, start: u64) -> Result<(), String> {
        let Some(&bytes) = self.reserved.get(&start) else {
            return Err(format!("no reserved addresses begin at {start:#x}"));
        };
        if let Some(mapping) = self.mappings(start, bytes).next() {
            return Err(format!("the mapping at {:#x} is there: unmap it first", mapping.start));
        }
        self.reserved.remove(&start);
        Ok(())
    }

    /// Makes memory without an address.
    pub(crate) fn storage(&self, bytes: u64) -> Storage {
        Storage { words: undefined(bytes), written: self.written(bytes), bytes }
    }

    /// Returns the mappings with bytes in a range, which does not overflow.
    fn mappings(&self, start: u64, bytes: u64) -> impl Iterator<Item = &Allocation> {
        let is_in = move |a: &&Allocation| a.permission().is_some() && !is_apart(a.start, a.bytes, start, bytes);
        self.allocations.iter().filter(is_in)
    }

    /// Maps the first `bytes` bytes of memory to reserved addresses, without access.
    pub(crate) fn map(&mut self, start: u64, bytes: u64, storage: &Storage) -> Result<(), String> {
        if bytes == 0 || bytes > storage.bytes {
            return Err(format!("{bytes} bytes of memory that has {}", storage.bytes));
        }
        let around = self.reserved.range(..=start).next_back();
        if around.is_none_or(|(first, all)| start - first > *all || bytes > all - (start - first)) {
            return Err(format!("the {bytes} bytes at {start:#x} are not reserved: reserve them first"));
        }
        if let Some(there) = self.mappings(start, bytes).next() {
            return Err(format!("the {bytes} bytes at {start:#x} overlap {}: unmap it first", there.named()));
        }
        self.insert(Allocation {
            start,
            bytes,
            base: start,
            words: storage.words.clone(),
            written: storage.written.clone(),
            purpose: Use::Mapping(Permission::None),
            is_closed: true,
            heap: None,
        });
        Ok(())
    }

    /// Returns the indices of the mappings that are exactly these bytes.
    fn whole_mappings(&self, start: u64, bytes: u64) -> Result<std::ops::Range<usize>, String> {
        let first = self.allocations.partition_point(|a| a.start < start);
        let (mut at, mut end) = (first, start);
        while end - start < bytes {
            match self.allocations.get(at).filter(|a| a.start == end && a.permission().is_some()) {
                Some(a) if a.bytes <= bytes - (end - start) => (at, end) = (at + 1, end + a.bytes),
                Some(a) => return Err(format!("{} ends after the range: mappings are changed as a whole", a.named())),
                None => return Err(format!("no mapping begins at {end:#x}")),
            }
        }
        Ok(first..at)
    }

    /// Removes whole mappings.
    pub(crate) fn unmap(&mut self, start: u64, bytes: u64) -> Result<(), String> {
        let all = self.whole_mappings(start, bytes)?;
        self.allocations.drain(all);
        Ok(())
    }

    /// Changes the access to whole mappings.
    pub(crate) fn permit(&mut self, start: u64, bytes: u64, permission: Permission) -> Result<(), String> {
        let all = self.whole_mappings(start, bytes)?;
        for mapping in &mut self.allocations[all] {
            mapping.purpose = Use::Mapping(permission);
            mapping.is_closed = permission == Permission::None;
        }
        Ok(())
    }

    /// Returns the access to the mapping with this byte.
    pub(crate) fn permission(&self, address: u64) -> Option<Permission> {
        self.mappings(address, 1).next()?.permission()
    }

    /// Returns the reason why reserved addresses cannot be accessed. Returns `None` for others.
    pub(super) fn unmapped(&self, address: u64) -> Option<Refused> {
        if let Some(mapping) = self.mappings(address, 1).find(|mapping| mapping.is_closed) {
            let what = format!(
                "{} bytes into {}, which has no access: call cuMemSetAccess",
                address - mapping.start,
                mapping.named()
            );
            return Some(Refused { kind: FaultKind::OutOfBounds, what, buffer: None });
        }
        let (start, bytes) = self.reserved.range(..=address).next_back()?;
        if address - start >= *bytes || self.mappings(address, 1).next().is_some() {
            return None;
        }
        let what = format!(
            "{} bytes into {bytes} reserved bytes, where no memory is mapped: call cuMemMap, or launch the graph that allocates it",
            address - start
        );
        Some(Refused { kind: FaultKind::OutOfBounds, what, buffer: None })
    }

    /// Returns the pieces of a range with their addresses and sizes. Only mappings have several.
    pub(crate) fn pieces(&self, address: u64, bytes: u64) -> Result<Vec<(&Allocation, u64, u64)>, Refused> {
        let refused = match self.find(address, bytes) {
            Ok(found) => return Ok(vec![(found, address, bytes)]),
            Err(refused) => refused,
        };
        let (mut pieces, mut at, mut left) = (Vec::new(), address, bytes);
        while left > 0 {
            let mapping = match self.find(at, 1) {
                Ok(mapping) if mapping.permission().is_some() => mapping,
                Err(later) if !pieces.is_empty() => return Err(later),
                _ => return Err(refused),
            };
            let count = left.min(mapping.start + mapping.bytes - at);
            pieces.push((mapping, at, count));
            (at, left) = (at + count, left - count);
        }
        if pieces.is_empty() { Err(refused) } else { Ok(pieces) }
    }
}

impl Allocation {
    /// Returns the access to a mapping. Returns `None` for other memory.
    pub(crate) const fn permission(&self) -> Option<Permission> {
        match self.purpose {
            Use::Mapping(permission) => Some(permission),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_share_memory_and_lie_next_to_each_other() {
        let mut memory = Memory::default();
        let start = memory.reserve(4 * PAGE, PAGE).unwrap();
        let (a, b) = (memory.storage(PAGE), memory.storage(PAGE));
        for (i, storage) in [&a, &b, &a].into_iter().enumerate() {
            memory.map(start + i as u64 * PAGE, PAGE, storage).unwrap();
        }
        memory.permit(start, 3 * PAGE, Permission::ReadWrite).unwrap();
        memory.find(start + 8, 4).unwrap().write(start + 8, 4, 77);
        assert_eq!(memory.find(start + 2 * PAGE, PAGE).unwrap().read(start + 2 * PAGE + 8, 4), 77);
        let pieces = memory.pieces(start + 16, 2 * PAGE).unwrap();
        let places: Vec<_> = pieces.iter().map(|(_, at, count)| (*at - start, *count)).collect();
        assert_eq!(places, [(16, PAGE - 16), (PAGE, PAGE), (2 * PAGE, 16)]);
        let said = |memory: &Memory, at, bytes| memory.pieces(at, bytes).map(|all| all.len()).map_err(|why| why.what);
        let unmapped = format!(
            "{} bytes into {} reserved bytes, where no memory is mapped: call cuMemMap, or launch the graph that allocates it",
            3 * PAGE,
            4 * PAGE
        );
        assert_eq!(said(&memory, start + 2 * PAGE, 2 * PAGE), Err(unmapped));
        // Both ends of a mapping's life, and other ways of access.
        memory.permit(start + PAGE, PAGE, Permission::None).unwrap();
        let closed = format!(
            "4 bytes into the mapping of {PAGE} bytes at {:#x}, which has no access: call cuMemSetAccess",
            start + PAGE
        );
        assert_eq!(said(&memory, start + PAGE + 4, 4), Err(closed));
        memory.permit(start + PAGE, PAGE, Permission::Read).unwrap();
        assert!(memory.find(start + PAGE, 4).unwrap().is_constant());
        assert_eq!(memory.permission(start + 2 * PAGE - 1), Some(Permission::Read));
        memory.unmap(start, 2 * PAGE).unwrap();
        assert_eq!((memory.permission(start), memory.around(start + 2 * PAGE)), (None, Some((start + 2 * PAGE, PAGE))));
        assert!(!memory.free(start + 2 * PAGE));
        assert_eq!(
            memory.unreserve(start).unwrap_err(),
            format!("the mapping at {:#x} is there: unmap it first", start + 2 * PAGE)
        );
        memory.unmap(start + 2 * PAGE, PAGE).unwrap();
        assert_eq!(memory.unreserve(start), Ok(()));
        assert!(
            memory.unreserve(start).is_err() && memory.find(u64::MAX, 8).is_err() && memory.find(start, 1).is_err()
        );
    }

    #[test]
    fn wrong_mappings_are_refused() {
        let mut memory = Memory::default();
        let before = memory.allocate(8, 1, None);
        let start = memory.reserve(2 * PAGE, 8 * PAGE).unwrap();
        assert!(start.is_multiple_of(8 * PAGE));
        let storage = memory.storage(2 * PAGE);
        for (at, bytes) in
            [(start, 0), (start, 3 * PAGE), (start + PAGE, 2 * PAGE), (before, 8), (u64::MAX, PAGE), (0, PAGE)]
        {
            assert!(memory.map(at, bytes, &storage).is_err(), "{at:#x} {bytes}");
        }
        memory.map(start, PAGE, &storage).unwrap();
        let overlaps = memory.map(start, 2 * PAGE, &storage).unwrap_err();
        assert!(overlaps.ends_with(&format!("overlap the mapping of {PAGE} bytes at {start:#x}: unmap it first")));
        for (at, bytes) in
            [(start, PAGE / 2), (start + PAGE / 2, PAGE / 2), (start, 2 * PAGE), (before, 8), (u64::MAX, 1)]
        {
            assert!(memory.unmap(at, bytes).is_err() && memory.permit(at, bytes, Permission::Read).is_err());
        }
        for (bytes, align) in [(0, 1), (MOST + 1, 1), (1, u64::MAX), (u64::MAX, 1)] {
            assert_eq!(memory.reserve(bytes, align), None);
        }
    }
}
