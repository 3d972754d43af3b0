//! AArch64, little-endian, where floats are passed in vectors.
//!
//! NEON is tested by an emulator, which says nothing about speed: no ratio to `memcpy` is known
//! here, and none is claimed, nor of `k::wide` to `k::scalar`.

pub(crate) mod neon;
