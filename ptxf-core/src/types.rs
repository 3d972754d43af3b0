//! The register types: scalars [`F16`] and [`Bf16`], pairs [`F16x2`], [`Bf16x2`] and [`F32x2`].
//!
//! | file | what a type gets there |
//! |---|---|
//! | `scalar`, `pair` | its bits, bytes and lanes |
//! | `constants` | its constants |
//! | `class` | NaN, infinite, normal …; the sign |
//! | `convert` | conversions, lossless and rounding |
//! | `ops` | `+`, `-`, `*`, sums, products |
//! | `cmp` | `==`, `<`, the total order |
//! | `fmt`, `parse` | text, out and in |
//!
//! The instructions are expanded from the table below.

use crate::modifiers::Comparison;

mod class;
mod cmp;
mod constants;
mod convert;
mod fmt;
mod ops;
mod pair;
mod parse;
mod scalar;
mod text;

pub use pair::{Bf16x2, F16x2, F32x2};
pub use parse::ParseFloatError;
pub use scalar::{Bf16, F16};

ptxf_macros::methods!();
