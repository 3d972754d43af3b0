//! PTX text, which is read or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ptxf_text::fuzz::parse(data));
