//! Kernels, expanded and launched: `scalar` leaves the bits of a plain loop, every other sibling those of `scalar`, and all
//! touch the same elements.
#![cfg(test)]

mod float;
mod harness;

mod divergence;
mod integers;
mod loops;
mod offsets;
