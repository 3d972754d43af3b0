//! A Cortex-M: SysTick, and the stack that `cortex-m-rt` has painted.
// Invariant: SysTick has these addresses in every core of the M profile and no other user; the stack is painted RAM.

#![expect(unsafe_code, reason = "registers and the stack's memory have addresses, not names")]

use core::arch::asm;
use core::ptr::{self, with_exposed_provenance, with_exposed_provenance_mut};

/// What a tick of [`Clock`] is.
pub const UNIT: &str = "ticks of SysTick";

/// SysTick, which every Cortex-M has and QEMU models; the cycle counter of the DWT is in neither the Cortex-M0 nor QEMU.
///
/// It counts the processor's cycles: on silicon those that an instruction takes, in QEMU the time of a virtual clock.
#[derive(Debug)]
pub struct Clock(());

const CONTROL: usize = 0xe000_e010;
const RELOAD: usize = 0xe000_e014;
const CURRENT: usize = 0xe000_e018;
/// It has 24 bits.
const LAST: u32 = 0x00ff_ffff;

impl Clock {
    /// Starts the counter.
    #[must_use]
    pub fn start() -> Self {
        // Enabled, on the processor's clock, without an interrupt.
        for (register, value) in [(RELOAD, LAST), (CURRENT, 0), (CONTROL, 0b101)] {
            // SAFETY: the three are registers of SysTick in every ARMv6-M, ARMv7-M and ARMv8-M core, and nothing else here
            // uses SysTick.
            unsafe { with_exposed_provenance_mut::<u32>(register).write_volatile(value) }
        }
        Self(())
    }

    /// Ticks that `work` takes, if they are fewer than 2²⁴, and its result.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (u32, T) {
        let begin = Self::now();
        let result = work();
        // The counter counts down.
        (begin.wrapping_sub(Self::now()) & LAST, result)
    }

    fn now() -> u32 {
        // SAFETY: this is a register of SysTick, as in `start`. Reading it changes nothing but a flag that is not used.
        unsafe { with_exposed_provenance::<u32>(CURRENT).read_volatile() }
    }
}

/// As many instructions, but for the few around them.
pub fn instructions(count: u32) {
    // SAFETY: the loop changes nothing but its register and the flags, and ends after `count / 2` rounds of two instructions.
    unsafe {
        asm!("2:", "subs {n}, {n}, #1", "bne 2b", n = inout(reg) (count / 2).max(1) => _, options(nomem, nostack));
    }
}

/// Bytes of stack that were ever written.
#[must_use]
pub fn stack_used() -> Option<usize> {
    unsafe extern "C" {
        // Of the linker script: the stack grows from its start down to its end.
        static _stack_start: u32;
        static _stack_end: u32;
    }
    let (start, end) = (&raw const _stack_start, &raw const _stack_end);
    let mut word = ptr::from_ref(&()).with_addr(end.addr()).cast::<u32>();
    // SAFETY: every word from the end to the start is RAM and was painted before `main`; reads are volatile because the
    // upper ones are this program's live stack.
    while word.addr() < start.addr() && unsafe { word.read_volatile() } == cortex_m_rt::STACK_PAINT_VALUE {
        word = word.wrapping_add(1);
    }
    Some(start.addr() - word.addr())
}
