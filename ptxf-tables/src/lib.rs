//! Tables of functions of one 16-bit float: any function costs one lookup.
//!
//! A 16-bit float has 65,536 values, so 128 KiB hold all results of a function. [`UnaryTable`] is
//! such a table, and the macro [`unary_table!`] fills it from an expression. [`CompactTable`] is a
//! smaller table, for microcontrollers. Four instructions have ready tables. The module [`device`]
//! has models of devices. Programs use this crate as `ptxf::tables`.
//!
//! | table | instruction | feature (of `ptxf`) |
//! |---|---|---|
//! | `EX2_APPROX_F16` | `ex2.approx.f16` | `table-ex2-approx-f16` |
//! | `EX2_APPROX_FTZ_BF16` | `ex2.approx.ftz.bf16` | `table-ex2-approx-ftz-bf16` |
//! | `TANH_APPROX_F16` | `tanh.approx.f16` | `table-tanh-approx-f16` |
//! | `TANH_APPROX_BF16` | `tanh.approx.bf16` | `table-tanh-approx-bf16` |
//!
//! These tables hold the results that `ptxf-core` computes, bit for bit.
//! (As a dependency of its own the crate has these features without `table-`.)
//!
//! A table is faster if the expression is expensive and the inputs are concentrated, so that the
//! used part of the table stays in a cache. `cargo bench -p benches --bench tables` measures the
//! limit.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod compact;
pub mod device;
mod kernel;
mod macros;
mod scalar;
mod shipped;
mod slice;
mod unary;

pub use compact::CompactTable;
pub use scalar::{PairOf, Scalar};
#[cfg(feature = "ex2-approx-f16")]
pub use shipped::EX2_APPROX_F16;
#[cfg(feature = "ex2-approx-ftz-bf16")]
pub use shipped::EX2_APPROX_FTZ_BF16;
#[cfg(feature = "tanh-approx-bf16")]
pub use shipped::TANH_APPROX_BF16;
#[cfg(feature = "tanh-approx-f16")]
pub use shipped::TANH_APPROX_F16;
pub use unary::UnaryTable;

/// Names that expansions of [`unary_table!`] use.
#[doc(hidden)]
pub mod __private {
    pub use crate::compact::{Outside, Run, Shape, Symmetry};
    pub use ptxf_core::{Bf16, F16};
    pub use ptxf_macros::unary_table;
}
