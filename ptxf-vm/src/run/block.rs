//! Runs a block: its warps take turns.

use super::fault::{Fault, FaultKind};
use super::launch::Launch;
use super::schedule::Dice;
use super::shared::{BARRIERS, Shared, Waiting};
use super::warp::{State, Warp};
use super::watch::{Known, Watch};
use crate::code::Reduction;

/// The number of instructions of a warp's turn.
const TURN: u64 = 1 << 14;
/// The most instructions of a turn under a schedule, which looks for different orders.
const SHORT_TURN: u64 = 1 << 6;

/// A block that runs. It is used again for the next block.
#[derive(Debug)]
pub(crate) struct Block<'l> {
    launch: &'l Launch<'l>,
    shared: Shared,
    warps: Vec<Warp<'l>>,
    /// The numbers of warps, in the order of their turns.
    order: Vec<usize>,
}

/// The events of a round, in which each warp has a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// `true` if an instruction ran or a barrier was released.
    pub(crate) has_run: bool,
    pub(crate) is_done: bool,
}

impl<'l> Block<'l> {
    /// Makes the block of this rank in its cluster.
    pub(crate) fn new(launch: &'l Launch<'l>, rank: u32) -> Self {
        let shared = Shared::new(Watch::new(launch), rank, launch.cluster_size());
        let warps = (0..launch.threads().div_ceil(32)).map(|warp| Warp::new(launch, warp)).collect::<Vec<_>>();
        let order = (0..warps.len()).collect();
        Self { launch, shared, warps, order }
    }

    /// Starts the block `number` of the cluster at position `place` in the order of the launch.
    pub(crate) fn begin(&mut self, number: u64, place: u64) {
        if let Some(watch) = &mut self.shared.watch {
            watch.begin(number, place);
        }
        let dice = self.launch.schedule.map(|seed| Dice::new(seed, number));
        self.shared.begin(self.launch.index(number), self.launch.shared, dice);
        // The system's words are zeros at the start of a block.
        if let Some(reserved) = self.shared.bytes.get_mut(self.launch.reserved as usize..) {
            reserved.fill(0);
            let bytes = reserved.len() as u64;
            if let Some(watch) = &mut self.shared.watch {
                watch.filled(self.launch.reserved.into(), bytes);
            }
        }
        for warp in &mut self.warps {
            warp.begin(self.shared.index);
        }
    }

    /// Gives each warp a turn of at most `turn` instructions.
    pub(crate) fn round(&mut self, turn: u64) -> Result<Round, Fault> {
        let mut has_run = false;
        let mut turn = turn.min(TURN);
        if let Some(dice) = &mut self.shared.dice {
            dice.shuffle(&mut self.order);
            turn = 1 + dice.below(SHORT_TURN);
        }
        for &warp in &self.order {
            has_run |= self.warps[warp].run(&mut self.shared, turn)?;
        }
        has_run |= self.release();
        Ok(Round { has_run, is_done: self.is_done() })
    }

    pub(crate) fn is_done(&self) -> bool {
        self.warps.iter().all(Warp::is_done)
    }

    /// Passes the results of checks and tools to the launch.
    pub(crate) fn end(&mut self) {
        if let Some(watch) = &mut self.shared.watch {
            watch.end(self.launch);
        }
    }

    /// Returns the number of instructions that the block has run.
    pub(crate) fn steps(&self) -> u64 {
        self.shared.steps
    }

    /// Returns the number of accesses of global memory that could be a wait for another block.
    pub(crate) fn waits(&self) -> u64 {
        self.shared.waits
    }

    /// Exchanges the shared memory of the block with that of a block of its cluster, by its rank.
    pub(crate) fn lend(&mut self, rank: usize, bytes: &mut Vec<u8>) {
        std::mem::swap(&mut self.shared.peers[rank], bytes);
    }

    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.shared.bytes
    }

    /// Returns `true` if all threads have arrived at the barrier of the cluster or have exited, and
    /// `Some(true)` if one has arrived.
    pub(crate) fn has_arrived(&self) -> Option<bool> {
        let is_there = |warp: &Warp<'_>| warp.live & !warp.arrived == 0;
        self.warps.iter().all(is_there).then(|| self.warps.iter().any(|warp| warp.arrived != 0))
    }

    /// Releases the barrier of the cluster.
    pub(crate) fn release_cluster(&mut self) {
        if let Some(watch) = &mut self.shared.watch {
            watch.released(BARRIERS, true);
        }
        for warp in &mut self.warps {
            warp.arrived = 0;
            warp.release(BARRIERS, |_, _, _| {});
        }
    }

    /// Returns the accesses that the block has seen at the barrier of the cluster, for the check of
    /// races.
    pub(crate) fn known(&self) -> Option<Known> {
        self.shared.watch.as_ref()?.known()
    }

    /// Handles the accesses that another block has seen.
    pub(crate) fn learn(&mut self, known: &Known) {
        if let Some(watch) = &mut self.shared.watch {
            watch.learn(known);
        }
    }

    /// Releases barriers that enough threads have reached. Threads that have exited are not waited
    /// for.
    fn release(&mut self) -> bool {
        let live: u32 = self.warps.iter().map(Warp::live).sum();
        let mut released = false;
        for (id, waiting) in self.shared.barriers.iter_mut().enumerate() {
            if waiting.arrived == 0 || waiting.arrived < waiting.expected.unwrap_or(live) {
                continue;
            }
            if let Some(watch) = &mut self.shared.watch {
                watch.released(id, waiting.expected.is_none());
            }
            for warp in &mut self.warps {
                warp.release(id, |reduction, registers, mask| match reduction {
                    Reduction::Popc(reg) => {
                        for lane in crate::exec::registers::lanes(mask) {
                            registers.set(reg, lane, waiting.truths.into());
                        }
                    }
                    Reduction::And(p) => registers.set_truth(p, u32::from(waiting.lies == 0).wrapping_neg(), mask),
                    Reduction::Or(p) => registers.set_truth(p, u32::from(waiting.truths != 0).wrapping_neg(), mask),
                });
            }
            *waiting = Waiting::default();
            released = true;
        }
        released
    }

    /// Makes the fault of a block in which every thread waits.
    pub(crate) fn deadlock(&self) -> Fault {
        let mut all = Vec::new();
        let mut first = None;
        for warp in &self.warps {
            for group in warp.groups() {
                let line = warp.line(group);
                let what = match group.state {
                    State::AtBarrier { id, .. } if id == BARRIERS => "at the barrier of the cluster".to_owned(),
                    State::AtBarrier { id, .. } => format!("at barrier {id}"),
                    State::ForWarp => "for all lanes of the warp".to_owned(),
                    _ => "for lanes of the warp".to_owned(),
                };
                all.push(format!("{} threads of warp {} in line {line} {what}", group.mask.count_ones(), warp.index));
                first.get_or_insert_with(|| {
                    warp.fault(&self.shared, group, group.mask.trailing_zeros(), FaultKind::Deadlock, String::new())
                });
            }
        }
        let mut fault = first.unwrap_or_else(|| Fault::new(FaultKind::Deadlock, String::new()));
        fault.what = format!("threads wait for each other without end: {}", all.join("; "));
        fault
    }
}
