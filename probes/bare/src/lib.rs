//! The whole library in one symbol.
//!
//! `cargo xtask no-std` builds a static archive for machines without operating system, allocator or
//! FPU, and reads the library's requirements from the symbol table.
// Invariant: no other symbol has these names.

#![no_std]

use ptxf::spec::FORMS;

/// Runs the form with the given index in [`FORMS`]. Returns 0 if there is none.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ptxf_probe(form: usize, a: u64, b: u64, c: u64) -> u64 {
    let operands = [a, b, c];
    let Some(form) = FORMS.get(form) else { return 0 };
    operands.get(..form.operands.len()).and_then(|operands| form.run.call(operands)).unwrap_or(0)
}

// Only in the archive. In other builds the standard library has the handler.
#[cfg(archive)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn ptxf_panicked() -> !;
    }
    // The function is undefined, so it is visible in the archive if anything can panic.
    ptxf_panicked()
}
