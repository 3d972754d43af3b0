//! State that the warps of a block share.

use super::access::Addresses;
use super::schedule::Dice;
use super::watch::Watch;
use crate::code::Barrier;
use crate::exec::registers::lanes;
use crate::exec::{Mask, Registers};

/// The number of barriers of a block. It is also the number of the barrier of the cluster.
pub(crate) const BARRIERS: usize = 16;
/// The distance of the addresses of two blocks of a cluster, and the most shared memory of one. A
/// block's own memory begins at 0, and the memory of rank r at (r + 1) · `PEER`.
pub(crate) const PEER: u64 = 1 << 24;

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
    /// The rank of the block in its cluster, and the shared memory of the cluster's other blocks by
    /// rank. There is none without a cluster.
    pub(crate) rank: u32,
    pub(crate) peers: Vec<Vec<u8>>,
    /// The barriers of the block.
    pub(crate) barriers: [Waiting; BARRIERS],
    /// The number of instructions that have run.
    pub(crate) steps: u64,
    /// The number of strong loads, and of atomic operations without an effect.
    pub(crate) waits: u64,
    /// The checks and tools.
    pub(crate) watch: Option<Box<Watch>>,
    /// Random numbers for the order of turns. `None` is the order of the warps' numbers.
    pub(crate) dice: Option<Dice>,
}

impl Shared {
    pub(crate) fn new(watch: Option<Box<Watch>>, rank: u32, cluster: u32) -> Self {
        let barriers = [Waiting::default(); BARRIERS];
        let peers = if cluster > 1 { vec![Vec::new(); cluster as usize] } else { Vec::new() };
        Self { bytes: Vec::new(), index: [0; 3], rank, peers, barriers, steps: 0, waits: 0, watch, dice: None }
    }

    /// Returns the rank of the block whose shared memory has the address of the lowest lane, and
    /// the lanes with addresses in the same memory, which become offsets.
    pub(crate) fn locate(&self, addresses: &mut Addresses, mask: Mask) -> (usize, Mask) {
        if self.peers.is_empty() {
            return (self.rank as usize, mask);
        }
        let first = addresses[mask.trailing_zeros() as usize] / PEER;
        let same = lanes(mask).filter(|&lane| addresses[lane] / PEER == first).fold(0, |m, lane| m | 1 << lane);
        let rank = first.checked_sub(1).and_then(|rank| usize::try_from(rank).ok());
        let Some(rank) = rank.filter(|rank| *rank < self.peers.len()) else { return (self.rank as usize, same) };
        lanes(same).for_each(|lane| addresses[lane] %= PEER);
        (rank, same)
    }

    /// Returns the shared memory of the block of this rank.
    pub(crate) fn of(&mut self, rank: usize) -> &mut Vec<u8> {
        if rank == self.rank as usize { &mut self.bytes } else { &mut self.peers[rank] }
    }

    /// Returns the address of a byte in the block of a rank, from its address in any block of the
    /// cluster. Returns `None` if the cluster has no such block.
    pub(crate) fn mapped(&self, address: u64, rank: u32) -> Option<u64> {
        match self.peers.len() {
            0 => (rank == 0).then_some(address),
            _ if rank == self.rank => Some(address % PEER),
            blocks => ((rank as usize) < blocks).then(|| (u64::from(rank) + 1) * PEER + address % PEER),
        }
    }

    /// Returns the rank of the block with this address.
    pub(crate) fn rank_of(&self, address: u64) -> u32 {
        match (address / PEER).checked_sub(1) {
            Some(rank) if !self.peers.is_empty() => rank as u32,
            _ => self.rank,
        }
    }

    /// Starts a block with `bytes` bytes of undefined shared memory.
    pub(crate) fn begin(&mut self, index: [u32; 3], bytes: u32, dice: Option<Dice>) {
        self.bytes.clear();
        self.bytes.resize(bytes as usize, 0xa5);
        (self.index, self.barriers, self.dice) = (index, [Waiting::default(); BARRIERS], dice);
        (self.steps, self.waits) = (0, 0);
    }

    /// Counts threads at a barrier. Returns an error if the use of the barrier is wrong.
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
