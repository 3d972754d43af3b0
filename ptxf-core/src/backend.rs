//! The code that a build runs: the meaning, or code that is proven to return the same bits.

pub(crate) mod across;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod lanes;
pub(crate) mod mixed;
#[cfg(target_arch = "nvptx64")]
pub(crate) mod nvptx;
pub(crate) mod register;
pub(crate) mod values;
