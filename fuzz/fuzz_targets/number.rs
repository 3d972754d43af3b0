//! Operands of `ptxf eval`: bits and values. The first byte chooses the type.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptxf_cli::fuzz::number(data));
