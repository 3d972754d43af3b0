//! Matrix units: `ptxf::matrix` against captured results, against a definition in binary64, and the
//! vectors of every level against the meaning.

mod captured;
mod definition;
mod layouts;
mod models;
mod operands;
mod products;
mod programs;
