//! PTX, which is run if it can be.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptxf_vm::fuzz::machine(data));
