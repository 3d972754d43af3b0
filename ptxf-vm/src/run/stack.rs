//! Runs `alloca`, `stacksave` and `stackrestore`: local memory after the frame's own, lane by lane.

use super::call::MOST_LOCAL;
use super::fault::FaultKind;
use super::frame::Frame;
use super::warp::{Warp, Wrong};
use crate::exec::registers::{LANES, lanes};
use crate::exec::{Mask, Reg};

impl Frame<'_> {
    /// Returns the end of each lane's local memory.
    fn tops(&mut self) -> &mut [u32; LANES] {
        self.tops.get_or_insert_with(|| Box::new([self.top; LANES]))
    }

    /// Sets the end of the memory that the frame's threads have.
    fn set_top(&mut self) {
        let mask = self.mask;
        self.top = lanes(mask).map(|lane| self.tops()[lane]).max().unwrap_or_default();
    }
}

impl Warp<'_> {
    /// Reserves bytes for each lane.
    pub(crate) fn allocate(
        &mut self,
        frame: usize,
        address: Reg,
        bytes: Reg,
        align: u32,
        mask: Mask,
    ) -> Result<(), Wrong> {
        for lane in lanes(mask) {
            let frame = &mut self.frames[frame];
            let bytes = frame.registers.get(bytes, lane);
            let start = frame.tops()[lane].next_multiple_of(align);
            let left = u64::from(MOST_LOCAL.saturating_sub(start));
            if bytes > left {
                let what = format!("`alloca` of {bytes} bytes, and {left} are left");
                return Err(Wrong { lane: lane as u32, kind: FaultKind::StackOverflow, what, buffer: None });
            }
            // Frames of calls begin at multiples of 16.
            frame.tops()[lane] = (start + bytes as u32).next_multiple_of(16);
            frame.registers.set(address, lane, start.into());
            self.local.reserve(start, bytes as u32, 1 << lane);
        }
        self.frames[frame].set_top();
        Ok(())
    }

    /// Reads the end of the frame's memory.
    pub(crate) fn save_stack(&mut self, frame: usize, to: Reg, mask: Mask) {
        let frame = &mut self.frames[frame];
        for lane in lanes(mask) {
            let top = frame.tops()[lane];
            frame.registers.set(to, lane, top.into());
        }
    }

    /// Frees the memory after an address that `stacksave` has returned.
    pub(crate) fn restore_stack(&mut self, frame: usize, from: Reg, mask: Mask) -> Result<(), Wrong> {
        let frame = &mut self.frames[frame];
        let own = u64::from(frame.base) + u64::from(frame.code.frame);
        for lane in lanes(mask) {
            let (top, now) = (frame.registers.get(from, lane), frame.tops()[lane]);
            if top < own || top > now.into() {
                let what = format!("`stackrestore` to {top:#x}: the memory is from {own:#x} to {now:#x}");
                return Err(Wrong { lane: lane as u32, kind: FaultKind::OutOfBounds, what, buffer: None });
            }
            frame.tops()[lane] = top as u32;
        }
        frame.set_top();
        Ok(())
    }
}
