//! Kernels, expanded and launched: `scalar` leaves the bits of a plain loop, every other sibling those of `scalar`, and all
//! touch the same elements.
#![cfg(test)]

mod float;
mod harness;

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
