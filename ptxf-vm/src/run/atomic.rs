//! Runs atomic operations, one lane after the other.

use ptxf_text::{Class, Ty};

use super::access::Size;
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Warp, Wrong};
use crate::code::{Atomic, Space, Update};
use crate::exec::convert::extended;
use crate::exec::registers::lanes;
use crate::exec::{Mask, Reg};

impl Update {
    /// Returns the new value. Returns an error if the operation is impossible.
    fn tried(self, ty: Ty, old: u64, a: u64, b: u64) -> Result<u64, String> {
        match self {
            Self::Arrival(arrival) => arrival.of(old, a),
            _ => Ok(self.of(ty, old, a, b)),
        }
    }

    /// Returns `true` for an operation that has changed nothing, as one does that tries again.
    fn is_idle(self, old: u64, a: u64) -> bool {
        match self {
            Self::CompareAndSwap => old != a,
            Self::Exchange => old == a,
            Self::Add => a == 0,
            Self::Or => old | a == old,
            _ => false,
        }
    }

    /// Returns the new value of an operation that is always possible.
    pub(crate) fn of(self, ty: Ty, old: u64, a: u64, b: u64) -> u64 {
        let signed = |x: u64| extended(x, ty).cast_signed();
        let less = if ty.class == Class::Signed { signed(a) < signed(old) } else { a < old };
        match self {
            Self::Add => old.wrapping_add(a),
            Self::Min => {
                if less {
                    a
                } else {
                    old
                }
            }
            Self::Max => {
                if less || a == old {
                    old
                } else {
                    a
                }
            }
            Self::And => old & a,
            Self::Or => old | a,
            Self::Xor => old ^ a,
            Self::Exchange => a,
            Self::CompareAndSwap => {
                if old == a {
                    b
                } else {
                    old
                }
            }
            Self::Increment => {
                if old >= a {
                    0
                } else {
                    old + 1
                }
            }
            Self::Decrement => {
                if old == 0 || old > a {
                    a
                } else {
                    old - 1
                }
            }
            // `tried` computes it.
            Self::Arrival(_) => old,
            // Lowering has checked that the form has two operands.
            Self::Form(spelling) => spelling.call(&[old, a]).unwrap_or_default(),
        }
    }
}

const WRONG_SPACE: &str = "where atomic operations are none: in global or shared memory they are";

