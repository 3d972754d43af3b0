//! Lines of `ptxf eval --batch`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptxf_cli::fuzz::batch(data));
