//! The heap of `malloc` and `free` in kernels: blocks within one allocation.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::fault::{FaultKind, Site};

/// The alignment of a block, and the least distance between two blocks.
const APART: u64 = 16;

/// A block that `malloc` has returned.
#[derive(Debug)]
struct Piece {
    bytes: u64,
    is_freed: bool,
    /// The place of the `malloc`.
    site: Site,
}

/// The blocks by address, and the address after the last one.
#[derive(Debug)]
struct Pieces {
    all: BTreeMap<u64, Piece>,
    next: u64,
}

/// The heap of a machine.
#[derive(Debug)]
pub(crate) struct Heap {
    start: u64,
    end: u64,
    pieces: Mutex<Pieces>,
}

impl Pieces {
    /// Returns the block at or before an address.
    fn before(&self, address: u64) -> Option<(u64, &Piece)> {
        self.all.range(..=address).next_back().map(|(start, piece)| (*start, piece))
    }

    /// Returns an address with room for so many bytes before `end`.
    fn room(&mut self, start: u64, end: u64, bytes: u64) -> Option<u64> {
        let fits = |from: u64, to: u64| from <= to && bytes <= to - from;
        if fits(self.next, end) {
            return Some(self.next);
        }
        // Only a full heap uses the addresses of freed blocks again.
        self.all.retain(|_, piece| !piece.is_freed);
        let after = |(at, piece): (&u64, &Piece)| (at + piece.bytes).next_multiple_of(APART) + APART;
        let froms = [start].into_iter().chain(self.all.iter().map(after));
        let tos = self.all.keys().map(|at| at - APART).chain([end]);
        froms.zip(tos).find(|(from, to)| fits(*from, *to)).map(|(from, _)| from)
    }
}

impl Heap {
    pub(crate) const fn new(start: u64, bytes: u64) -> Self {
        Self { start, end: start + bytes, pieces: Mutex::new(Pieces { all: BTreeMap::new(), next: start }) }
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the address of a new block. Returns `None` if the heap has no room.
    pub(crate) fn allocate(&self, bytes: u64, site: impl FnOnce() -> Site) -> Option<u64> {
        let mut pieces = self.pieces();
        let at = pieces.room(self.start, self.end, bytes)?;
        pieces.all.insert(at, Piece { bytes, is_freed: false, site: site() });
        pieces.next = pieces.next.max((at + bytes).next_multiple_of(APART) + APART);
        Some(at)
    }

    /// Frees a block. Returns an error if no block begins at the address.
    pub(crate) fn free(&self, address: u64) -> Result<(), (FaultKind, String)> {
        match self.pieces().all.get_mut(&address) {
            Some(piece) if piece.is_freed => {
                let what = format!("`free` of {address:#x}, a block of {} bytes that was freed before", piece.bytes);
                Err((FaultKind::Freed, what))
            }
            Some(piece) => {
                piece.is_freed = true;
                Ok(())
            }
            None => Err((FaultKind::OutOfBounds, format!("`free` of {address:#x}, which `malloc` has not returned"))),
        }
    }

    /// Returns `true` if a block has all of these bytes.
    pub(crate) fn has(&self, address: u64, bytes: u64) -> bool {
        let pieces = self.pieces();
        let found = pieces.before(address).filter(|(_, piece)| !piece.is_freed);
        found.is_some_and(|(at, piece)| address - at <= piece.bytes && bytes <= piece.bytes - (address - at))
    }

    /// Describes the place of an address that no block has.
    pub(crate) fn refused(&self, address: u64) -> (FaultKind, String) {
        let pieces = self.pieces();
        let Some((at, piece)) = pieces.before(address) else {
            return (FaultKind::OutOfBounds, "in the heap, where `malloc` has returned nothing".to_owned());
        };
        let (offset, bytes, line) = (address - at, piece.bytes, piece.site.line);
        let block = format!("a block of {bytes} bytes that `malloc` returned in line {line}");
        if offset >= bytes {
            return (FaultKind::OutOfBounds, format!("{} bytes past the end of {block}", offset - bytes));
        }
        if piece.is_freed {
            return (FaultKind::Freed, format!("{offset} bytes into {block}, which was freed"));
        }
        (FaultKind::OutOfBounds, format!("{} bytes before the end of {block}", bytes - offset))
    }

    /// Returns the size and the place of each block that was not freed.
    pub(crate) fn left(&self) -> Vec<(u64, Site)> {
        let pieces = self.pieces();
        let left = pieces.all.values().filter(|piece| !piece.is_freed);
        left.map(|piece| (piece.bytes, piece.site.clone())).collect()
    }
}
