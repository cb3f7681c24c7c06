//! One program state as a value: processes, threads, memory, heap pool, kernel objects.
//!
//! A state exists in two forms. *Frozen* ([`State`]) it is a small value made of interned
//! components: cloning it costs a few reference counts, and equality is equality of ids. *Thawed*
//! ([`LiveMemory`] and a [`Context`] in the CPU) one thread runs against it; the first write to a
//! page copies that page into a write set, and freezing interns only what changed. So the cost of
//! a step is proportional to what the step touched, never to the size of the state.
//!
//! This crate knows nothing of ELF, of instructions beyond their register file, or of Linux.

mod access;
mod context;
mod heap;
mod intern;
mod live;
mod memory;
mod page;
mod region;
mod state;
mod table;

pub use access::{AccessError, AccessKind, Fault, Problem};
pub use context::{Context, ThreadId};
pub use heap::{Block, FreeError, HEAP_END, HEAP_START, HeapPool};
pub use intern::{Component, Interner};
pub use live::LiveMemory;
pub use memory::Memory;
pub use page::{PAGE_SIZE, PageBytes, page_of};
pub use region::{Protection, Region, RegionKind, Regions};
pub use state::{Process, ProcessId, State, Stores};
pub use table::PageTable;

/// The persistent collections that states are made of.
pub use im::{OrdMap, Vector};
