//! One program state as a value: processes, threads, memory, heap pool, kernel objects.
//!
//! A state exists in two forms. *Frozen* ([`Table`]) it is a small table of interned
//! components: cloning it costs one reference count, and equality is equality of ids. *Thawed*
//! ([`LiveMemory`] and a [`Context`] in the CPU) one thread runs against it; the first write to a
//! page copies that page into a write set, and freezing interns only what changed. So the cost of
//! a step is proportional to what the step touched, never to the size of the state.
//!
//! This crate knows nothing of ELF, of instructions beyond their register file, or of Linux.

mod access;
mod context;
mod definedness;
mod heap;
mod intern;
mod live;
mod page;
mod pages;
mod place;
mod pointers;
mod policy;
mod reads;
mod region;
mod segments;
mod slots;
mod stores;
mod table;

pub use access::{AccessError, AccessKind, Fault, Problem};
pub use context::{Context, ThreadId};
pub use definedness::{Birth, Definedness};
pub use heap::{Arena, Block, FreeError, HEAP_END, HEAP_START, HeapPool};
pub use intern::{Component, Interner};
pub use live::{LiveMemory, PastFileEnd};
pub use page::{PAGE_SIZE, PageBytes, page_of};
pub use pages::PageStore;
pub use place::{PageNumber, Place, Space};
pub use pointers::PagePointers;
pub use policy::{Access, Asked, KEPT, Layout, Part, Passage, Policy, Unwatched};
pub use reads::{Notes, Reading, Reads, Recorder, Recording};
pub use region::{Protection, Region, RegionKind, Regions};
pub use slots::{Key, Slots};
pub use stores::Stores;
pub use table::Table;

/// The persistent collections that states are made of.
pub use im::{OrdMap, Vector};
