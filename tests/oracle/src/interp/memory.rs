//! The memory that threads share, and a record of their accesses.

use std::collections::BTreeSet;

use super::Fault;
use super::tree::AtomicOp;

/// A thread between two barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) block: usize,
    /// The thread's number in the block.
    pub(super) thread: usize,
    /// The number of barriers that it has passed.
    pub(super) phase: usize,
}

impl Who {
    /// Returns `true` if no order between two accesses is defined.
    fn races(self, other: Self) -> bool {
        self.block != other.block || self.phase == other.phase && self.thread != other.thread
    }
}

/// The accesses to an element with which a later one can race.
#[derive(Clone, Debug, Default)]
struct Track {
    written: Option<Who>,
    read: Option<Who>,
    /// Another thread has read it in the same phase.
    others: bool,
    /// A thread of another block has read it.
    other_blocks: bool,
    /// Threads that changed the element, with the atomic operation if the order of others would
    /// matter. Two threads for each phase and operation.
    changed: Vec<(Who, Option<AtomicOp>)>,
}

impl Track {
    /// Returns a thread that changes the element at the same time.
    fn changes(&self, who: Who) -> Option<Who> {
        self.changed.iter().map(|(other, _)| *other).find(|other| other.races(who))
    }

    /// Returns a thread whose access races with a write.
    fn races_with_write(&self, who: Who) -> Option<Who> {
        let by_readers =
            self.read.is_some_and(|r| r.races(who) || self.others && r.phase == who.phase) || self.other_blocks;
        if by_readers { self.written.or(self.read) } else { self.written.filter(|w| w.races(who)) }
    }
}

/// A slice or a shared array.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) words: Vec<u64>,
    pub(super) mutable: bool,
    /// Memory that is only read has no record.
    tracks: Vec<Track>,
}

impl Array {
    pub(super) fn new(name: &str, words: Vec<u64>, mutable: bool) -> Self {
        let tracks = vec![Track::default(); if mutable { words.len() } else { 0 }];
        Self { name: name.to_owned(), words, mutable, tracks }
    }

    /// Resets shared memory for a block.
    pub(super) fn clear(&mut self) {
        self.words.fill(0);
        self.tracks.fill(Track::default());
    }
}

/// All arrays of a launch.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) arrays: Vec<Array>,
    /// Number of the first arrays whose accesses are recorded.
    pub(super) traced: usize,
    /// Accesses: the array, the element, `true` for a write.
    pub(super) touched: BTreeSet<(usize, usize, bool)>,
}

impl Memory {
    fn check(&mut self, array: usize, index: u64, store: bool) -> Result<usize, Fault> {
        let a = &self.arrays[array];
        let index = usize::try_from(index)
            .ok()
            .filter(|&i| i < a.words.len())
            .ok_or_else(|| Fault::panic(format!("element {index} of `{}`, which has {}", a.name, a.words.len())))?;
        if array < self.traced {
            self.touched.insert((array, index, store));
        }
        Ok(index)
    }

    pub(super) fn load(&mut self, array: usize, index: u64, who: Who) -> Result<u64, Fault> {
        let index = self.check(array, index, false)?;
        let a = &mut self.arrays[array];
        if a.mutable {
            let t = &mut a.tracks[index];
            if let Some(other) = t.written.filter(|w| w.races(who)).or_else(|| t.changes(who)) {
                return Err(race(&a.name, index, who, other));
            }
            match t.read {
                Some(r) if r.block == who.block && r.phase == who.phase => t.others |= r.thread != who.thread,
                Some(r) => {
                    t.other_blocks |= r.block != who.block;
                    t.others = false;
                }
                None => {}
            }
            t.read = Some(who);
        }
        Ok(a.words[index])
    }

    pub(super) fn store(&mut self, array: usize, index: u64, value: u64, who: Who) -> Result<(), Fault> {
        let index = self.check(array, index, true)?;
        let a = &mut self.arrays[array];
        let t = &mut a.tracks[index];
        if let Some(other) = t.races_with_write(who).or_else(|| t.changes(who)) {
            return Err(race(&a.name, index, who, other));
        }
        t.written = Some(who);
        a.words[index] = value;
        Ok(())
    }

    /// Applies an atomic operation and returns the element's old value. Other threads may apply the
    /// same operation at the same time.
    pub(super) fn change(
        &mut self,
        array: usize,
        index: u64,
        op: Option<AtomicOp>,
        who: Who,
        change: impl FnOnce(u64) -> Result<u64, Fault>,
    ) -> Result<u64, Fault> {
        let index = self.check(array, index, true)?;
        let a = &mut self.arrays[array];
        let t = &mut a.tracks[index];
        let another = |(_, other): &&(Who, Option<AtomicOp>)| op.is_some() && other.is_some() && *other != op;
        let by_another = t.changed.iter().filter(another).map(|(other, _)| *other).find(|other| other.races(who));
        if let Some(other) = t.races_with_write(who).or(by_another) {
            return Err(race(&a.name, index, who, other));
        }
        let alike =
            |(other, of): &&(Who, Option<AtomicOp>)| (other.block, other.phase) == (who.block, who.phase) && *of == op;
        let mut known = t.changed.iter().filter(alike);
        let (first, second) = (known.next(), known.next());
        if second.is_none() && first.is_none_or(|(other, _)| other.thread != who.thread) {
            t.changed.push((who, op));
        }
        let old = a.words[index];
        a.words[index] = change(old)?;
        Ok(old)
    }
}

fn race(name: &str, index: usize, who: Who, other: Who) -> Fault {
    Fault::race(format!("`{name}[{index}]` is touched by {who:?} and by {other:?}, and one of them writes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(block: usize, thread: usize, phase: usize) -> Who {
        Who { block, thread, phase }
    }

    fn memory() -> Memory {
        Memory { arrays: vec![Array::new("s", vec![0; 4], true)], ..Memory::default() }
    }

    #[test]
    fn a_barrier_is_between_two_threads() {
        let mut m = memory();
        m.store(0, 1, 7, who(0, 0, 0)).unwrap();
        assert!(m.load(0, 1, who(0, 1, 0)).is_err());
        assert_eq!(m.load(0, 1, who(0, 1, 1)).unwrap(), 7);
        assert!(m.store(0, 1, 8, who(0, 0, 1)).is_err());
        m.store(0, 1, 8, who(0, 0, 2)).unwrap();
        // No barrier separates two blocks.
        assert!(m.load(0, 1, who(1, 0, 3)).is_err());
    }

    #[test]
    fn who_reads_first_is_not_forgotten() {
        let mut m = memory();
        m.load(0, 2, who(0, 1, 0)).unwrap();
        m.load(0, 2, who(0, 0, 0)).unwrap();
        assert!(m.store(0, 2, 1, who(0, 0, 0)).is_err());
        m.load(0, 3, who(0, 0, 0)).unwrap();
        m.load(0, 3, who(1, 0, 0)).unwrap();
        assert!(m.store(0, 3, 1, who(1, 0, 1)).is_err());
        assert!(m.store(0, 4, 1, who(0, 0, 0)).is_err());
    }
}
