//! Tests of the SIMD unit.

mod decoding;
#[cfg(target_arch = "x86_64")]
mod instructions;
mod rules;
