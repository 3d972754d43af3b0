//! Computes tanh of the logits by a table in f16, which `unary_table!` evaluates at compile time.

use ptxf::{F16, unary_table};

use crate::network::Logits;

unary_table! {
    /// The table of tanh. From 5 on, tanh is 1 in f16, and tanh is odd: 35,330 bytes, not 131,072.
    pub static TANH: F16 -> F16 = |x| tanh(x), range = -5.0..=5.0, symmetry = odd
}

/// Returns tanh of each logit, rounded to f16 before and after.
pub fn squash(logits: &Logits) -> Logits {
    logits.map(|logit| TANH.get(F16::from_f32(logit)).to_f32())
}
