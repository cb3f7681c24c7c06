//! The machine that steam runs on, as its kernel describes it in files: processor, cores, memory.
//!
//! Limits of searches and the heads of benchmark pages come from here; nothing of it ever reaches a guest.

mod memory;
mod processor;

pub use memory::{allowed_memory, peak_memory, resident_memory, total_memory};
pub use processor::{cores, load, processor};
