//! Kernels, expanded and launched. Every version leaves the bits of the source as rustc compiles
//! it for one thread, and touches the same elements. Kernels that round by rules of ours or wait
//! for each other also leave the bits of a plain loop.
//!
//! The reference implementation is the package `threads`. It runs the source thread by thread,
//! suspends a thread at a barrier, rounds by the oracles and reports races. It shares nothing with
//! the macro, so `k::scalar` is compared with it too.
#![cfg(test)]
// `cargo xtask kernels` compiles the generated kernels and no others.
#![cfg_attr(only_generated, allow(dead_code, unused_macros, unused_imports, reason = "for the others"))]
#![cfg_attr(few_formats, allow(dead_code, reason = "the other formats' kernels are not launched"))]

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
mod chosen;
#[cfg(not(only_generated))]
mod divergence;
#[cfg(not(only_generated))]
mod elements;
#[cfg(not(only_generated))]
mod flux;
#[cfg(not(only_generated))]
mod functions;
#[cfg(not(only_generated))]
mod fused;
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
#[cfg(not(only_generated))]
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

/// Generated kernels, selected by the build script.
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, reason = "a variable may be assigned to itself, and there may be no kernel")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

/// The arguments of kernels of documentation, tests and examples.
#[allow(dead_code, reason = "where PTXF_KERNELS says which kernels are compiled, these are not")]
mod written;

/// Kernels of documentation, tests and examples, found by `build/found.rs`. Clippy skips them:
/// kernels of tests and examples are linted in their own packages.
#[cfg(not(clippy))]
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, clippy::all, reason = "as they stand there")]
mod found {
    use crate::harness::Siblings;
    use crate::written;

    include!(concat!(env!("OUT_DIR"), "/found.rs"));
}

/// Kernels of this package's `kernels`, in every format.
#[cfg(not(only_generated))]
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, clippy::all, reason = "as they stand there")]
mod here {
    use crate::harness::Siblings;
    use crate::written;

    include!(concat!(env!("OUT_DIR"), "/here.rs"));
}
