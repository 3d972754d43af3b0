//! Runs instructions of a cluster of blocks: its barrier, and addresses in the shared memory of its
//! blocks.

use super::SHARED_WINDOW;
use super::access::is_in;
use super::fault::FaultKind;
use super::shared::{BARRIERS, Shared};
use super::warp::{Group, Next, State, Warp, Wrong};
use crate::code::{Op, Space};
use crate::exec::Mask;
use crate::exec::registers::lanes;

/// Returns the start of the window of a generic address in shared memory, or 0 for an address
/// within shared memory, which has at most 32 bits.
fn window(address: u64) -> u64 {
    if is_in(Space::Shared, address) { SHARED_WINDOW } else { 0 }
}

impl Warp<'_> {
    /// Runs `barrier.cluster`.
    pub(crate) fn at_cluster(&mut self, group: &Group, op: &Op, mask: Mask) -> Result<Next, Wrong> {
        let lane_of = |wrong: Mask, what: &str| Wrong {
            lane: wrong.trailing_zeros(),
            kind: FaultKind::Synchronization,
            what: what.to_owned(),
            buffer: None,
        };
        if matches!(op, Op::ArriveCluster) {
            if self.unwaited & mask != 0 {
                let what = "a second arrival at the barrier of the cluster, without a wait after the first";
                return Err(lane_of(self.unwaited & mask, what));
            }
            (self.arrived, self.unwaited) = (self.arrived | mask, self.unwaited | mask);
            return Ok(Next::On);
        }
        if mask & !self.unwaited != 0 {
            let what = "a wait at the barrier of the cluster, without an arrival before it";
            return Err(lane_of(mask & !self.unwaited, what));
        }
        self.unwaited &= !mask;
        // The phases of the other threads are over.
        let waits = mask & self.arrived;
        if waits == 0 {
            return Ok(Next::On);
        }
        self.wait(group, waits, State::AtBarrier { id: BARRIERS, reduction: None });
        self.send(group, group.pc + 1, group.frame, group.mask & !waits);
        Ok(Next::Changed)
    }

    /// Runs `mapa`, `getctarank` and `isspacep`.
    pub(crate) fn address_in_cluster(
        &mut self,
        frame: usize,
        op: &Op,
        mask: Mask,
        shared: &Shared,
    ) -> Result<(), Wrong> {
        let registers = &mut self.frames[frame].registers;
        let mut truth = 0;
        for lane in lanes(mask) {
            match op {
                Op::Map { result, address, rank } => {
                    let (at, rank) = (registers.get(*address, lane), registers.get(*rank, lane) as u32);
                    let Some(mapped) = shared.mapped(at - window(at), rank) else {
                        let blocks = shared.peers.len().max(1);
                        let what = format!("the address of rank {rank} of {blocks} blocks of a cluster");
                        return Err(Wrong { lane: lane as u32, kind: FaultKind::OutOfBounds, what, buffer: None });
                    };
                    registers.set(*result, lane, window(at) + mapped);
                }
                Op::RankOf { result, address } => {
                    let at = registers.get(*address, lane);
                    registers.set(*result, lane, shared.rank_of(at - window(at)).into());
                }
                Op::IsSpace { of_cluster, space, address, .. } => {
                    let at = registers.get(*address, lane);
                    let is_own = || shared.rank_of(at - window(at)) == shared.rank;
                    let found = is_in(*space, at) && (*space != Space::Shared || *of_cluster || is_own());
                    truth |= Mask::from(found) << lane;
                }
                _ => {}
            }
        }
        if let Op::IsSpace { predicate, .. } = op {
            registers.set_truth(*predicate, truth, mask);
        }
        Ok(())
    }
}
