//! A block: its shared memory, its barriers, and its warps, which take turns.

use std::sync::atomic::Ordering;

use super::fault::{Fault, FaultKind};
use super::launch::Launch;
use super::schedule::Dice;
use super::warp::{State, Warp};
use super::watch::Watch;
use crate::code::{Barrier, Reduction};
use crate::exec::{Mask, Registers};

/// How many barriers a block has.
const BARRIERS: usize = 16;
/// How many instructions a warp runs before others have their turn.
const TURN: u64 = 1 << 14;
/// How many at most under a schedule that looks for orders in which results differ.
const SHORT_TURN: u64 = 1 << 6;

/// What waits at a barrier.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    /// How many threads have arrived.
    arrived: u32,
    /// For how many they wait; all of the block if nothing is said.
    expected: Option<u32>,
    /// In how many of them the predicate is true, and false.
    truths: u32,
    lies: u32,
}

/// What the warps of a block have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) bytes: Vec<u8>,
    /// The block's index in the grid.
    pub(crate) index: [u32; 3],
    barriers: [Waiting; BARRIERS],
    /// Instructions that have run.
    pub(crate) steps: u64,
    /// Who watches.
    pub(crate) watch: Option<Box<Watch>>,
    /// What decides whose turn it is, if it is not the order of numbers.
    pub(crate) dice: Option<Dice>,
}

/// A block that runs, one index after the other.
#[derive(Debug)]
pub(crate) struct Block<'l> {
    launch: &'l Launch<'l>,
    shared: Shared,
    warps: Vec<Warp<'l>>,
    /// Numbers of warps, in the order of their turns.
    order: Vec<usize>,
}

impl Shared {
    /// Counts threads at a barrier; what is wrong with it.
    pub(crate) fn arrive(
        &mut self,
        registers: &Registers,
        barrier: &Barrier,
        lane: usize,
        mask: Mask,
    ) -> Result<usize, String> {
        let id = registers.get(barrier.id, lane) as usize;
        let Some(waiting) = self.barriers.get_mut(id) else {
            return Err(format!("barrier {id}: there are {BARRIERS}"));
        };
        let expected = barrier.count.map(|reg| registers.get(reg, lane) as u32);
        if expected.is_some_and(|count| count == 0 || count % 32 != 0) {
            return Err(format!("{} threads at a barrier: a multiple of 32 is expected", expected.unwrap_or_default()));
        }
        if waiting.arrived > 0 && waiting.expected != expected {
            let shown = |count: Option<u32>| count.map_or("all".to_owned(), |n| n.to_string());
            let (one, other) = (shown(waiting.expected), shown(expected));
            return Err(format!("threads wait at barrier {id} for {one} threads and for {other}"));
        }
        waiting.expected = expected;
        waiting.arrived += mask.count_ones();
        if let Some((_, truth)) = barrier.reduction {
            let truth = registers.truth(truth) & mask;
            waiting.truths += truth.count_ones();
            waiting.lies += (mask & !truth).count_ones();
        }
        Ok(id)
    }
}

impl<'l> Block<'l> {
    pub(crate) fn new(launch: &'l Launch<'l>) -> Self {
        let shared = Shared {
            bytes: Vec::new(),
            index: [0; 3],
            barriers: [Waiting::default(); BARRIERS],
            steps: 0,
            watch: Watch::new(launch),
            dice: None,
        };
        let warps = (0..launch.threads().div_ceil(32)).map(|warp| Warp::new(launch, warp)).collect::<Vec<_>>();
        let order = (0..warps.len()).collect();
        Self { launch, shared, warps, order }
    }

    /// Runs the block with this number, which has this place in the order of the launch.
    pub(crate) fn run(&mut self, number: u64, place: u64) -> Result<(), Fault> {
        if let Some(watch) = &mut self.shared.watch {
            watch.begin(number, place);
        }
        let done = self.run_all(number);
        if let Some(watch) = &mut self.shared.watch {
            watch.end(self.launch);
        }
        done
    }

    fn run_all(&mut self, number: u64) -> Result<(), Fault> {
        self.shared.index = self.launch.index(number);
        self.shared.dice = self.launch.schedule.map(|seed| Dice::new(seed, number));
        self.shared.bytes.clear();
        self.shared.bytes.resize(self.launch.shared as usize, 0xa5);
        self.shared.barriers = [Waiting::default(); BARRIERS];
        self.shared.steps = 0;
        for warp in &mut self.warps {
            warp.begin(self.shared.index);
        }
        loop {
            if self.launch.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut ran = false;
            let mut turn = TURN;
            if let Some(dice) = &mut self.shared.dice {
                dice.shuffle(&mut self.order);
                turn = 1 + dice.below(SHORT_TURN);
            }
            for &warp in &self.order {
                ran |= self.warps[warp].run(&mut self.shared, turn)?;
            }
            let released = self.release();
            if self.warps.iter().all(Warp::is_done) {
                return Ok(());
            }
            if !ran && !released {
                return Err(self.deadlock());
            }
        }
    }

    /// Lets threads go on where as many have arrived as are waited for; those that have exited count as absent.
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

    /// Who waits where, with nobody left who could end that.
    fn deadlock(&self) -> Fault {
        let mut all = Vec::new();
        let mut first = None;
        for warp in &self.warps {
            for group in warp.groups() {
                let line = warp.line(group);
                let what = match group.state {
                    State::AtBarrier { id, .. } => format!("at barrier {id}"),
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
