//! What the programs in `bin/` share: the board, and which forms they have.
//!
//! This is a package of its own and no member of the workspace, because Cargo builds a workspace for one target. `cargo xtask firmware`
//! compiles it for a Cortex-M4F, a Cortex-M0 and a RISC-V.

#![no_std]

pub mod board;
pub mod part;
