//! A RISC-V core with its counter of retired instructions.
// Invariant: the loop touches its own register alone.

#![expect(unsafe_code, reason = "a loop of known length")]

use core::arch::asm;

/// The unit of [`Clock`]'s ticks.
pub const UNIT: &str = "instructions";

/// The counter `minstret`.
#[derive(Debug)]
pub struct Clock(());

impl Clock {
    /// Returns the counter, which the hardware has started.
    #[must_use]
    pub fn start() -> Self {
        Self(())
    }

    /// Returns the instructions that `work` executes, modulo 2³², and its result.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (u32, T) {
        let begin = riscv::register::minstret::read();
        let result = work();
        ((riscv::register::minstret::read().wrapping_sub(begin)) as u32, result)
    }
}

/// Executes about `count` instructions.
pub fn instructions(count: u32) {
    // SAFETY: the loop changes only its register, and ends after `count / 2` iterations of two
    // instructions.
    unsafe {
        asm!("2:", "addi {n}, {n}, -1", "bnez {n}, 2b", n = inout(reg) (count / 2).max(1) => _, options(nomem, nostack));
    }
}

/// Returns `None`: the stack is not painted here, so its use is unknown.
#[must_use]
pub fn stack_used() -> Option<usize> {
    None
}
