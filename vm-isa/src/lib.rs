//! What i386 bytes mean: decoding into our own [`Op`], integer arithmetic with its flags, floating
//! point and SIMD, and the requests that a guest may make of the checker.
//!
//! This crate knows nothing of memory layout, processes or exploration; the CPU (`steam-vm`) runs
//! what is decoded here. `SPEC.md` beside this crate says what is supported, what
//! undefined flags become and what is atomic.

pub mod alu;
pub mod counters;
mod decode;
mod effects;
pub mod flags;
pub mod fp_env;
pub mod liveness;
mod op;
mod print;
mod specialise;
mod unmodelled;

pub mod request;
pub mod simd;
pub mod x87;

pub use decode::{Decoded, decode};
pub use effects::{Effects, effects};
pub use flags::Flags;
pub use op::{Code, Condition, Op, Operand, Repeat, Segment, Visitor, Width, execute};
pub use specialise::specialise;
pub use unmodelled::describe_unmodelled;
