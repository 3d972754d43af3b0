//! The `ptxf` command from outside.

mod batch;
mod eval;
mod format;
mod forms;
mod streams;
mod support;
