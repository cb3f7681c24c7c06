//! Tests of the x87 unit.

mod decoding;
#[cfg(target_arch = "x86_64")]
mod functions;
#[cfg(target_arch = "x86_64")]
mod instructions;
mod rules;
