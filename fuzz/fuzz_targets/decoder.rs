//! Any bytes decode to an op of their length, or are too short; the op prints.
//!
//! `cargo +nightly fuzz run decoder`

#![no_main]

use libfuzzer_sys::fuzz_target;
use vm_isa::{decode, specialise};

fuzz_target!(|bytes: &[u8]| {
    let Some(decoded) = decode(bytes, 0x0804_8000) else {
        assert!(bytes.len() < 15);
        return;
    };
    assert!((1..=15).contains(&decoded.length) && usize::from(decoded.length) <= bytes.len());
    assert_eq!(decoded.op.to_string(), specialise(decoded.op).to_string());
});
