//! Runs `cp.async.bulk`.
//!
//! The manual lets a copy happen at any time before its `mbarrier` or its group is waited for. The
//! machine copies at once.

use super::access::{Addresses, Size};
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Warp, Wrong};
use crate::code::{Bulk, Far, Space};
use crate::exec::Mask;
use crate::exec::mbarrier::Arrival;
use crate::exec::registers::{LANES, lanes};
use crate::exec::tensor::TensorMap;

/// The bytes of a map, and the alignment of its address.
const MAP: Size = Size { verb: "read of a tensor map", bytes: 128 };
const MAP_ALIGN: u64 = 64;

/// Elements of a copy: their size, and for each the shared address and the global one. The global
/// address is `None` outside of a tensor.
type Elements = (u32, Vec<(u64, Option<u64>)>);

impl Warp<'_> {
    /// Copies for each lane.
    pub(crate) fn bulk(&mut self, frame: usize, bulk: &Bulk, mask: Mask, shared: &mut Shared) -> Result<(), Wrong> {
        let near = self.addresses(frame, &bulk.shared);
        let writes = bulk.barrier.is_none();
        for lane in lanes(mask) {
            let mut place = near;
            let (rank, _) = shared.locate(&mut place, 1 << lane);
            let start = place[lane];
            let mut ranks = vec![rank];
            if let Some(reg) = bulk.ranks.filter(|_| !shared.peers.is_empty()) {
                let named = self.frames[frame].registers.get(reg, lane);
                ranks = (0..shared.peers.len()).filter(|rank| named >> rank & 1 != 0).collect();
            }
            let (bytes, elements) = match &bulk.far {
                Far::Bytes(address, size) => {
                    let (from, bytes) =
                        (self.addresses(frame, address)[lane], self.frames[frame].registers.get(*size, lane));
                    let size = Size { verb: if writes { "bulk write" } else { "bulk read" }, bytes };
                    if !bytes.is_multiple_of(16) || !from.is_multiple_of(16) || !start.is_multiple_of(16) {
                        let what = format!("to or from {start:#x}: addresses and bytes are multiples of 16");
                        return Err(size.wrong(lane as u32, FaultKind::Misaligned, from, &what));
                    }
                    self.in_shared(lane, start, bytes, shared)?;
                    if bytes > 0 {
                        self.allocation(&[from; LANES], 1 << lane, size, writes)?;
                    }
                    let words = (0..bytes / 8).map(|i| (start + 8 * i, Some(from + 8 * i)));
                    (bytes, (8, words.collect()))
                }
                Far::Shared(_, size) | Far::Zeros(size) => {
                    let bytes = self.frames[frame].registers.get(*size, lane);
                    let from = match &bulk.far {
                        Far::Shared(address, _) => self.addresses(frame, address)[lane],
                        _ => start,
                    };
                    let unit = if matches!(bulk.far, Far::Zeros(_)) { 8 } else { 16 };
                    if [bytes, from, start].iter().any(|x| !x.is_multiple_of(unit)) {
                        let size = Size { verb: "bulk copy", bytes };
                        let what = format!("to or from {start:#x}: addresses and bytes are multiples of {unit}");
                        return Err(size.wrong(lane as u32, FaultKind::Misaligned, from, &what));
                    }
                    self.in_shared(lane, start, bytes, shared)?;
                    self.in_shared(lane, from, bytes, shared)?;
                    let copy = match &bulk.far {
                        Far::Shared(..) => shared.bytes[from as usize..][..bytes as usize].to_vec(),
                        _ => vec![0; bytes as usize],
                    };
                    for &rank in &ranks {
                        shared.of(rank)[start as usize..][..bytes as usize].copy_from_slice(&copy);
                    }
                    if let Some(watch) = shared.watch.as_mut().filter(|_| bulk.barrier.is_none()) {
                        watch.filled(start, bytes);
                    }
                    (bytes, (8, Vec::new()))
                }
                Far::Tensor((space, address), coordinates) => {
                    let map = self.map(lane, *space, self.addresses(frame, address)[lane])?;
                    let registers = &self.frames[frame].registers;
                    let at: Vec<i32> = coordinates.iter().map(|reg| registers.get(*reg, lane) as i32).collect();
                    if at.len() != usize::from(map.rank) {
                        let what = format!("{} coordinates of a tensor map with {} dimensions", at.len(), map.rank);
                        return Err(Wrong { lane: lane as u32, kind: FaultKind::OutOfBounds, what, buffer: None });
                    }
                    let bytes = map.box_bytes();
                    if !start.is_multiple_of(128) {
                        let size = Size { verb: "copy of a box", bytes };
                        let what = "of shared memory, which is no multiple of 128";
                        return Err(size.wrong(lane as u32, FaultKind::Misaligned, start, what));
                    }
                    // A swizzle exchanges pieces within 128 bytes.
                    let touched = if map.swizzle == 0 { bytes } else { bytes.next_multiple_of(128) };
                    self.in_shared(lane, start, touched, shared)?;
                    let elements = map.elements(&at).map(|(offset, address)| (map.swizzled(start + offset), address));
                    (bytes, (map.size.into(), elements.collect()))
                }
            };
            for rank in ranks {
                self.copy_elements(lane, &elements, writes, shared, rank)?;
                let Some(barrier) = &bulk.barrier else { continue };
                if let Some(watch) = shared.watch.as_mut().filter(|_| rank == shared.rank as usize) {
                    watch.filled(start, bytes);
                }
                let mut barrier = self.addresses(frame, barrier);
                let (own, _) = shared.locate(&mut barrier, 1 << lane);
                // The object is in the block that the bytes go to.
                let rank = if bulk.ranks.is_some() { rank } else { own };
                self.complete(lane, barrier[lane], bytes, shared, rank)?;
            }
        }
        Ok(())
    }

    /// Returns a fault unless shared memory has these bytes.
    fn in_shared(&self, lane: usize, start: u64, bytes: u64, shared: &Shared) -> Result<(), Wrong> {
        let size = Size { verb: "bulk copy", bytes };
        size.within(&[start; LANES], 1 << lane, shared.bytes.len() as u64, "shared memory")
    }

    fn copy_elements(
        &self,
        lane: usize,
        (size, elements): &Elements,
        writes: bool,
        shared: &mut Shared,
        rank: usize,
    ) -> Result<(), Wrong> {
        let of = Size { verb: if writes { "bulk write" } else { "bulk read" }, bytes: (*size).into() };
        let mut known = None;
        for &(near, far) in elements {
            let bytes = &mut shared.of(rank)[near as usize..][..*size as usize];
            let Some(far) = far else {
                // Outside of the tensor are zeros.
                if !writes {
                    bytes.fill(0);
                }
                continue;
            };
            let found = match known.filter(|found: &&super::memory::Allocation| found.has(far, of.bytes)) {
                Some(found) => found,
                None => self.allocation(&[far; LANES], 1 << lane, of, writes)?.0,
            };
            known = Some(found);
            if writes {
                let word = bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                found.write(far, *size, word);
                found.set_written(far, of.bytes);
            } else {
                bytes.copy_from_slice(&found.read(far, *size).to_le_bytes()[..*size as usize]);
            }
        }
        Ok(())
    }

    /// Reads a tensor map.
    fn map(&self, lane: usize, space: Space, address: u64) -> Result<TensorMap, Wrong> {
        let wrong = |kind, what: &str| Err(MAP.wrong(lane as u32, kind, address, what));
        if !address.is_multiple_of(MAP_ALIGN) {
            return wrong(FaultKind::Misaligned, "which is no multiple of 64");
        }
        let mut addresses: Addresses = [address; LANES];
        let (space, _) = Self::in_space(space, &mut addresses, 1 << lane);
        let at = addresses[lane];
        let bytes: Vec<u8> = match space {
            Space::Input => {
                MAP.within(&addresses, 1 << lane, self.launch.input.len() as u64, "arguments")?;
                self.launch.input[at as usize..][..MAP.bytes as usize].to_vec()
            }
            Space::Global | Space::Const | Space::Generic => {
                let (found, _) = self.allocation(&addresses, 1 << lane, MAP, false)?;
                (0..MAP.bytes / 8).flat_map(|i| found.read(at + 8 * i, 8).to_le_bytes()).collect()
            }
            Space::Shared | Space::Local => {
                return wrong(FaultKind::OutOfBounds, "which is neither a parameter nor global memory");
            }
        };
        match TensorMap::read(&bytes) {
            Some(map) => Ok(map),
            None => wrong(FaultKind::OutOfBounds, "which has no map of `cuTensorMapEncodeTiled` or `TensorMap`"),
        }
    }

    /// Counts bytes that have come at an `mbarrier`.
    fn complete(&self, lane: usize, barrier: u64, bytes: u64, shared: &mut Shared, rank: usize) -> Result<(), Wrong> {
        let size = Size { verb: "atomic access", bytes: 8 };
        let addresses = [barrier; LANES];
        size.aligned(&addresses, 1 << lane)?;
        size.within(&addresses, 1 << lane, shared.bytes.len() as u64, "shared memory")?;
        let object = &mut shared.of(rank)[barrier as usize..][..8];
        let old = object.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        let wrong = |what| Wrong { lane: lane as u32, kind: FaultKind::Synchronization, what, buffer: None };
        object.copy_from_slice(&Arrival::Complete.of(old, bytes).map_err(wrong)?.to_le_bytes());
        Ok(())
    }
}
