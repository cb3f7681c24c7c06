//! The CPU: runs the ops of one thread against a thawed state.
//!
//! [`Cpu::run`] executes instructions until something needs the environment: a system call, an
//! intercepted library function, a request, a refused access, an exception, or the limit. It is
//! precise: when an instruction is refused, nothing of it has been done, and running again starts
//! with it anew.
//!
//! This crate knows nothing of Linux, of symbols or of scheduling.

mod code;
mod control;
mod cpu;
mod cpuid;
mod float;
mod integer;
mod operands;
mod shadow;
mod stack;
mod strings;
mod visitor;

pub use code::Intercepts;
pub use cpu::{Cpu, Stop, Trap};
pub use shadow::{ShadowSnapshot, Uninitialised, Use};
