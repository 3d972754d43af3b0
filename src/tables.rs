//! Tables of functions of one 16-bit float, and models of devices.
//!
//! A 16-bit float has 65,536 values, so 128 KiB hold all results of a function: any function costs
//! one lookup. [`unary_table!`] computes a [`UnaryTable`] from an expression when the program is
//! compiled, or a smaller [`CompactTable`]. The module [`device`] has models of GPUs.
//!
//! Four instructions have ready tables, each with a feature:
//!
//! | table | instruction | feature |
//! |---|---|---|
//! | `EX2_APPROX_F16` | `ex2.approx.f16` | `table-ex2-approx-f16` |
//! | `EX2_APPROX_FTZ_BF16` | `ex2.approx.ftz.bf16` | `table-ex2-approx-ftz-bf16` |
//! | `TANH_APPROX_F16` | `tanh.approx.f16` | `table-tanh-approx-f16` |
//! | `TANH_APPROX_BF16` | `tanh.approx.bf16` | `table-tanh-approx-bf16` |
//!
//! A table is faster than the computation if the expression is expensive and the inputs are
//! concentrated, so that the used part of the table stays in a cache.

#[doc(inline)]
pub use ptxf_tables::*;
