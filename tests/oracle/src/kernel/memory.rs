//! The memory that threads share, and a record of their accesses.
//!
//! Memory is addressed: each number of a slice or of a shared array has a place, under which an
//! access finds it. What has no place is a thread's own. The threads of a block take turns: who is
//! suspended leaves the memory to the others.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::{Deref, DerefMut};
use std::panic::panic_any;
use std::rc::Rc;

use super::{Fault, Value};

/// The atomic operations whose order does not matter, each beside itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

/// A thread between two barriers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    changed: Vec<(Who, Option<Atomic>)>,
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

/// Memory during a launch, and the thread that runs.
#[derive(Default)]
pub(super) struct State {
    /// The array and the word of each address.
    places: HashMap<usize, (usize, usize)>,
    names: Vec<String>,
    /// The argument that each is, unless it is shared memory.
    arguments: Vec<Option<usize>>,
    /// A record for each word, except of memory that is only read.
    tracks: Vec<Vec<Track>>,
    /// Accesses: the array, the word, `true` for a write.
    pub(super) touched: BTreeSet<(usize, usize, bool)>,
    pub(super) who: Who,
}

thread_local! {
    pub(super) static STATE: RefCell<State> = RefCell::default();
}

impl State {
    /// Adds an array, `in_word` of whose numbers share a word.
    pub(super) fn add<T: Value>(
        &mut self,
        name: &str,
        elements: &[T],
        mutable: bool,
        in_word: usize,
        argument: Option<usize>,
    ) {
        let (array, mut words) = (self.names.len(), 0);
        for element in elements {
            element.leaves(&mut |address| {
                self.places.insert(address, (array, words / in_word));
                words += 1;
            });
        }
        self.names.push(name.to_owned());
        self.tracks.push(vec![Track::default(); if mutable { words.div_ceil(in_word) } else { 0 }]);
        self.arguments.push(argument);
    }

    fn race(&self, array: usize, word: usize, other: Who) -> Fault {
        let (name, who) = (&self.names[array], self.who);
        Fault::race(format!("`{name}[{word}]` is touched by {who:?} and by {other:?}, and one of them writes"))
    }

    fn touch(&mut self, address: usize, write: bool) -> Option<(usize, usize)> {
        let (array, word) = *self.places.get(&address)?;
        if let Some(argument) = self.arguments[array] {
            self.touched.insert((argument, word, write));
        }
        (!self.tracks[array].is_empty()).then_some((array, word))
    }

    fn load(&mut self, address: usize) -> Result<(), Fault> {
        let Some((array, word)) = self.touch(address, false) else { return Ok(()) };
        let who = self.who;
        let t = &mut self.tracks[array][word];
        if let Some(other) = t.written.filter(|w| w.races(who)).or_else(|| t.changes(who)) {
            return Err(self.race(array, word, other));
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
        Ok(())
    }

    fn store(&mut self, address: usize) -> Result<(), Fault> {
        let Some((array, word)) = self.touch(address, true) else { return Ok(()) };
        let who = self.who;
        let t = &mut self.tracks[array][word];
        if let Some(other) = t.races_with_write(who).or_else(|| t.changes(who)) {
            return Err(self.race(array, word, other));
        }
        t.written = Some(who);
        Ok(())
    }

    fn change(&mut self, address: usize, op: Option<Atomic>) -> Result<(), Fault> {
        let Some((array, word)) = self.touch(address, true) else { return Ok(()) };
        let who = self.who;
        let t = &mut self.tracks[array][word];
        let another = |(_, other): &&(Who, Option<Atomic>)| op.is_some() && other.is_some() && *other != op;
        let by_another = t.changed.iter().filter(another).map(|(other, _)| *other).find(|other| other.races(who));
        if let Some(other) = t.races_with_write(who).or(by_another) {
            return Err(self.race(array, word, other));
        }
        let alike =
            |(other, of): &&(Who, Option<Atomic>)| (other.block, other.phase) == (who.block, who.phase) && *of == op;
        let mut known = t.changed.iter().filter(alike);
        let (first, second) = (known.next(), known.next());
        if second.is_none() && first.is_none_or(|(other, _)| other.thread != who.thread) {
            t.changed.push((who, op));
        }
        Ok(())
    }
}

fn each(of: &impl Value, access: fn(&mut State, usize) -> Result<(), Fault>) {
    STATE.with_borrow_mut(|state| {
        of.leaves(&mut |address| {
            if let Err(fault) = access(state, address) {
                panic_any(fault);
            }
        });
    });
}

/// Notes that a value is read.
pub fn note<T: Value>(of: &T) -> &T {
    each(of, State::load);
    of
}

/// Notes that a value is written.
pub fn note_write<T: Value>(of: &mut T) {
    each(of, State::store);
}

/// Notes that a value is read and written by a function to which it is lent.
pub fn lent<T: Value>(of: &mut T) -> &mut T {
    each(of, State::load);
    each(of, State::store);
    of
}

/// Notes an atomic change; with a promise, of any order.
pub(super) fn change(of: &impl Value, op: Option<Atomic>) {
    of.leaves(&mut |address| {
        if let Err(fault) = STATE.with_borrow_mut(|state| state.change(address, op)) {
            panic_any(fault);
        }
    });
}

/// Memory that the threads of a launch hold in turns.
pub type Slot<T> = Rc<RefCell<Option<Box<T>>>>;

/// Memory of which the thread that runs has taken hold. While it rests, other threads can.
#[derive(Debug)]
pub struct Held<T: ?Sized> {
    slot: Slot<T>,
    memory: Option<Box<T>>,
}

impl<T: ?Sized> Held<T> {
    /// Takes hold of it.
    #[must_use]
    pub fn new(slot: &Slot<T>) -> Self {
        let mut held = Self { slot: slot.clone(), memory: None };
        held.resume();
        held
    }

    /// Leaves it to other threads.
    pub fn rest(&mut self) {
        if let Some(memory) = self.memory.take() {
            self.slot.replace(Some(memory));
        }
    }

    /// Takes hold of it again.
    ///
    /// # Panics
    ///
    /// Panics if another thread holds it.
    pub fn resume(&mut self) {
        if self.memory.is_none() {
            self.memory = self.slot.take();
        }
        assert!(self.memory.is_some(), "memory is held over a barrier: is its name given to another variable?");
    }
}

impl<T: ?Sized> Drop for Held<T> {
    fn drop(&mut self) {
        self.rest();
    }
}

impl<T: ?Sized> Deref for Held<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.memory.as_ref().expect("its thread runs")
    }
}

impl<T: ?Sized> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.memory.as_mut().expect("its thread runs")
    }
}
