//! Times up to which each thread of a block has seen the accesses of the others.
//!
//! A block has a clock, which barriers, `.sync` instructions and fences advance. The time of an
//! access is the time of its thread's last such instruction. Another thread comes after the access
//! if it has seen a later time of that thread. It sees times at a barrier of the block, for all
//! threads at once, or in a row of its own.

use std::collections::HashMap;
use std::sync::Arc;

use crate::exec::Mask;
use crate::exec::registers::lanes;

/// The time of each thread of a block up to which its accesses have been seen.
pub(crate) type Row = Arc<[u32]>;

/// Rows of blocks, by the number of the block.
pub(crate) type Known = HashMap<u32, Row>;

/// Threads that have come to a barrier for a part of the block.
#[derive(Clone, Debug, Default)]
struct Joint {
    row: Vec<u32>,
    waiting: Vec<usize>,
}

/// The times of the threads of a block.
#[derive(Debug)]
pub(crate) struct Clocks {
    /// The number of lanes of the block's warps.
    threads: usize,
    clock: u32,
    /// A time before which all threads have seen all accesses.
    base: u32,
    /// The time of each thread's last synchronization.
    time: Vec<u32>,
    /// The time of each thread's last fence.
    fenced: Vec<u32>,
    /// A row for each thread. It is empty until the first row is needed.
    rows: Vec<u32>,
    /// `true` if a thread has seen accesses of other warps since the last barrier for all.
    is_wide: Vec<bool>,
    joints: HashMap<usize, Joint>,
    /// Rows of other blocks.
    foreign: Known,
}

impl Clocks {
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            threads,
            clock: 1,
            base: 1,
            time: vec![1; threads],
            fenced: vec![0; threads],
            rows: Vec::new(),
            is_wide: vec![false; threads],
            joints: HashMap::new(),
            foreign: Known::new(),
        }
    }

    /// Starts a block: nothing of other threads has been seen, and the clock goes on.
    pub(crate) fn begin(&mut self) {
        self.all();
        self.fenced.fill(0);
        self.joints.clear();
        self.foreign.clear();
    }

    pub(crate) fn time(&self, thread: usize) -> u32 {
        self.time[thread]
    }

    /// Returns the time of a thread's last fence, or 0 if there was none.
    pub(crate) fn fenced(&self, thread: usize) -> u32 {
        self.fenced[thread]
    }

    /// Returns `true` if a thread comes after an access of another thread of the block at this
    /// time.
    pub(crate) fn knows(&self, thread: usize, other: usize, time: u32) -> bool {
        thread == other || time < self.base || self.rows.get(thread * self.threads + other).is_some_and(|t| time < *t)
    }

    /// Returns `true` if the block comes after an access of a thread of another block.
    pub(crate) fn knows_of(&self, block: u32, thread: usize, time: u32) -> bool {
        self.foreign.get(&block).is_some_and(|row| time < row[thread])
    }

    /// Handles a barrier for all threads.
    pub(crate) fn all(&mut self) {
        self.clock += 1;
        self.base = self.clock;
        self.time.fill(self.clock);
        self.is_wide.fill(false);
    }

    /// Handles a synchronization of lanes of a warp.
    pub(crate) fn meet(&mut self, warp: usize, members: Mask) {
        self.rows.resize(self.threads * self.threads, 0);
        self.clock += 1;
        let all: Vec<usize> = lanes(members).map(|lane| 32 * warp + lane).collect();
        let is_wide = all.iter().any(|&thread| self.is_wide[thread]);
        let columns = if is_wide { 0..self.threads } else { 32 * warp..32 * warp + 32 };
        let mut joint = vec![0; columns.len()];
        for &thread in &all {
            let row = &self.rows[thread * self.threads..][columns.clone()];
            joint.iter_mut().zip(row).for_each(|(joint, time)| *joint = (*joint).max(*time));
        }
        all.iter().for_each(|&thread| joint[thread - columns.start] = self.clock);
        for &thread in &all {
            self.rows[thread * self.threads..][columns.clone()].copy_from_slice(&joint);
            self.time[thread] = self.clock;
            self.is_wide[thread] = is_wide;
        }
    }

    /// Handles a thread that comes to a barrier for some threads. `waits` is `true` if the thread
    /// waits there.
    pub(crate) fn arrive(&mut self, barrier: usize, thread: usize, waits: bool) {
        self.clock += 1;
        let row = self.row(thread, self.clock);
        let joint = self.joints.entry(barrier).or_default();
        joint.row.resize(row.len(), 0);
        joint.row.iter_mut().zip(row.iter()).for_each(|(joint, time)| *joint = (*joint).max(*time));
        joint.waiting.extend(waits.then_some(thread));
        self.time[thread] = self.clock;
    }

    /// Handles the release of a barrier.
    pub(crate) fn released(&mut self, barrier: usize, all: bool) {
        let joint = self.joints.remove(&barrier);
        if all {
            return self.all();
        }
        let Some(joint) = joint else { return };
        for thread in joint.waiting {
            self.learn(thread, &joint.row);
        }
    }

    /// Handles a fence of threads of a warp.
    pub(crate) fn fence(&mut self, warp: usize, mask: Mask) {
        self.clock += 1;
        for lane in lanes(mask) {
            self.time[32 * warp + lane] = self.clock;
            self.fenced[32 * warp + lane] = self.clock;
        }
    }

    /// Returns the rows that a thread publishes by a strong write: those of its last fence. Returns
    /// `None` if there was no fence.
    pub(crate) fn published(&self, number: u32, thread: usize) -> Option<Known> {
        let fenced = self.fenced[thread];
        (fenced > 0).then(|| {
            let mut known = self.foreign.clone();
            known.insert(number, self.row(thread, fenced));
            known
        })
    }

    /// Returns the rows that a barrier for threads of several blocks publishes, which is also one
    /// for all threads of the block.
    pub(crate) fn known(&self, number: u32) -> Known {
        let mut known = self.foreign.clone();
        known.insert(number, vec![self.base; self.threads].into());
        known
    }

    /// Adds rows of other blocks, for all threads of the block.
    pub(crate) fn learn_of(&mut self, number: u32, known: &Known) {
        known
            .iter()
            .filter(|(block, _)| **block != number)
            .for_each(|(block, row)| merge(&mut self.foreign, *block, row));
    }

    /// Adds published rows to a thread's own.
    pub(crate) fn learn_all(&mut self, number: u32, thread: usize, known: &Known) {
        for (block, row) in known {
            if *block == number {
                self.learn(thread, row);
            } else {
                // A row of another block counts for all threads of the block.
                merge(&mut self.foreign, *block, row);
            }
        }
    }

    fn learn(&mut self, thread: usize, row: &[u32]) {
        self.rows.resize(self.threads * self.threads, 0);
        let own = &mut self.rows[thread * self.threads..][..self.threads];
        own.iter_mut().zip(row).for_each(|(own, time)| *own = (*own).max(*time));
        self.is_wide[thread] = true;
    }

    /// Returns the row of a thread, with its own accesses up to a time.
    fn row(&self, thread: usize, own: u32) -> Row {
        let learnt = |other: usize| self.rows.get(thread * self.threads + other).copied().unwrap_or_default();
        (0..self.threads).map(|other| if other == thread { own } else { learnt(other).max(self.base) }).collect()
    }
}

