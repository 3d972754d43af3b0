//! The results of f16x2 on every machine.
//!
//! `oracle.py` computes them in exact integers. `tests/facade/digits.rs` and the firmware compare.

/// Correctly classified images, of 450.
pub const F16X2_RIGHT: usize = 416;
/// FNV-1a of all logits.
pub const F16X2: u64 = 0x8e4a_9622_569b_6b39;
/// FNV-1a of the tanh of all logits.
pub const F16X2_TANH: u64 = 0x2fa7_81be_7b05_d838;
