//! Linux as the guest sees it: system calls, signals, files, processes, time, and the memory that a program begins
//! with.
//!
//! Everything that the program can observe later is a value ([`kernel`]), interned and shared by all states of a
//! search ([`stores`]); a [`system::System`] is such a state while it changes. What surrounds the program (the
//! host's files, the standard input) is the [`world`]: fixed for a run and part of no state. Output leaves at once.
//!
//! A system call is a row of a table and a small function ([`syscalls`]). Who calls it, when, and which thread goes
//! on then is not known here; nor is the C library, nor searching.

pub mod boot;
pub mod channels;
mod clock;
pub mod cpu_time;
pub mod environments;
pub mod errno;
pub mod execution;
mod filesystem;
pub mod guest;
pub mod kernel;
pub mod marks;
pub mod memory_limits;
pub mod objects;
mod parts;
pub mod processes;
pub mod room;
pub mod shared;
pub mod signals;
pub mod stores;
pub mod syscalls;
pub mod system;
pub mod threads;
mod timers;
mod usage;
pub mod world;
