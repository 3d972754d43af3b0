//! Tests of the register types, except for instructions.
//!
//! 16-bit types are tested on all 65 536 bit patterns. The oracle is `rustc_apfloat`, which shares
//! no code with the library. `half` is used only for widening, which it does exactly.

mod convert;
mod features;
mod layout;
mod narrow;
mod ops;
mod order;
mod parse;
mod print;
mod support;
