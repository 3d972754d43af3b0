//! PTX, which is executed if it is valid.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptxf_vm::fuzz::machine(data));
