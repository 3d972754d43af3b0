//! Functions of one 16-bit float as tables: whatever it takes to compute, it costs one lookup.
//!
//! A 16-bit float has 65,536 values, so any function of one is 128 KiB of results. This crate has such a type,
//! [`UnaryTable`], a macro that fills it from an expression, [`unary_table!`], a smaller form for microcontrollers,
//! [`CompactTable`], and the tables of four instructions; and [`device`], which is about what silicon returns. Use it as `ptxf::tables`.
//!
//! | table | instruction | feature (of `ptxf`) |
//! |---|---|---|
//! | `EX2_APPROX_F16` | `ex2.approx.f16` | `table-ex2-approx-f16` |
//! | `EX2_APPROX_FTZ_BF16` | `ex2.approx.ftz.bf16` | `table-ex2-approx-ftz-bf16` |
//! | `TANH_APPROX_F16` | `tanh.approx.f16` | `table-tanh-approx-f16` |
//! | `TANH_APPROX_BF16` | `tanh.approx.bf16` | `table-tanh-approx-bf16` |
//!
//! They hold what `ptxf-core` computes, bit for bit; `checksums.txt` pins them. (As a dependency of its own the crate has
//! these features without `table-`.)
//!
//! A table pays where the expression is expensive and the inputs are few or concentrated, so that the part of the table
//! in use stays in a cache: `cargo bench -p benches --bench tables` measures where that ends.

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
pub use scalar::{Pair, Scalar};
#[cfg(feature = "ex2-approx-f16")]
pub use shipped::EX2_APPROX_F16;
#[cfg(feature = "ex2-approx-ftz-bf16")]
pub use shipped::EX2_APPROX_FTZ_BF16;
#[cfg(feature = "tanh-approx-bf16")]
pub use shipped::TANH_APPROX_BF16;
#[cfg(feature = "tanh-approx-f16")]
pub use shipped::TANH_APPROX_F16;
pub use slice::LengthMismatch;
pub use unary::UnaryTable;

/// What [`unary_table!`] expands to, for nobody else.
#[doc(hidden)]
pub mod __private {
    pub use crate::compact::{Outside, Run, Shape, Symmetry};
    pub use ptxf_core::{Bf16, F16};
    pub use ptxf_macros::unary_table;
}
