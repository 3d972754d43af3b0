//! Tokens of `#[ptx_module]`.
#![no_main]

use parsers::fuzz::{Macro, bytes};

libfuzzer_sys::fuzz_target!(|data: &[u8]| bytes(Macro::Module, data));
