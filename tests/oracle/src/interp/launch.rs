//! All threads of a grid, block by block, one at a time.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::task::{Context, Poll, Waker};

use super::memory::{Array, Memory, Who};
use super::number;
use super::thread::Thread;
use super::tree::{IndexOf, Kind, Type};
use super::{Fault, Kernel};
use crate::Rng;
use crate::form::Ty;

/// The threads of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The numbers of threads along x, y and z.
    pub threads: [usize; 3],
    /// The threads of a block along x, y and z. The last blocks have the remaining threads.
    pub block: [usize; 3],
    /// The order in which they run.
    pub order: Order,
}

/// The order of a launch's blocks, and of a block's threads from one barrier to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Ascending numbers.
    Serial,
    /// Descending numbers.
    Reversed,
    /// A different order for each launch.
    Shuffled(u64),
}

/// The argument for a parameter that is not an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The bits of an `f32`, an integer, or 0 and 1.
    Scalar(u64),
    /// The bits of each element: in the element type, in binary32 if kept, or an integer. For a
    /// narrow format, the bits of each byte.
    Slice(Vec<u64>),
}

/// Accesses: the slice (its number among the arguments), the element, `true` for a write.
pub type Touched = BTreeSet<(usize, usize, bool)>;

impl Order {
    fn of(self, n: usize, time: u64) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        match self {
            Self::Serial => {}
            Self::Reversed => all.reverse(),
            Self::Shuffled(seed) => {
                let mut rng = Rng::new(seed ^ time);
                for i in (1..n).rev() {
                    all.swap(i, rng.below(i as u64 + 1) as usize);
                }
            }
        }
        all
    }
}

impl Kernel {
    /// Runs every thread of the grid with `element` for `f32`. Returns the accesses to elements.
    ///
    /// # Errors
    ///
    /// Returns a fault if the kernel panics, races, has a barrier that some threads never reach, or
    /// contains a construct unknown to the interpreter; and if the arguments do not fit the
    /// parameters.
    pub fn run(&self, element: Ty, grid: Grid, arguments: &mut [Argument]) -> Result<Touched, Fault> {
        let function = self.body();
        let mut memory = Memory { traced: arguments.len(), ..Memory::default() };
        let mut frame = vec![0; function.words];
        let given = function.parameters.iter().filter(|&&id| !matches!(function.variables[id].kind, Kind::Index(..)));
        if given.clone().count() != arguments.len() {
            return Err(Fault::source(format!("`{}` takes {} arguments", function.name, given.count())));
        }
        for (number, (&id, argument)) in given.zip(&*arguments).enumerate() {
            let v = &function.variables[id];
            let (word, words, mutable) = match (v.kind, argument) {
                (Kind::Slice { mutable, .. }, Argument::Slice(words)) => (number as u64, words.clone(), mutable),
                (Kind::Scalar, Argument::Scalar(x)) if function.types[v.ty] == Type::Float && !v.kept => {
                    (number::narrow(element, *x as u32).into(), Vec::new(), false)
                }
                (Kind::Scalar, Argument::Scalar(x)) => (*x, Vec::new(), false),
                _ => return Err(Fault::source(format!("`{}` is given something else", v.name))),
            };
            frame[v.place] = word;
            memory.arrays.push(Array::new(&v.name, words, mutable));
        }
        for v in &function.variables {
            if let Kind::Shared(length) = v.kind {
                frame[v.place] = memory.arrays.len() as u64;
                memory.arrays.push(Array::new(&v.name, vec![0; length], true));
            }
        }
        let memory = RefCell::new(memory);
        let blocks: [usize; 3] = std::array::from_fn(|k| grid.threads[k].div_ceil(grid.block[k]));
        for number in grid.order.of(blocks.iter().product(), 0) {
            let block = [number % blocks[0], number / blocks[0] % blocks[1], number / blocks[0] / blocks[1]];
            memory.borrow_mut().arrays[arguments.len()..].iter_mut().for_each(Array::clear);
            self.block(element, grid, number, block, &frame, &memory)?;
        }
        let memory = memory.into_inner();
        for (argument, array) in arguments.iter_mut().zip(memory.arrays) {
            if let Argument::Slice(words) = argument {
                *words = array.words;
            }
        }
        Ok(memory.touched)
    }

    fn block(
        &self,
        element: Ty,
        grid: Grid,
        number: usize,
        block: [usize; 3],
        frame: &[u64],
        memory: &RefCell<Memory>,
    ) -> Result<(), Fault> {
        let function = self.body();
        let first: [usize; 3] = std::array::from_fn(|k| block[k] * grid.block[k]);
        let size: [usize; 3] = std::array::from_fn(|k| grid.block[k].min(grid.threads[k] - first[k]));
        let (waits, votes) = (RefCell::new(None), RefCell::default());
        let mut threads: Vec<_> = (0..size.iter().product())
            .map(|thread| {
                let local = [thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]];
                let mut frame = frame.to_vec();
                for &id in &function.parameters {
                    let v = &function.variables[id];
                    if let Kind::Index(of, axis) = v.kind {
                        let index = match of {
                            IndexOf::Thread => first[axis] + local[axis],
                            IndexOf::Local => local[axis],
                            IndexOf::Block => block[axis],
                            IndexOf::Threads => grid.threads[axis],
                            IndexOf::BlockDim => grid.block[axis],
                        };
                        frame[v.place] = index as u64;
                    }
                }
                let who = Who { block: number, thread, phase: 0 };
                let (waits, votes) = (&waits, &votes);
                let thread = Thread { kernel: self, function, element, memory, frame, who, waits, votes, rounds: 0 };
                Some(Box::pin(thread.run()))
            })
            .collect();
        // From barrier to barrier until all threads have ended.
        for phase in 1.. {
            let mut at = BTreeSet::new();
            for i in grid.order.of(threads.len(), phase) {
                let Some(thread) = &mut threads[i] else { continue };
                match thread.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(ended) => {
                        ended?;
                        threads[i] = None;
                    }
                    Poll::Pending => _ = at.insert(waits.take()),
                }
            }
            if at.is_empty() {
                break;
            }
            if at.len() > 1 || threads.iter().any(Option::is_none) {
                return Err(Fault::barrier(format!("some threads of block {block:?} wait where others never come")));
            }
        }
        Ok(())
    }
}
