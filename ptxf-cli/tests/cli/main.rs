//! The `ptxf` command from outside.

mod batch;
mod eval;
mod forms;
mod streams;
mod support;
