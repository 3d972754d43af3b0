//! Loads and stores of a warp.

use super::fault::FaultKind;
use super::memory::{Allocation, Refused};
use super::shared::Shared;
use super::warp::{Warp, Wrong};
use super::{INPUT_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::code::{Access, Address, Space};
use crate::exec::convert::extended;
use crate::exec::registers::{LANES, each, lanes};
use crate::exec::{Bank, Mask, Registers};

/// The address of each lane.
pub(crate) type Addresses = [u64; LANES];

/// Returns `true` if a generic address is in this space.
pub(crate) fn is_in(space: Space, address: u64) -> bool {
    let in_window = |window: u64| address.wrapping_sub(window) < WINDOW;
    match space {
        Space::Shared => in_window(SHARED_WINDOW),
        Space::Local => in_window(LOCAL_WINDOW),
        Space::Input => in_window(INPUT_WINDOW),
        Space::Global | Space::Const | Space::Generic => {
            !(in_window(SHARED_WINDOW) || in_window(LOCAL_WINDOW) || in_window(INPUT_WINDOW))
        }
    }
}

/// Reads up to eight bytes of a slice, the lowest first.
fn read(bytes: &[u8], at: usize, count: usize) -> u64 {
    let mut value = [0; 8];
    value[..count].copy_from_slice(&bytes[at..at + count]);
    u64::from_le_bytes(value)
}

/// The kind and the size of an access, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) verb: &'static str,
    pub(crate) bytes: u64,
}

impl Size {
    /// Makes the fault of the access in a lane.
    pub(crate) fn wrong(self, lane: u32, kind: FaultKind, address: u64, what: &str) -> Wrong {
        let what = format!("{} of {} bytes at {address:#x}, {what}", self.verb, self.bytes);
        Wrong { lane, kind, what, buffer: None }
    }

    /// Returns a fault for the first lane whose address is not a multiple of the size.
    pub(crate) fn aligned(self, addresses: &Addresses, mask: Mask) -> Result<(), Wrong> {
        let mut all = 0;
        each(mask, |lane| all |= addresses[lane]);
        if all & (self.bytes - 1) == 0 {
            return Ok(());
        }
        let lane = lanes(mask).find(|&lane| addresses[lane] & (self.bytes - 1) != 0).unwrap_or_default();
        let what = "which is no multiple of the size";
        Err(self.wrong(lane as u32, FaultKind::Misaligned, addresses[lane], what))
    }

    /// Returns a fault for the first lane with bytes at or beyond the limit.
    pub(crate) fn within(self, addresses: &Addresses, mask: Mask, limit: u64, of: &str) -> Result<(), Wrong> {
        let outside = |address: u64| address > limit || limit - address < self.bytes;
        let mut highest = 0;
        each(mask, |lane| highest = addresses[lane].max(highest));
        if !outside(highest) {
            return Ok(());
        }
        let lane = lanes(mask).find(|&lane| outside(addresses[lane])).unwrap_or_default();
        let what = format!("outside of {limit} bytes of {of}");
        Err(self.wrong(lane as u32, FaultKind::OutOfBounds, addresses[lane], &what))
    }
}

impl<'l> Warp<'l> {
    /// Returns the addresses of an operand.
    pub(crate) fn addresses(&self, frame: usize, address: &Address) -> Addresses {
        let frame = &self.frames[frame];
        let offset = if address.in_frame { address.offset + u64::from(frame.base) } else { address.offset };
        let Some(base) = address.base else { return [offset; LANES] };
        match base.bank {
            Bank::B64 => frame.registers.b64[base.at as usize].0.map(|x| x.wrapping_add(offset)),
            // A 32-bit address wraps around.
            Bank::B32 => frame.registers.b32[base.at as usize].0.map(|x| x.wrapping_add(offset as u32).into()),
            Bank::B16 => [0; LANES],
        }
    }

