//! The whole library behind one symbol.
//!
//! `cargo xtask no-std` builds this as a static archive for machines without operating system, allocator or FPU, and
//! reads from its symbol table what the library asks of such a machine.
// Invariant: no other symbol has these names.

#![no_std]

use ptxf::spec::FORMS;

/// Runs the form with the given index in [`FORMS`]; 0 if there is none.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ptxf_probe(form: usize, a: u64, b: u64, c: u64) -> u64 {
    let operands = [a, b, c];
    let Some(form) = FORMS.get(form) else { return 0 };
    operands.get(..form.operands.len()).and_then(|operands| form.run.call(operands)).unwrap_or(0)
}

// Only the archive: elsewhere, as in `cargo test --workspace`, the standard library brings its own.
#[cfg(archive)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn ptxf_panicked() -> !;
    }
    // Nobody defines it: it stays visible in the archive if anything can panic.
    ptxf_panicked()
}
