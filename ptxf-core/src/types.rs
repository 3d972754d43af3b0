//! The register types.

mod pair;
mod scalar;

pub use pair::{Bf16x2, F16x2, F32x2};
pub use scalar::{Bf16, F16};

ptxf_macros::methods!();
