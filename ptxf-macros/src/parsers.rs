//! The macros' parsers as a library: the root of `fuzz/`'s copy, since a crate of procedural macros
//! exports no functions.

#![forbid(unsafe_code)]
#![allow(dead_code, unused_imports, reason = "of the table of instructions only `ptx!` is here")]

mod expand;
pub mod fuzz;
mod input;
mod kernel;
mod ptx;
mod table;
