//! The threads of the running process: their records, and the registers of those that do not run.
//!
//! Like the pages of memory, a register file is a live value until the next freeze, which interns
//! only those that changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_state::{Component, Context, Interner, OrdMap, ThreadId};

use crate::kernel::ThreadRecord;

/// All threads of a process as a state holds them.
pub type FrozenThreads = OrdMap<ThreadId, (Component, ThreadRecord)>;

/// All threads of a process.
#[derive(Debug)]
pub struct Threads {
    records: FrozenThreads,
    /// Register files that differ from the component in `records`.
    changed: BTreeMap<ThreadId, Context>,
    store: Arc<Interner<Context>>,
}

impl Threads {
    /// Thaws threads whose register files were interned in `store`.
    pub fn new(records: FrozenThreads, store: Arc<Interner<Context>>) -> Self {
        Self { records, changed: BTreeMap::new(), store }
    }

    /// Interns the register files that changed; the result is part of a frozen state.
    pub fn freeze(&mut self) -> FrozenThreads {
        for (thread, context) in std::mem::take(&mut self.changed) {
            if let Some((component, _)) = self.records.get_mut(&thread) {
                *component = self.store.intern(context);
            }
        }
        self.records.clone()
    }

    /// The record of a thread.
    pub fn get(&self, thread: ThreadId) -> Option<&ThreadRecord> {
        self.records.get(&thread).map(|(_, record)| record)
    }

    /// The record of a thread, to be changed.
    pub fn get_mut(&mut self, thread: ThreadId) -> Option<&mut ThreadRecord> {
        self.records.get_mut(&thread).map(|(_, record)| record)
    }

    /// All threads, by number.
    pub fn iter(&self) -> impl Iterator<Item = (ThreadId, &ThreadRecord)> + '_ {
        self.records.iter().map(|(&thread, (_, record))| (thread, record))
    }

    /// The first thread after `thread`, round the end, for which `wanted` holds; `thread` itself
    /// is tried last.
    pub fn next(
        &self,
        thread: ThreadId,
        wanted: impl Fn(ThreadId, &ThreadRecord) -> bool,
    ) -> Option<ThreadId> {
        let after =
            self.records.range((std::ops::Bound::Excluded(thread), std::ops::Bound::Unbounded));
        let before = self.records.range(..=thread);
        let mut order = after.chain(before).map(|(&thread, (_, record))| (thread, record));
        order.find(|&(thread, record)| wanted(thread, record)).map(|(thread, _)| thread)
    }

    /// How many threads there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Adds a thread.
    pub fn insert(&mut self, thread: ThreadId, record: ThreadRecord, context: Context) {
        self.records.insert(thread, (Component::default(), record));
        self.changed.insert(thread, context);
    }

    /// Removes a thread that ended.
    pub fn remove(&mut self, thread: ThreadId) -> Option<ThreadRecord> {
        self.changed.remove(&thread);
        self.records.remove(&thread).map(|(_, record)| record)
    }

    /// The registers of a thread that is not on the CPU.
    pub fn context(&self, thread: ThreadId) -> Option<Context> {
        if let Some(context) = self.changed.get(&thread) {
            return Some(context.clone());
        }
        let (component, _) = self.records.get(&thread)?;
        Some((*self.store.get(*component)).clone())
    }

    /// Stores the registers of a thread that leaves the CPU.
    pub fn set_context(&mut self, thread: ThreadId, context: Context) {
        if self.records.contains_key(&thread) {
            self.changed.insert(thread, context);
        }
    }
}
