//! Kernels, expanded and launched: every version leaves the bits of `scalar`.

mod barriers;
mod constructs;
mod nn;
mod shared;
mod stamped;
