//! Runs the blocks of a cluster: they take turns, and access each other's shared memory.
//!
//! A block without a cluster is a cluster by itself.

use super::block::Block;
use super::fault::Fault;
use super::launch::Launch;

/// The blocks of a cluster.
#[derive(Debug)]
pub(crate) struct Team<'l> {
    launch: &'l Launch<'l>,
    blocks: Vec<Block<'l>>,
    /// The position in the order of the launch.
    pub(crate) place: u64,
}

impl<'l> Team<'l> {
    pub(crate) fn new(launch: &'l Launch<'l>) -> Self {
        let blocks = (0..launch.cluster_size()).map(|rank| Block::new(launch, rank)).collect();
        Self { launch, blocks, place: 0 }
    }

    /// Starts the cluster `number`, which is at position `place` in the order of the launch.
    pub(crate) fn begin(&mut self, number: u64, place: u64) {
        self.place = place;
        for (rank, block) in self.blocks.iter_mut().enumerate() {
            block.begin(self.launch.number_of(number, rank as u32), place);
        }
    }

    /// Returns the number of instructions that the blocks have run.
    pub(crate) fn steps(&self) -> u64 {
        self.blocks.iter().map(Block::steps).sum()
    }

    /// Returns `true` if the blocks seem to wait for others: they read memory that others write, or
    /// try to change it, again and again.
    pub(crate) fn waits(&self) -> bool {
        self.blocks.iter().map(Block::waits).sum::<u64>() >= self.steps() / 64
    }

    /// Runs for about so many instructions. Returns `true` if all blocks have ended.
    pub(crate) fn run(&mut self, instructions: u64) -> Result<bool, Fault> {
        let end = self.steps().saturating_add(instructions);
        loop {
            let (mut has_run, mut is_done) = (false, true);
            for rank in 0..self.blocks.len() {
                if self.blocks[rank].is_done() {
                    continue;
                }
                self.exchange(rank);
                let round = self.blocks[rank].round(instructions);
                self.exchange(rank);
                let round = round?;
                has_run |= round.has_run;
                is_done &= round.is_done;
            }
            has_run |= self.release();
            if is_done {
                return Ok(true);
            }
            if !has_run {
                let waiting = self.blocks.iter().find(|block| !block.is_done());
                return waiting.map_or(Ok(true), |block| Err(block.deadlock()));
            }
            if self.steps() >= end {
                return Ok(false);
            }
        }
    }

    /// Passes the results of checks and tools to the launch.
    pub(crate) fn end(&mut self) {
        self.blocks.iter_mut().for_each(Block::end);
    }

    /// Lends a block the shared memory of the others, or takes it back.
    fn exchange(&mut self, rank: usize) {
        for other in (0..self.blocks.len()).filter(|other| *other != rank) {
            let mut bytes = std::mem::take(self.blocks[other].bytes());
            self.blocks[rank].lend(other, &mut bytes);
            *self.blocks[other].bytes() = bytes;
        }
    }

    /// Releases the barrier of the cluster if all threads have arrived.
    fn release(&mut self) -> bool {
        let Some(arrived) = self.blocks.iter().map(Block::has_arrived).collect::<Option<Vec<bool>>>() else {
            return false;
        };
        if !arrived.contains(&true) {
            return false;
        }
        self.blocks.iter_mut().for_each(Block::release_cluster);
        let known: Vec<_> = self.blocks.iter().filter_map(Block::known).collect();
        for block in &mut self.blocks {
            known.iter().for_each(|known| block.learn(known));
        }
        true
    }
}