/// Merges a row of a block.
pub(crate) fn merge(known: &mut Known, block: u32, row: &Row) {
    known
        .entry(block)
        .and_modify(|old| {
            if !Arc::ptr_eq(old, row) {
                *old = old.iter().zip(row.iter()).map(|(a, b)| *a.max(b)).collect();
            }
        })
        .or_insert_with(|| row.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_and_masks_order_their_threads_alone() {
        let mut clocks = Clocks::new(64);
        let at = |clocks: &Clocks, thread: usize| (thread, clocks.time(thread));
        let before = at(&clocks, 3);
        clocks.meet(0, 0b1010);
        assert!(clocks.knows(1, before.0, before.1) && !clocks.knows(2, before.0, before.1));
        let before = at(&clocks, 1);
        clocks.meet(0, 0b0110);
        // Lane 2 sees all that lane 1 had seen, and nothing that lane 3 did later.
        assert!(clocks.knows(2, before.0, before.1) && clocks.knows(2, 3, 1) && !clocks.knows(2, 3, clocks.time(3)));
        let before = at(&clocks, 40);
        clocks.arrive(5, 40, false);
        clocks.arrive(5, 0, true);
        clocks.released(5, false);
        assert!(clocks.knows(0, before.0, before.1) && !clocks.knows(1, before.0, before.1));
        assert!(!clocks.knows(40, 0, clocks.time(0)) && !clocks.knows(0, 40, clocks.time(40)));
        let before = at(&clocks, 40);
        clocks.all();
        assert!((0..64).all(|thread| clocks.knows(thread, before.0, before.1)));
        assert!(!clocks.knows(1, 40, clocks.time(40)));
    }

    #[test]
    fn what_is_published_is_what_was_done_before_the_fence() {
        let mut clocks = Clocks::new(32);
        assert!(clocks.published(7, 0).is_none());
        let (first, other) = (clocks.time(0), clocks.time(1));
        clocks.fence(0, 1);
        let second = clocks.time(0);
        let known = clocks.published(7, 0).unwrap();
        let mut later = Clocks::new(32);
        later.learn_all(8, 5, &known);
        assert!(later.knows_of(7, 0, first) && !later.knows_of(7, 0, second) && !later.knows_of(7, 1, other));
        clocks.learn_all(7, 2, &known);
        assert!(clocks.knows(2, 0, first) && !clocks.knows(2, 0, second) && !clocks.knows(3, 0, first));
    }
}
