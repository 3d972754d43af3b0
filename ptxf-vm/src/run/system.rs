//! Runs functions that every device provides to CUDA's compilers: `vprintf`, `__assertfail`,
//! `malloc` and `free`.

use super::access::Size;
use super::fault::FaultKind;
use super::printf::{Values, printed};
use super::shared::Shared;
use super::warp::{Group, Warp, Wrong};
use crate::code::{Passed, Space, System, SystemCall};
use crate::exec::Mask;
use crate::exec::registers::{LANES, lanes};

impl Warp<'_> {
    /// Calls the function for one lane after the other.
    pub(crate) fn system(
        &mut self,
        group: &Group,
        call: &SystemCall,
        mask: Mask,
        shared: &Shared,
    ) -> Result<(), Wrong> {
        let frame = group.frame;
        for lane in lanes(mask) {
            let arguments: Vec<u64> = call.arguments.iter().map(|from| self.passed(frame, *from, lane)).collect();
            let seen = Seen { warp: self, frame, lane, shared };
            match (call.system, &arguments[..]) {
                (System::Print, &[format, values]) => {
                    let format = seen.text(format)?;
                    let (text, count) = printed(&format, Listed { seen: &seen, next: values })?;
                    (self.launch.output.0)(&text);
                    call.results.iter().for_each(|to| self.give_back(frame, *to, lane, count.into()));
                }
                (System::AssertFail, &[message, file, line, function, _]) => {
                    let text = |address| Ok(String::from_utf8_lossy(&seen.text(address)?).into_owned());
                    let (message, file, function) = (text(message)?, text(file)?, text(function)?);
                    let what =
                        format!("the assertion `{message}` is false, in line {} of {file}, in {function}", line as u32);
                    return Err(Wrong { lane: lane as u32, kind: FaultKind::Assert, what, buffer: None });
                }
                (System::Allocate, &[bytes]) => {
                    let site = || self.site(shared.index, group, lane as u32);
                    let found = self.launch.memory.heap().filter(|_| bytes > 0).and_then(|(heap, allocation)| {
                        let address = heap.allocate(bytes, site)?;
                        allocation.set_unwritten(address, bytes);
                        Some(address)
                    });
                    // Without room the result is null.
                    call.results.iter().for_each(|to| self.give_back(frame, *to, lane, found.unwrap_or_default()));
                }
                (System::Free, &[address]) => {
                    if address != 0
                        && let Some((heap, _)) = self.launch.memory.heap()
                        && let Err((kind, what)) = heap.free(address)
                    {
                        return Err(Wrong { lane: lane as u32, kind, what, buffer: None });
                    }
                }
                // Lowering has checked the number of arguments.
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns an argument of up to eight bytes.
    fn passed(&self, frame: usize, from: Passed, lane: usize) -> u64 {
        match from {
            Passed::Local { offset, bytes } => self.local.read(lane, self.frames[frame].base + offset, bytes.min(8)),
            Passed::Register(reg) => self.frames[frame].registers.get(reg, lane),
            Passed::Predicate(_) | Passed::Nothing => 0,
        }
    }

    fn give_back(&mut self, frame: usize, to: Passed, lane: usize, value: u64) {
        match to {
            Passed::Local { offset, bytes } => {
                self.local.write(lane, self.frames[frame].base + offset, bytes.min(8), value);
            }
            Passed::Register(reg) => self.frames[frame].registers.set(reg, lane, value),
            Passed::Predicate(_) | Passed::Nothing => {}
        }
    }
}

/// Memory as a thread accesses it.
struct Seen<'a, 'l> {
    warp: &'a Warp<'l>,
    frame: usize,
    lane: usize,
    shared: &'a Shared,
}

impl Seen<'_, '_> {
    /// Reads up to eight bytes at a generic address.
    fn read(&self, address: u64, bytes: u32) -> Result<u64, Wrong> {
        let (size, mask) = (Size { verb: "read", bytes: bytes.into() }, 1 << self.lane);
        let mut addresses = [address; LANES];
        size.aligned(&addresses, mask)?;
        let (space, _) = Warp::in_space(Space::Generic, &mut addresses, mask);
        let at = addresses[self.lane];
        let of = |all: &[u8], what| {
            size.within(&addresses, mask, all.len() as u64, what)?;
            Ok(all[at as usize..][..bytes as usize].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
        };
        match space {
            Space::Shared => of(&self.shared.bytes, "shared memory"),
            Space::Input => of(&self.warp.launch.input, "arguments"),
            Space::Local => {
                size.within(&addresses, mask, self.warp.frames[self.frame].top.into(), "local memory")?;
                Ok(self.warp.local.read(self.lane, at as u32, bytes))
            }
            Space::Global | Space::Const | Space::Generic => {
                Ok(self.warp.allocation(&addresses, mask, size, false)?.0.read(at, bytes))
            }
        }
    }

    /// Returns the bytes up to the first zero.
    fn text(&self, address: u64) -> Result<Vec<u8>, Wrong> {
        let mut text = Vec::new();
        loop {
            match self.read(address.wrapping_add(text.len() as u64), 1)? {
                0 => return Ok(text),
                byte => text.push(byte as u8),
            }
        }
    }
}

/// The values of a `vprintf`, each aligned to its size.
struct Listed<'a> {
    seen: &'a Seen<'a, 'a>,
    next: u64,
}

impl Values for Listed<'_> {
    type Error = Wrong;

    fn value(&mut self, bytes: u32) -> Result<u64, Wrong> {
        let at = self.next.next_multiple_of(bytes.into());
        self.next = at + u64::from(bytes);
        self.seen.read(at, bytes)
    }

    fn text(&mut self) -> Result<Vec<u8>, Wrong> {
        match self.value(8)? {
            0 => Ok(b"(null)".to_vec()),
            address => self.seen.text(address),
        }
    }
}
