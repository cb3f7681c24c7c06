//! A whole program state: processes with their threads, and the kernel's objects.

use std::sync::Arc;

use im::OrdMap;

use crate::context::{Context, ThreadId};
use crate::heap::HeapPool;
use crate::intern::{Component, Interner};
use crate::live::LiveMemory;
use crate::memory::Memory;
use crate::page::{PAGE_SIZE, PageBytes};

/// A process's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcessId(pub u32);

/// The interners that the states of one search share.
#[derive(Clone, Debug)]
pub struct Stores {
    /// Contents of pages.
    pub pages: Arc<Interner<PageBytes>>,
    /// Register files of threads that do not run.
    pub contexts: Arc<Interner<Context>>,
}

impl Default for Stores {
    fn default() -> Self {
        Self {
            pages: Arc::new(Interner::new([0; PAGE_SIZE])),
            contexts: Arc::new(Interner::new(Context::default())),
        }
    }
}

impl Stores {
    /// Thaws an address space whose pages were interned here.
    pub fn thaw(&self, memory: Memory) -> LiveMemory {
        LiveMemory::new(Arc::clone(&self.pages), memory)
    }
}

/// One process. `K` is what the environment keeps for a process, `T` for a thread.
#[derive(Clone, Debug)]
pub struct Process<K, T> {
    /// Its address space.
    pub memory: Memory,
    /// Its heap blocks.
    pub heap: HeapPool,
    /// Its threads: the register file, and what the environment keeps for it.
    pub threads: OrdMap<ThreadId, (Component, T)>,
    /// What the environment keeps for the process: files, signal handlers.
    pub environment: K,
}

/// A frozen program state. `G` is what the environment keeps for all processes.
#[derive(Clone, Debug)]
pub struct State<G, K, T> {
    /// The processes that are alive or not yet waited for.
    pub processes: OrdMap<ProcessId, Process<K, T>>,
    /// Kernel objects that processes share: open files, pipes, the file overlay.
    pub kernel: G,
}

impl<G: PartialEq, K: PartialEq, T: PartialEq> State<G, K, T> {
    /// Whether two states are equal in all that can influence the future. Decided here component by
    /// component, not by a collection's own comparison.
    pub fn same(&self, other: &Self) -> bool {
        self.kernel == other.kernel
            && self.processes.len() == other.processes.len()
            && self
                .processes
                .iter()
                .zip(other.processes.iter())
                .all(|((a, left), (b, right))| a == b && left.same(right))
    }
}

impl<K: PartialEq, T: PartialEq> Process<K, T> {
    fn same(&self, other: &Self) -> bool {
        self.environment == other.environment
            && self.threads.len() == other.threads.len()
            && self.threads.iter().zip(other.threads.iter()).all(|(a, b)| a == b)
            && self.heap.same(&other.heap)
            && self.memory.same(&other.memory)
    }
}
