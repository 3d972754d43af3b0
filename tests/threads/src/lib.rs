//! Kernels of documentation, tests and examples, and generated ones, as rustc compiles them for one
//! thread: the reference implementation of every version (see `oracle::kernel`).

#[allow(warnings, clippy::all, reason = "as they stand there")]
#[allow(arithmetic_overflow, overflowing_literals, unconditional_panic, reason = "integers wrap")]
mod compiled {
    use oracle::kernel::Kernel;

    include!(concat!(env!("OUT_DIR"), "/threads.rs"));
}

pub use compiled::{GENERATED, find};

#[cfg(test)]
mod tests;
