//! The `ptxf` command from outside.

mod batch;
mod cuda;
mod eval;
mod format;
mod forms;
mod gemm;
mod readme;
mod run;
mod streams;
mod support;
mod tools;
