//! The register types: the scalars [`F16`] and [`Bf16`], the pairs [`F16x2`], [`Bf16x2`] and
//! [`F32x2`], and the narrow types that instructions only convert to and from.
//!
//! The narrow types are [`Tf32`], [`E4m3`], [`E5m2`], [`E2m3`], [`E3m2`], [`E2m1`], [`Ue8m0`],
//! [`Ue5m3`] and [`S2f6`]. Most of them also exist in registers of two and of four.
//!
//! | file | contents |
//! |---|---|
//! | `scalar`, `packed` | bits, bytes and lanes |
//! | `narrow` | the narrow types, as rows for the macros of the other files |
//! | `constants` | constants |
//! | `class` | NaN, infinite, normal …; the sign |
//! | `convert` | conversions, lossless and rounding |
//! | `ops` | `+`, `-`, `*`, sums, products |
//! | `cmp` | `==`, `<`, the total order |
//! | `fmt`, `parse` | text, out and in |
//!
//! The instructions are expanded from the table below.

use crate::modifiers::{BoolOp, Comparison};

mod class;
mod cmp;
mod constants;
mod convert;
mod fmt;
mod list;
mod narrow;
mod ops;
mod packed;
mod parse;
mod scalar;
mod text;

pub(crate) use list::for_each_type;
pub use narrow::{
    E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};
pub use packed::{Bf16x2, F16x2, F32x2};
pub use parse::ParseFloatError;
pub use scalar::{Bf16, F16};

ptxf_macros::methods!();
