//! Programs of CUDA's driver API. Each runs in a process of its own, whose `libcuda` is this
//! library. A test with the name `in_…` is such a program, and is ignored without the library.
#![cfg(target_os = "linux")]

mod arrays;
mod capture;
mod graphs;
mod grids;
mod kernels;
mod mappings;
mod ocelot;
mod pools;
mod raw;
mod runtime;
mod safe;
mod settings;
mod support;
mod textures;
