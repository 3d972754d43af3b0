//! The `ptxf` crate as a program uses it: `ptx!`, the choice of a level, and panics in kernels.

mod level;
mod panics;
mod ptx;
