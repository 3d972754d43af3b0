//! What the programs in `bin/` share: the board, and every form over a grid of operands.

#![no_std]

pub mod board;
pub mod grid;
