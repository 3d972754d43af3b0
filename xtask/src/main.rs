//! The `ptxf` command.
fn main() {}
