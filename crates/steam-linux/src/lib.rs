//! What the guest believes it runs on: system calls, library models, start-up.
//!
//! [`Machine::boot`] lays a program out in memory as the kernel does; [`Machine::run`] runs it to
//! its [`Ending`]. Everything that the program can observe later is a value ([`kernel`]), so that
//! [`Machine::freeze`] makes a state of it from which any machine can go on. What surrounds the
//! program (the host's files, the standard input) is fixed for a run and part of no state, and
//! output leaves at once.
//!
//! This crate knows nothing of searching: its own schedule is a plain round robin.

mod boot;
mod channels;
mod clock;
mod ending;
mod environments;
mod errno;
mod execution;
mod filesystem;
mod guest;
mod history;
pub mod kernel;
mod machine;
mod marks;
mod memory_limits;
mod models;
mod objects;
mod processes;
pub mod program;
pub mod report;
mod room;
mod run;
mod shared;
mod signals;
mod standard_output;
mod stores;
mod syscalls;
mod system;
mod threads;
mod timers;
mod uninitialised;
mod usage;
mod world;

pub use boot::BootError;
pub use ending::Ending;
pub use history::{Event, History, Life};
pub use kernel::Stream;
pub use machine::{Config, Machine, QUANTUM, Schedule};
pub use report::Report;
pub use signals::name as signal_name;
pub use stores::GuestStores;
pub use syscalls::Output;
pub use uninitialised::User;
pub use world::{ClockMode, Host, HostAccess, Stdin};
