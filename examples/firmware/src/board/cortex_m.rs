//! A Cortex-M core: SysTick, and the stack that `cortex-m-rt` has painted.
// Invariant: SysTick has these addresses in every core of the M profile and no other user; the stack is painted RAM.

#![expect(unsafe_code, reason = "registers and the stack's memory have addresses, not names")]

use core::arch::asm;
use core::ptr::{self, with_exposed_provenance, with_exposed_provenance_mut};

/// The unit of [`Clock`]'s ticks.
pub const UNIT: &str = "ticks of SysTick";

/// SysTick, which every Cortex-M has and QEMU models.
///
/// The Cortex-M0 and QEMU lack the DWT's cycle counter. SysTick counts processor cycles on silicon,
/// and a virtual clock in QEMU.
#[derive(Debug)]
pub struct Clock(());

const CONTROL: usize = 0xe000_e010;
const RELOAD: usize = 0xe000_e014;
const CURRENT: usize = 0xe000_e018;
/// The counter's largest value, of 24 bits.
const LAST: u32 = 0x00ff_ffff;

impl Clock {
    /// Starts the counter.
    #[must_use]
    pub fn start() -> Self {
        // Enables the counter on the processor's clock, without an interrupt.
        for (register, value) in [(RELOAD, LAST), (CURRENT, 0), (CONTROL, 0b101)] {
            // SAFETY: the addresses are SysTick's registers in every ARMv6-M, ARMv7-M and ARMv8-M
            // core, and nothing else here uses SysTick.
            unsafe { with_exposed_provenance_mut::<u32>(register).write_volatile(value) }
        }
        Self(())
    }

    /// Returns the ticks that `work` takes, modulo 2²⁴, and its result.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (u32, T) {
        let begin = Self::now();
        let result = work();
        // The counter counts down.
        (begin.wrapping_sub(Self::now()) & LAST, result)
    }

    fn now() -> u32 {
        // SAFETY: the address is a register of SysTick, as in `start`. A read only clears an unused
        // flag.
        unsafe { with_exposed_provenance::<u32>(CURRENT).read_volatile() }
    }
}

/// Executes about `count` instructions.
pub fn instructions(count: u32) {
    // SAFETY: the loop changes only its register and the flags, and ends after `count / 2`
    // iterations of two instructions.
    unsafe {
        asm!("2:", "subs {n}, {n}, #1", "bne 2b", n = inout(reg) (count / 2).max(1) => _, options(nomem, nostack));
    }
}

/// Returns the bytes of stack that were ever written.
#[must_use]
pub fn stack_used() -> Option<usize> {
    unsafe extern "C" {
        // Symbols of the linker script: the stack grows from its start down to its end.
        static _stack_start: u32;
        static _stack_end: u32;
    }
    let (start, end) = (&raw const _stack_start, &raw const _stack_end);
    let mut word = ptr::from_ref(&()).with_addr(end.addr()).cast::<u32>();
    // SAFETY: every word from the end to the start is RAM and was painted before `main`. Reads are
    // volatile because the upper words are this program's live stack.
    while word.addr() < start.addr() && unsafe { word.read_volatile() } == cortex_m_rt::STACK_PAINT_VALUE {
        word = word.wrapping_add(1);
    }
    Some(start.addr() - word.addr())
}
