//! Elementary functions in lanes: of 16-bit values in binary32, of binary32 values in binary64.

pub(super) mod half;
mod quick;
pub(super) mod single;

#[cfg(test)]
mod interpolation;
