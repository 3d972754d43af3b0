//! Tokens of `unary_table!`, up to the evaluation.
#![no_main]

use parsers::fuzz::{Macro, bytes};

libfuzzer_sys::fuzz_target!(|data: &[u8]| bytes(Macro::Table, data));
