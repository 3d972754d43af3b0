//! A PTX text as a tree in which every part keeps its bytes.
//!
//! The parser knows the grammar and no instruction: spelling and operands are kept as they are, and what they mean is decided where an
//! entry is asked for.

mod cursor;
mod lex;
pub(crate) mod number;
mod operand;
mod statement;
pub(crate) mod tree;
mod unit;
mod variable;

#[cfg(test)]
mod tests;

pub(crate) use unit::parse;
