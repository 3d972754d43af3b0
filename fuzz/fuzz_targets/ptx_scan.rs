//! PTX, whose entries and parameters are read.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptxf_build::fuzz::ptx_scan(data));
