//! What a build runs: the meaning, or something proven to return the same bits.

pub(crate) mod lanes;
pub(crate) mod register;
pub(crate) mod scalar;
