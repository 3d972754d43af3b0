//! Reads NVIDIA PTX text and returns a syntax tree in which every part keeps its place.
//!
//! [`Unit::parse`] reads a whole text. [`Unit::declarations`] skips the bodies of functions, which
//! is enough for the names and parameters of entries. The parser knows the grammar and no
//! instruction: opcodes and operands are kept as they are written.
//!
//! ```
//! use ptxf_text::Unit;
//!
//! let text = ".version 7.8 .target sm_90 .entry scale(.param .u64 x, .param .u32 n) { ret; }";
//! let unit = Unit::declarations(text)?;
//! assert_eq!((unit.version, unit.target.sm), ((7, 8), 90));
//! let names: Vec<&str> = unit.entries().map(|entry| entry.name.of(&unit.text)).collect();
//! assert_eq!(names, ["scale"]);
//! # Ok::<(), ptxf_text::Error>(())
//! ```

#![forbid(unsafe_code)]

mod constant;
mod cursor;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod lexer;
mod number;
mod operand;
mod span;
mod statement;
mod tree;
mod ty;
mod unit;
mod variable;

#[cfg(test)]
mod tests;

pub use error::Error;
pub use number::Number;
pub use span::{Lines, Span, place};
pub use tree::{
    Base, Body, Function, Guard, Init, Instruction, Opaque, Operand, OperandKind, Space, Statement, Target, Unit,
    Variable,
};
pub use ty::{Class, Ty};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
