//! State that the warps of a block share.

use super::schedule::Dice;
use super::watch::Watch;
use crate::code::Barrier;
use crate::exec::{Mask, Registers};

/// The number of barriers of a block.
pub(crate) const BARRIERS: usize = 16;

/// The threads that wait at a barrier.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting {
    /// The number of threads that have arrived.
    pub(crate) arrived: u32,
    /// The number of threads that the barrier waits for. `None` is the whole block.
    pub(crate) expected: Option<u32>,
    /// The numbers of threads in which the predicate is true and false.
    pub(crate) truths: u32,
    pub(crate) lies: u32,
}

/// State that the warps of a block share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) bytes: Vec<u8>,
    /// The index of the block in the grid.
    pub(crate) index: [u32; 3],
    /// The barriers of the block, and that of its cluster.
    pub(crate) barriers: [Waiting; BARRIERS + 1],
    /// The number of instructions that have run.
    pub(crate) steps: u64,
    /// The checks and tools.
    pub(crate) watch: Option<Box<Watch>>,
    /// Random numbers for the order of turns. `None` is the order of the warps' numbers.
    pub(crate) dice: Option<Dice>,
}

impl Shared {
    pub(crate) fn new(watch: Option<Box<Watch>>) -> Self {
        let barriers = [Waiting::default(); BARRIERS + 1];
        Self { bytes: Vec::new(), index: [0; 3], barriers, steps: 0, watch, dice: None }
    }

    /// Starts a block with `bytes` bytes of undefined shared memory.
    pub(crate) fn begin(&mut self, index: [u32; 3], bytes: u32, dice: Option<Dice>) {
        self.bytes.clear();
        self.bytes.resize(bytes as usize, 0xa5);
        (self.index, self.barriers, self.steps, self.dice) = (index, [Waiting::default(); BARRIERS + 1], 0, dice);
    }

    /// Counts threads at a barrier. Returns an error if the use of the barrier is wrong.
    pub(crate) fn arrive(
        &mut self,
        registers: &Registers,
        barrier: &Barrier,
        lane: usize,
        mask: Mask,
    ) -> Result<usize, String> {
        let named = registers.get(barrier.id, lane) as usize;
        let id = if barrier.of_cluster { BARRIERS } else { named };
        let Some(waiting) = self.barriers.get_mut(id).filter(|_| named < BARRIERS) else {
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
