//! Tests of the register types: everything that is not an instruction.
//!
//! 16-bit types are tested on all 65 536 bit patterns. The oracle is `rustc_apfloat`, which shares no code with us; `half`
//! is used only for what it does exactly, widening.

mod convert;
mod features;
mod layout;
mod narrow;
mod ops;
mod order;
mod parse;
mod print;
mod support;