    /// Returns the space of the lowest lane, and the lanes in the same space with their addresses
    /// within it.
    pub(crate) fn in_space(space: Space, addresses: &mut Addresses, mask: Mask) -> (Space, Mask) {
        if space != Space::Generic {
            return (space, mask);
        }
        let first = addresses[mask.trailing_zeros() as usize];
        let windows = [(Space::Shared, SHARED_WINDOW), (Space::Local, LOCAL_WINDOW), (Space::Input, INPUT_WINDOW)];
        let (space, window) = windows.into_iter().find(|(space, _)| is_in(*space, first)).unwrap_or((Space::Global, 0));
        let same = lanes(mask).filter(|&lane| is_in(space, addresses[lane])).fold(0, |m, lane| m | 1 << lane);
        lanes(same).for_each(|lane| addresses[lane] -= window);
        (space, same)
    }

    /// Returns the checked allocation of the lanes. Usually one allocation has all of them.
    pub(crate) fn allocation(
        &self,
        addresses: &Addresses,
        mask: Mask,
        size: Size,
        writes: bool,
    ) -> Result<(&'l Allocation, Mask), Wrong> {
        let first = mask.trailing_zeros();
        let (mut low, mut high) = (u64::MAX, 0);
        each(mask, |lane| {
            low = low.min(addresses[lane]);
            high = high.max(addresses[lane]);
        });
        let memory = self.launch.memory;
        let whole = memory.find(low, (high - low).saturating_add(size.bytes));
        let (found, same, lane) = match whole {
            Ok(found) => (found, mask, first),
            // The lanes are in several allocations, or one lane is in none: the lowest lane comes
            // first.
            Err(_) => {
                let address = addresses[first as usize];
                let found = memory.find(address, size.bytes).map_err(|Refused { kind, what, buffer }| Wrong {
                    buffer,
                    ..size.wrong(first, kind, address, &what)
                })?;
                let is_there = |lane: &usize| {
                    memory.find(addresses[*lane], size.bytes).is_ok_and(|other| std::ptr::eq(other, found))
                };
                (found, lanes(mask).filter(is_there).fold(0, |m, lane| m | 1 << lane), first)
            }
        };
        if writes && found.is_constant() {
            let address = addresses[lane as usize];
            return Err(size.wrong(lane, FaultKind::ReadOnly, address, &format!("in {}", found.named())));
        }
        Ok((found, same))
    }

    /// Runs `ld`.
    pub(crate) fn load(&mut self, frame: usize, access: &Access, mask: Mask, shared: &mut Shared) -> Result<(), Wrong> {
        shared.waits += u64::from(access.order.strong);
        if self.load_row(frame, access, mask, shared) {
            return Ok(());
        }
        let mut addresses = self.addresses(frame, &access.address);
        let size = Size { verb: "read", bytes: access.bytes() };
        size.aligned(&addresses, mask)?;
        let mut left = mask;
        while left != 0 {
            let (space, mut now) = Self::in_space(access.space, &mut addresses, left);
            match space {
                Space::Shared => {
                    let (rank, same) = shared.locate(&mut addresses, now);
                    now = same;
                    let all = shared.of(rank);
                    size.within(&addresses, now, all.len() as u64, "shared memory")?;
                    let registers = &mut self.frames[frame].registers;
                    put(registers, access, now, |lane, offset, bytes| {
                        read(all, (addresses[lane] + offset) as usize, bytes as usize)
                    });
                }
                Space::Input => {
                    size.within(&addresses, now, self.launch.input.len() as u64, "arguments")?;
                    let registers = &mut self.frames[frame].registers;
                    put(registers, access, now, |lane, offset, bytes| {
                        read(&self.launch.input, (addresses[lane] + offset) as usize, bytes as usize)
                    });
                }
                Space::Local => {
                    size.within(&addresses, now, self.frames[frame].top.into(), "local memory")?;
                    let (registers, local) = (&mut self.frames[frame].registers, &self.local);
                    put(registers, access, now, |lane, offset, bytes| {
                        local.read(lane, (addresses[lane] + offset) as u32, bytes)
                    });
                }
                Space::Global | Space::Const | Space::Generic => {
                    let (found, same) = self.allocation(&addresses, now, size, false)?;
                    now = same;
                    let _held = access.is_pair().then(|| self.launch.memory.pairs());
                    let registers = &mut self.frames[frame].registers;
                    put(registers, access, now, |lane, offset, bytes| found.read(addresses[lane] + offset, bytes));
                }
            }
            left &= !now;
        }
        Ok(())
    }

