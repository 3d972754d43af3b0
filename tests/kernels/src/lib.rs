//! Kernels, expanded and launched: every sibling leaves the bits that an interpreter of the source leaves, and touches the same
//! elements; those that are written by hand also leave the bits of a plain loop.
#![cfg(test)]

mod float;
mod harness;
mod slot;

mod arrays;
mod divergence;
mod flux;
mod functions;
mod grids;
mod integers;
mod loops;
mod names;
mod offsets;
mod order;
mod precision;

/// Kernels that nobody wrote; build.rs says which.
#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, reason = "a variable may be assigned to itself")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

/// Kernels that stand elsewhere, and what they are given.
mod written;

#[allow(unsafe_code, reason = "some threads write elsewhere than at their own index")]
#[allow(dead_code, unused_imports, clippy::all, reason = "as they stand there")]
mod found {
    use crate::harness::Siblings;
    use crate::written;

    include!(concat!(env!("OUT_DIR"), "/found.rs"));
}
