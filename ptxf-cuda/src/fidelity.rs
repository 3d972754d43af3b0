//! The report of a process at its end: the exactness of the executed instructions.

// Invariant: the C library calls the function when the process ends; it has the C ABI and does not unwind.
#![expect(unsafe_code, reason = "the C library calls a function at the end of the process")]

use std::ffi::c_int;
use std::sync::{Mutex, Once, PoisonError};

use ptxf_vm::Fidelity;

use crate::{report, state};

/// The instructions of contexts that have ended.
static ENDED: Mutex<Option<Fidelity>> = Mutex::new(None);

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

/// Adds the instructions of a context that ends.
pub(crate) fn add(of_context: &Fidelity) {
    ENDED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().merge(of_context);
}

/// Makes the end of the process print the report, once.
pub(crate) fn report_at_end() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the function is there as long as the library, whose end calls it.
        let failed = unsafe { atexit(print) };
        if failed != 0 {
            report::say("PTXF_VM_REPORT=1: the C library has no room for another function at the end");
        }
    });
}

extern "C" fn print() {
    let printed = std::panic::catch_unwind(|| {
        state::fidelity().iter().for_each(add);
        let ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner).take();
        report::fidelity(&ended.unwrap_or_default());
    });
    drop(printed);
}
