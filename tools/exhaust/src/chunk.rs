//! How many inputs are computed before they are compared.

/// Inputs that a buffer holds; it divides a row of pairs, so that the first operand is constant in it.
pub(super) const CHUNK: usize = 2048;
