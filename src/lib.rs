//! The floating-point instructions of NVIDIA's PTX.

#![no_std]
#![forbid(unsafe_code)]

pub use ptxf_core::*;
pub use ptxf_tables as tables;
pub use ptxf_tables::unary_table;
