#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| roadlaw_compiler::fuzz::proof(bytes));
