//! Runs the blocks of a launch on the CPU's cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::argument::Extent;
use super::block::Block;
use super::fault::Fault;
use super::memory::Memory;
use super::output::Output;
use super::program::Loaded;
use super::progress::Progress;
use super::schedule::Permutation;
use super::watch::Tools;
use crate::code::Code;

/// State that all blocks of a launch share.
#[derive(Debug)]
pub(crate) struct Launch<'m> {
    pub(crate) program: &'m Loaded,
    pub(crate) memory: &'m Memory,
    pub(crate) output: &'m Output,
    pub(crate) progress: Option<&'m Progress>,
    /// The code of the entry.
    pub(crate) code: &'m Code,
    /// The bytes of the arguments.
    pub(crate) input: Vec<u8>,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Bytes of dynamic shared memory, and of all shared memory.
    pub(crate) dynamic: u32,
    pub(crate) shared: u32,
    /// The address of the words with which the blocks of a cooperative launch wait for each other,
    /// or 0.
    pub(crate) workspace: u64,
    /// The most instructions of a block's warps.
    pub(crate) limit: u64,
    /// The seed of the order of blocks, warps and groups. `None` is the order of their numbers.
    pub(crate) schedule: Option<u64>,
    pub(crate) tools: &'m Tools<'m>,
    pub(crate) at_once: bool,
    /// `true` if a block has failed, so that blocks that wait for it end.
    pub(crate) is_over: AtomicBool,
}

/// The sizes of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) grid: Extent,
    pub(crate) block: Extent,
    /// Bytes of dynamic shared memory.
    pub(crate) shared: u32,
    /// `true` if all blocks run at the same time.
    pub(crate) at_once: bool,
}

impl Launch<'_> {
    /// Returns the number of threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Returns the index of the block with this number.
    pub(crate) fn index(&self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [number % x, number / x % y, number / (x * y)].map(|i| i as u32)
    }

    /// Runs all blocks on `threads` threads, or all at the same time. Returns the fault of the
    /// first block in the order of the launch.
    pub(crate) fn run(&self, threads: usize) -> Result<(), Fault> {
        let blocks = self.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        let order = Permutation::new(self.schedule, blocks);
        let (next, ended, first_fault) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(None::<(u64, Fault)>));
        let work = || {
            let mut block = Block::new(self);
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= blocks {
                    return;
                }
                if let Err(fault) = block.run(order.at(place), place) {
                    // Blocks before it have started, so that the first fault in order is found.
                    next.fetch_max(blocks, Ordering::Relaxed);
                    self.is_over.store(self.at_once, Ordering::Relaxed);
                    let mut first = first_fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(of, _)| place < *of) {
                        *first = Some((place, fault));
                    }
                    return;
                }
                if let Some(progress) = self.progress {
                    progress.of(&ended, blocks);
                }
            }
        };
        let threads =
            if self.at_once { usize::MAX } else { threads }.min(usize::try_from(blocks).unwrap_or(usize::MAX));
        if threads <= 1 {
            work();
        } else {
            std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
        }
        match first_fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }
}
