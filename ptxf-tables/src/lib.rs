//! 64K-entry tables for one-variable functions of 16-bit floats.
//!
//! Nothing is here yet: the approximate instructions are computed in `ptxf-core`.

#![no_std]
#![forbid(unsafe_code)]
