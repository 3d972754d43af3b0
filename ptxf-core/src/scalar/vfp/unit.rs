//! The instructions.
//!
//! Operands come and go in core registers: the compiler offers floating-point ones to `asm!` only
//! where binary64 is too.
// Invariant: every core that this is compiled for has the instructions, which touch registers alone.

#![expect(unsafe_code, reason = "Rust has no name for these instructions")]

use core::arch::asm;

/// Binary16 to binary32: exact, but for NaNs, which become quiet.
#[inline(always)]
pub(super) fn widen(x: u16) -> f32 {
    let y: u32;
    // SAFETY: the instructions read and write registers only, and every core that this is compiled
    // for has them. The result depends on FPSCR.AHP, which is 0 wherever Rust code runs. The
    // conversion ignores the upper half of its operand.
    unsafe {
        asm!("vmov s0, {x}", "vcvtb.f32.f16 s0, s0", "vmov {y}, s0",
            x = in(reg) u32::from(x), y = lateout(reg) y, out("s0") _, options(pure, nomem, nostack));
    }
    f32::from_bits(y)
}

/// Binary32 to binary16, to nearest.
#[inline(always)]
pub(super) fn narrow(x: f32) -> u16 {
    let y: u32;
    // SAFETY: the instructions are like those of `widen`, which touch registers only. The upper
    // half of the result is that of the operand, and is cut off.
    unsafe {
        asm!("vmov s0, {x}", "vcvtb.f16.f32 s0, s0", "vmov {y}, s0",
            x = in(reg) x.to_bits(), y = lateout(reg) y, out("s0") _, options(pure, nomem, nostack));
    }
    y as u16
}

/// `x × y + z`, rounded once.
#[inline(always)]
pub(super) fn fma(x: f32, y: f32, z: f32) -> f32 {
    let d: u32;
    // SAFETY: the instructions are like those of `widen`: they touch registers only, and every core
    // has them.
    unsafe {
        asm!("vmov s0, {x}", "vmov s1, {y}", "vmov s2, {z}", "vfma.f32 s2, s0, s1", "vmov {d}, s2",
            x = in(reg) x.to_bits(), y = in(reg) y.to_bits(), z = in(reg) z.to_bits(), d = lateout(reg) d,
            out("s0") _, out("s1") _, out("s2") _, options(pure, nomem, nostack));
    }
    f32::from_bits(d)
}

/// `√x`
#[inline(always)]
pub(super) fn sqrt(x: f32) -> f32 {
    let y: u32;
    // SAFETY: the instructions are like those of `widen`: they touch registers only, and every core
    // has them.
    unsafe {
        asm!("vmov s0, {x}", "vsqrt.f32 s0, s0", "vmov {y}, s0",
            x = in(reg) x.to_bits(), y = lateout(reg) y, out("s0") _, options(pure, nomem, nostack));
    }
    f32::from_bits(y)
}
