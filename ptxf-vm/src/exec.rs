//! Operations on the registers of 32 lanes.
//!
//! The modules here use neither memory nor control flow nor the text. An operation is a function of
//! the registers, the places of its operands, and the mask of the lanes that take part.

pub(crate) mod bits;
pub(crate) mod carry;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod descriptor;
pub(crate) mod form;
pub(crate) mod fragment;
pub(crate) mod integer;
pub(crate) mod logic;
pub(crate) mod mbarrier;
pub(crate) mod moves;
pub(crate) mod registers;
pub(crate) mod replacement;
mod shape;
pub(crate) mod tensor;
pub(crate) mod texture;
pub(crate) mod vectors;
pub(crate) mod video;

pub(crate) use registers::{Bank, Mask, Reg, Registers, Run, Slots};
pub(crate) use shape::{Found, Kind, Layout, Width};
