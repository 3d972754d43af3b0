//! A launch: blocks, on the CPU's cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::DYNAMIC_ALIGN;
use super::argument::Extent;
use super::block::Block;
use super::fault::{Fault, FaultKind};
use super::memory::Memory;
use super::output::Output;
use super::program::Loaded;
use crate::code::Code;

/// What all blocks of a launch have in common.
#[derive(Debug)]
pub(crate) struct Launch<'m> {
    pub(crate) program: &'m Loaded,
    pub(crate) memory: &'m Memory,
    pub(crate) output: &'m Output,
    /// The entry.
    pub(crate) code: &'m Code,
    /// The bytes of the arguments.
    pub(crate) input: Vec<u8>,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Bytes of shared memory that are asked for, and all of them.
    pub(crate) dynamic: u32,
    pub(crate) shared: u32,
    /// How many instructions the warps of a block may run.
    pub(crate) limit: u64,
    at_once: bool,
    /// Whether a block has failed for which those that run at once may wait.
    pub(crate) is_over: AtomicBool,
}

/// How large a launch is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) grid: Extent,
    pub(crate) block: Extent,
    /// Bytes of dynamic shared memory.
    pub(crate) shared: u32,
    /// Whether all blocks run side by side.
    pub(crate) at_once: bool,
}

impl<'m> Launch<'m> {
    pub(crate) fn new(
        program: &'m Loaded,
        memory: &'m Memory,
        output: &'m Output,
        index: usize,
        input: Vec<u8>,
        sizes: Sizes,
        limit: u64,
    ) -> Result<Self, Fault> {
        let code = program.code(index).map_err(|e| Fault::new(FaultKind::Launch, e.to_string()))?;
        let fixed = u64::from(program.read.statics.shared).next_multiple_of(DYNAMIC_ALIGN) as u32;
        let Sizes { grid: Extent(grid), block: Extent(block), shared: dynamic, at_once } = sizes;
        let (shared, is_over) = (fixed + dynamic, AtomicBool::new(false));
        Ok(Self { program, memory, output, code, input, grid, block, dynamic, shared, limit, at_once, is_over })
    }

    /// How many threads a block has.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Runs all blocks, on so many threads or at once; the fault is that of the one with the lowest index.
    pub(crate) fn run(&self, threads: usize) -> Result<(), Fault> {
        let blocks = self.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        let (next, first_fault) = (AtomicU64::new(0), Mutex::new(None::<(u64, Fault)>));
        let work = || {
            let mut block = Block::new(self);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= blocks {
                    return;
                }
                if let Err(fault) = block.run(index) {
                    // Lower indices are taken, so that theirs is the first fault if they have one.
                    next.fetch_max(blocks, Ordering::Relaxed);
                    self.is_over.store(self.at_once, Ordering::Relaxed);
                    let mut first = first_fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(of, _)| index < *of) {
                        *first = Some((index, fault));
                    }
                    return;
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
