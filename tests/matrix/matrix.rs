//! Matrix units: `ptxf::matrix` against captured results, against definitions in binary64 and in
//! exact numbers, against published models, and the vectors of every level against the meaning.

mod assembler;
mod captured;
mod definition;
mod edges;
mod exact;
mod layouts;
mod models;
mod operands;
mod products;
mod programs;
mod selected;
mod warps;
