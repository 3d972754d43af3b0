//! `cp.async`: bytes of global memory that wait for their thread.
//!
//! The manual lets a copy happen at any time before the wait. The machine reads at the copy and
//! writes at the wait, so that a thread that reads its bytes too early gets the old ones.

use std::collections::VecDeque;

use super::access::Size;
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Warp, Wrong};
use crate::code::{CopyAsync, Taken};
use crate::exec::Mask;
use crate::exec::registers::{LANES, lanes};

/// A pending copy.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The number of its group.
    group: u64,
    to: u64,
    bytes: u64,
    data: [u64; 2],
}

/// Pending copies of a thread, the oldest first.
#[derive(Clone, Debug, Default)]
struct OfThread {
    /// The number of committed groups.
    groups: u64,
    open: VecDeque<Open>,
}

/// Pending copies of a warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies([OfThread; LANES]);

impl Copies {
    /// Starts a block.
    pub(crate) fn begin(&mut self) {
        for thread in &mut self.0 {
            thread.groups = 0;
            thread.open.clear();
        }
    }

    /// Makes a group of the copies that the threads have issued.
    pub(crate) fn commit(&mut self, mask: Mask) {
        lanes(mask).for_each(|lane| self.0[lane].groups += 1);
    }
}

impl Warp<'_> {
    /// Issues a copy: reads its source, and checks both addresses.
    pub(crate) fn copy(&mut self, frame: usize, copy: &CopyAsync, mask: Mask, shared: &Shared) -> Result<(), Wrong> {
        let (from, to) = (self.addresses(frame, &copy.from), self.addresses(frame, &copy.to));
        let size = |verb, bytes| Size { verb, bytes };
        let (reads, writes) = (size("asynchronous read", copy.bytes), size("asynchronous write", copy.bytes));
        reads.aligned(&from, mask)?;
        writes.aligned(&to, mask)?;
        writes.within(&to, mask, shared.bytes.len() as u64, "shared memory")?;
        let ignored = copy.ignore.map_or(0, |slot| self.frames[frame].registers.truth(slot));
        for lane in lanes(mask) {
            let read = match copy.read {
                _ if ignored >> lane & 1 == 1 => 0,
                Some(reg) => self.frames[frame].registers.get(reg, lane),
                None => copy.bytes,
            };
            if read > copy.bytes {
                let what = format!("a copy of {} bytes that reads {read}", copy.bytes);
                return Err(Wrong { lane: lane as u32, kind: FaultKind::OutOfBounds, what, buffer: None });
            }
            // Bytes that are not read are zeros.
            let mut data = [0_u8; 16];
            if read > 0 {
                let (found, _) = self.allocation(&from, 1 << lane, size("asynchronous read", read), false)?;
                for (i, byte) in data[..read as usize].iter_mut().enumerate() {
                    *byte = found.read(from[lane] + i as u64, 1) as u8;
                }
            }
            let data = u128::from_le_bytes(data);
            let thread = &mut self.copies.0[lane];
            let group = thread.groups;
            let data = [data as u64, (data >> 64) as u64];
            thread.open.push_back(Open { group, to: to[lane], bytes: copy.bytes, data });
        }
        Ok(())
    }

    /// Takes a finished copy of each thread, if there is one.
    pub(crate) fn take(&mut self, frame: usize, taken: &Taken, mask: Mask) {
        let registers = &mut self.frames[frame].registers;
        let mut sizes = [0; 3];
        for lane in lanes(mask) {
            let left = registers.get(taken.left, lane);
            let thread = &mut self.copies.0[lane];
            let groups = thread.groups;
            let oldest = thread.open.front().copied();
            let Some(open) = oldest.filter(|open| open.group + left < groups) else { continue };
            thread.open.pop_front();
            registers.set(taken.address, lane, open.to);
            taken.data.iter().zip(open.data).for_each(|(reg, data)| registers.set(*reg, lane, data));
            sizes[open.bytes.trailing_zeros() as usize - 2] |= 1 << lane;
        }
        taken.sizes.iter().zip(sizes).for_each(|(predicate, of)| registers.set_truth(*predicate, of, mask));
        registers.set_truth(taken.any, sizes[0] | sizes[1] | sizes[2], mask);
    }
}
