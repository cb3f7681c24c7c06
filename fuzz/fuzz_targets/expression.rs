//! `cargo +nightly fuzz run expression`; the function and what it must keep to are in `tests/src/fuzz/targets.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| steam_tests::fuzz::targets::attempt("expression", bytes));
