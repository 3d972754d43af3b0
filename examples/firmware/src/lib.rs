//! The board and the choice of forms, shared by the programs in `bin/`.
//!
//! The package is no member of the workspace, because Cargo builds a workspace for one target.
//! `cargo xtask firmware` compiles it for a Cortex-M4F, a Cortex-M0 and a RISC-V.

#![no_std]

pub mod board;
pub mod part;
