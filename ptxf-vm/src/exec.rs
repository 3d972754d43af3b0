//! What instructions do to the registers of 32 lanes.
//!
//! Nothing here knows of memory, of control or of the text. What computes is a function of the registers, the places of its operands
//! and the mask of the lanes that take part.

pub(crate) mod bits;
pub(crate) mod carry;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod form;
pub(crate) mod integer;
pub(crate) mod logic;
pub(crate) mod mbarrier;
pub(crate) mod moves;
pub(crate) mod own;
pub(crate) mod registers;
mod shape;
pub(crate) mod vectors;

pub(crate) use registers::{Bank, Mask, Reg, Registers, Run, Slots};
pub(crate) use shape::{Found, Kind, Layout, Width};
