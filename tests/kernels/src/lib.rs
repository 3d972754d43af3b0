//! Kernels, expanded and launched: every sibling leaves the bits that an interpreter of the source leaves, and touches the same
//! elements; those that are written by hand also leave the bits of a plain loop.
//!
//! The definition of what a kernel means is an interpreter, `tests/oracle/src/interp/`: it runs the source thread by thread, suspends a
//! thread at a barrier, rounds by the oracles and reports races. It shares nothing with the macro, so `k::scalar` is held against it,
//! too, and the generator of kernels is checked by it before anything is expanded.
#![cfg(test)]
// `cargo xtask kernels` compiles those that nobody wrote, and no others.
#![cfg_attr(only_generated, allow(dead_code, unused_macros, unused_imports, reason = "for the others"))]
#![cfg_attr(few_formats, allow(dead_code, reason = "an emulator is given these kernels in f16 alone"))]

mod float;
mod harness;
mod slot;

#[cfg(not(only_generated))]
mod arrays;
#[cfg(not(only_generated))]
mod atomics;
#[cfg(not(only_generated))]
mod barriers;
#[cfg(not(only_generated))]
mod divergence;
#[cfg(not(only_generated))]
mod elements;
#[cfg(not(only_generated))]
mod flux;
#[cfg(not(only_generated))]
mod functions;
#[cfg(not(only_generated))]
mod grids;
#[cfg(not(only_generated))]
mod integers;
#[cfg(not(only_generated))]
mod labels;
#[cfg(not(only_generated))]
mod loops;
#[cfg(not(only_generated))]
mod matches;
mod names;
#[cfg(not(only_generated))]
mod numbers;
#[cfg(not(only_generated))]
mod offsets;
#[cfg(not(only_generated))]
mod order;
#[cfg(not(only_generated))]
mod own;
#[cfg(not(only_generated))]
mod precision;
#[cfg(not(only_generated))]
mod steps;
#[cfg(not(only_generated))]
mod votes;

/// Kernels that nobody wrote; build.rs says which.
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, reason = "a variable may be assigned to itself, and there may be no kernel")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

/// What those that stand elsewhere are given.
#[allow(dead_code, reason = "where PTXF_KERNELS says which kernels are compiled, these are not")]
mod written;

/// Kernels of documentation, tests and examples; build/found.rs says which. Clippy need not compile them again: those of tests and examples
/// are linted in their own packages.
#[cfg(not(clippy))]
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, clippy::all, reason = "as they stand there")]
mod found {
    use crate::harness::Siblings;
    use crate::written;

    include!(concat!(env!("OUT_DIR"), "/found.rs"));
}

/// Kernels of this package's `kernels`, whose every format is tried.
#[cfg(not(only_generated))]
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, clippy::all, reason = "as they stand there")]
mod here {
    use crate::harness::Siblings;
    use crate::written;

    include!(concat!(env!("OUT_DIR"), "/here.rs"));
}
