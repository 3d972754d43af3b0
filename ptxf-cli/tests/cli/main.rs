//! The `ptxf` command from outside.

mod batch;
mod eval;
mod forms;
mod run;
mod streams;
mod support;