    /// Runs `st`.
    pub(crate) fn store(
        &mut self,
        frame: usize,
        access: &Access,
        mask: Mask,
        shared: &mut Shared,
    ) -> Result<(), Wrong> {
        if self.store_row(frame, access, mask, shared) {
            return Ok(());
        }
        let mut addresses = self.addresses(frame, &access.address);
        let size = Size { verb: "write", bytes: access.bytes() };
        size.aligned(&addresses, mask)?;
        let mut left = mask;
        while left != 0 {
            let (space, mut now) = Self::in_space(access.space, &mut addresses, left);
            let registers = &self.frames[frame].registers;
            match space {
                Space::Shared => {
                    let (rank, same) = shared.locate(&mut addresses, now);
                    now = same;
                    let all = shared.of(rank);
                    size.within(&addresses, now, all.len() as u64, "shared memory")?;
                    take(registers, access, now, |lane, offset, bytes, value| {
                        let at = (addresses[lane] + offset) as usize;
                        all[at..at + bytes as usize].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
                    });
                }
                Space::Local => {
                    size.within(&addresses, now, self.frames[frame].top.into(), "local memory")?;
                    let local = &mut self.local;
                    take(registers, access, now, |lane, offset, bytes, value| {
                        local.write(lane, (addresses[lane] + offset) as u32, bytes, value);
                    });
                }
                Space::Input | Space::Const => {
                    let lane = now.trailing_zeros();
                    let what = if space == Space::Input { "among the arguments" } else { "in constant memory" };
                    return Err(size.wrong(lane, FaultKind::ReadOnly, addresses[lane as usize], what));
                }
                Space::Global | Space::Generic => {
                    let (found, same) = self.allocation(&addresses, now, size, true)?;
                    now = same;
                    let _held = access.is_pair().then(|| self.launch.memory.pairs());
                    take(registers, access, now, |lane, offset, bytes, value| {
                        found.write(addresses[lane] + offset, bytes, value);
                    });
                }
            }
            left &= !now;
        }
        Ok(())
    }
}

/// Writes loaded values to the registers of a load.
#[inline(always)]
fn put(registers: &mut Registers, access: &Access, mask: Mask, read: impl Fn(usize, u64, u32) -> u64) {
    let bytes = access.ty.bytes();
    for (i, reg) in access.registers.iter().enumerate() {
        let Some(reg) = *reg else { continue };
        let offset = i as u64 * u64::from(bytes);
        let value = |lane| extended(read(lane, offset, bytes), access.ty);
        // The width is matched once and not once per lane.
        match reg.bank {
            Bank::B16 => {
                let to = &mut registers.b16[reg.at as usize].0;
                each(mask, |lane| to[lane] = value(lane) as u16);
            }
            Bank::B32 => {
                let to = &mut registers.b32[reg.at as usize].0;
                each(mask, |lane| to[lane] = value(lane) as u32);
            }
            Bank::B64 => {
                let to = &mut registers.b64[reg.at as usize].0;
                each(mask, |lane| to[lane] = value(lane));
            }
        }
    }
}

/// Stores the registers of a store, element by element and lane by lane.
#[inline(always)]
fn take(registers: &Registers, access: &Access, mask: Mask, mut write: impl FnMut(usize, u64, u32, u64)) {
    let bytes = access.ty.bytes();
    for (i, reg) in access.registers.iter().enumerate() {
        let Some(reg) = *reg else { continue };
        let offset = i as u64 * u64::from(bytes);
        match reg.bank {
            Bank::B16 => {
                let from = &registers.b16[reg.at as usize].0;
                each(mask, |lane| write(lane, offset, bytes, from[lane].into()));
            }
            Bank::B32 => {
                let from = &registers.b32[reg.at as usize].0;
                each(mask, |lane| write(lane, offset, bytes, from[lane].into()));
            }
            Bank::B64 => {
                let from = &registers.b64[reg.at as usize].0;
                each(mask, |lane| write(lane, offset, bytes, from[lane]));
            }
        }
    }
}
