//! A RISC-V: its counter of retired instructions.
// Invariant: the loop touches its own register alone.

#![expect(unsafe_code, reason = "a loop of known length")]

use core::arch::asm;

/// What a tick of [`Clock`] is.
pub const UNIT: &str = "instructions";

/// `minstret`.
#[derive(Debug)]
pub struct Clock(());

impl Clock {
    /// Starts it, which the hardware has done.
    #[must_use]
    pub fn start() -> Self {
        Self(())
    }

    /// Instructions that `work` takes, if they are fewer than 2³², and its result.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (u32, T) {
        let begin = riscv::register::minstret::read();
        let result = work();
        ((riscv::register::minstret::read().wrapping_sub(begin)) as u32, result)
    }
}

/// As many instructions, but for the few around them.
pub fn instructions(count: u32) {
    // SAFETY: the loop changes nothing but its register, and ends after `count / 2` rounds of two instructions.
    unsafe {
        asm!("2:", "addi {n}, {n}, -1", "bnez {n}, 2b", n = inout(reg) (count / 2).max(1) => _, options(nomem, nostack));
    }
}

/// Bytes of stack that were ever written: not told here, where nobody paints it.
#[must_use]
pub fn stack_used() -> Option<usize> {
    None
}
