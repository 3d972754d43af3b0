//! Programs of CUDA's driver API, as those who wrote them would run them. Each runs in a process of its own, whose `libcuda` is this one:
//! a test of the name `in_…` is the program, and is ignored without a library.
#![cfg(target_os = "linux")]

mod kernels;
mod raw;
mod safe;
mod settings;
mod support;
