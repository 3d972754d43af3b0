//! Kernels, expanded and launched: every version leaves the bits of `scalar`.

mod barriers;
mod constructs;
mod fused;
mod nn;
mod panics;
mod shared;
mod stamped;
