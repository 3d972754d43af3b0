//! Elementary functions in lanes: of 16-bit values in binary32, of binary32 values in sums of two such numbers and in
//! binary64.

pub(super) mod bits16;
pub(super) mod bits32;
pub(super) mod eighths;
mod pieces;
mod quick;

#[cfg(test)]
mod interpolation;