impl Warp<'_> {
    /// Runs `atom` or `red`.
    pub(crate) fn atomic(
        &mut self,
        frame: usize,
        atomic: &Atomic,
        mask: Mask,
        shared: &mut Shared,
    ) -> Result<(), Wrong> {
        let mut addresses = self.addresses(frame, &atomic.address);
        let bytes = atomic.ty.bytes();
        Size { verb: "atomic access", bytes: atomic.align.into() }.aligned(&addresses, mask)?;
        if let Some(upper) = &atomic.upper {
            return self.atomic_pairs(frame, atomic, upper, mask, shared);
        }
        let size = Size { verb: "atomic access", bytes: bytes.into() };
        let operand = |warp: &Self, i: usize, lane: usize| {
            atomic.operands.get(i).map_or(0, |reg| warp.frames[frame].registers.get(*reg, lane))
        };
        let mut left = mask;
        while left != 0 {
            let (space, mut now) = Self::in_space(atomic.space, &mut addresses, left);
            match space {
                Space::Shared => {
                    let (rank, same) = shared.locate(&mut addresses, now);
                    now = same;
                    size.within(&addresses, now, shared.of(rank).len() as u64, "shared memory")?;
                    for lane in lanes(now) {
                        let at = addresses[lane] as usize;
                        let mut word = [0; 8];
                        word[..bytes as usize].copy_from_slice(&shared.of(rank)[at..at + bytes as usize]);
                        let old = u64::from_le_bytes(word);
                        let (a, b) = (operand(self, 0, lane), operand(self, 1, lane));
                        let new = atomic.in_shared.tried(atomic.ty, old, a, b).map_err(|what| {
                            let what = format!("{what}, at {at:#x} of shared memory");
                            Wrong { lane: lane as u32, kind: FaultKind::Synchronization, what, buffer: None }
                        })?;
                        shared.of(rank)[at..at + bytes as usize].copy_from_slice(&new.to_le_bytes()[..bytes as usize]);
                        if let Some(watch) = &mut shared.watch {
                            watch.updated(lane, atomic.in_shared, old, a);
                        }
                        if let Some(reg) = atomic.result {
                            self.frames[frame].registers.set(reg, lane, old);
                        }
                    }
                }
                Space::Global | Space::Generic if matches!(atomic.update, Update::Arrival(_)) => {
                    let lane = now.trailing_zeros();
                    let what = "where no mbarrier is: they are in shared memory";
                    return Err(size.wrong(lane, FaultKind::Synchronization, addresses[lane as usize], what));
                }
                Space::Global | Space::Generic => {
                    let (found, same) = self.allocation(&addresses, now, size, true)?;
                    now = same;
                    for lane in lanes(now) {
                        let (a, b) = (operand(self, 0, lane), operand(self, 1, lane));
                        let old = found.update(addresses[lane], bytes, |old| atomic.update.of(atomic.ty, old, a, b));
                        shared.waits += u64::from(atomic.update.is_idle(old, a));
                        if let Some(watch) = &mut shared.watch {
                            watch.updated(lane, atomic.update, old, a);
                        }
                        if let Some(reg) = atomic.result {
                            self.frames[frame].registers.set(reg, lane, old);
                        }
                    }
                }
                Space::Const | Space::Local | Space::Input => {
                    let lane = now.trailing_zeros();
                    return Err(size.wrong(lane, FaultKind::ReadOnly, addresses[lane as usize], WRONG_SPACE));
                }
            }
            left &= !now;
        }
        Ok(())
    }

    /// Runs an exchange, or a comparison and exchange, of 128 bits.
    fn atomic_pairs(
        &mut self,
        frame: usize,
        atomic: &Atomic,
        (upper, operands): &(Reg, Vec<Reg>),
        mask: Mask,
        shared: &mut Shared,
    ) -> Result<(), Wrong> {
        let size = Size { verb: "atomic access", bytes: 16 };
        for lane in lanes(mask) {
            let mut addresses = self.addresses(frame, &atomic.address);
            let (space, now) = Self::in_space(atomic.space, &mut addresses, 1 << lane);
            let at = addresses[lane];
            let registers = &self.frames[frame].registers;
            let value = |i| {
                let halves = [atomic.operands.get(i), operands.get(i)];
                halves.map(|reg| reg.map_or(0, |reg: &Reg| registers.get(*reg, lane)))
            };
            let new = |old: [u64; 2]| match atomic.update {
                Update::CompareAndSwap if old != value(0) => old,
                Update::CompareAndSwap => value(1),
                _ => value(0),
            };
            let old = match space {
                Space::Shared => {
                    let (rank, now) = shared.locate(&mut addresses, now);
                    let (all, at) = (shared.of(rank), addresses[lane]);
                    size.within(&addresses, now, all.len() as u64, "shared memory")?;
                    let (halves, _) = all[at as usize..][..16].as_chunks_mut::<8>();
                    let old = [halves[0], halves[1]].map(u64::from_le_bytes);
                    halves.copy_from_slice(&new(old).map(u64::to_le_bytes));
                    old
                }
                Space::Global | Space::Generic => {
                    let (found, _) = self.allocation(&addresses, now, size, true)?;
                    let _held = self.launch.memory.pairs();
                    let old = [found.read(at, 8), found.read(at + 8, 8)];
                    shared.waits += u64::from(new(old) == old);
                    let [low, high] = new(old);
                    found.write(at, 8, low);
                    found.write(at + 8, 8, high);
                    old
                }
                Space::Const | Space::Local | Space::Input => {
                    return Err(size.wrong(lane as u32, FaultKind::ReadOnly, at, WRONG_SPACE));
                }
            };
            let registers = &mut self.frames[frame].registers;
            for (reg, old) in atomic.result.iter().chain([upper]).zip(old) {
                registers.set(*reg, lane, old);
            }
        }
        Ok(())
    }
}
