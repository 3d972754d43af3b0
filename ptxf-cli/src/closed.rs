//! Which standard streams were closed when the program started.
//!
//! `ptxf … >&-` has to fail, for nobody gets the answer. Before `main`, Rust's runtime opens `/dev/null` in the place of a stream
//! that is closed, and from then on the two cannot be told apart. So this asks earlier, among the initializers of C's runtime.
// Invariant: what runs before `main` calls C's library alone, and only asks whether a stream is open.

use ptxf_cli::Closed;

/// The streams that were closed, as far as this system tells.
pub(crate) fn streams() -> Closed {
    #[cfg(target_os = "linux")]
    return early::found();
    #[cfg(not(target_os = "linux"))]
    Closed::default()
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "what runs before Rust's runtime does, and asks C's library")]
mod early {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::Closed;

    /// The streams, by their numbers.
    static CLOSED: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

    pub(super) fn found() -> Closed {
        let [input, output] = [0, 1].map(|stream: usize| CLOSED[stream].load(Ordering::Relaxed));
        Closed { input, output }
    }

    unsafe extern "C" {
        fn fcntl(stream: c_int, command: c_int, ...) -> c_int;
    }

    const F_GETFD: c_int = 1;

    extern "C" fn look() {
        for (stream, closed) in (0..).zip(&CLOSED) {
            // SAFETY: this command takes no argument, changes nothing, and answers of any number whether it is a stream.
            let flags = unsafe { fcntl(stream, F_GETFD) };
            closed.store(flags == -1, Ordering::Relaxed);
        }
    }

    // SAFETY: C's runtime calls each function in this section once, in front of `main`, on the only thread there is. This one
    // needs nothing of Rust's runtime: it calls C's library, which is ready, writes atomics, and cannot panic.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}
