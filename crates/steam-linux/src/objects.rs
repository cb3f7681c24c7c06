//! The lock pool: the synchronisation objects of the running process, by address.

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_state::{Component, Key, Table};
use steam_sync::{Object, Objects};

use crate::stores::GuestStores;

/// All synchronisation objects: frozen ones as the state holds them, and those that changed.
#[derive(Debug)]
pub struct LockPool {
    stores: Arc<GuestStores>,
    table: Table,
    changed: BTreeMap<u32, Object>,
}

impl LockPool {
    /// The objects of a frozen state.
    pub fn new(stores: Arc<GuestStores>, table: Table) -> Self {
        Self { stores, table, changed: BTreeMap::new() }
    }

    /// Goes on with another frozen state.
    pub fn attach(&mut self, table: &Table) {
        self.changed.clear();
        self.table = table.clone();
    }

    /// Interns the objects that changed, and tells which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        for (address, object) in std::mem::take(&mut self.changed) {
            put(Key::Object(address), self.stores.objects.intern(object));
        }
    }

    /// Makes the objects within `start..end` idle: their memory is no longer theirs.
    pub fn forget(&mut self, start: u32, end: u32) {
        if self.stores.state.slots.heap_objects() > 0 || !self.changed.is_empty() {
            for address in self.within(start, end) {
                self.set(address, Object::default());
            }
        }
    }

    /// The objects within `start..end` that are not idle.
    pub fn within(&self, start: u32, end: u32) -> Vec<u32> {
        let mut found = self.stores.state.slots.objects_within(start, end);
        found.extend(self.changed.range(start..end).map(|(&address, _)| address));
        found.sort_unstable();
        found.dedup();
        found.retain(|&address| *self.get(address) != Object::default());
        found
    }
}

impl Objects for LockPool {
    type Reading<'a> = &'a Object;

    fn get(&self, address: u32) -> &Object {
        self.changed.get(&address).unwrap_or_else(|| {
            let id = self.stores.state.component(&self.table, Key::Object(address));
            self.stores.objects.get(id)
        })
    }

    fn set(&mut self, address: u32, object: Object) {
        self.changed.insert(address, object);
    }
}
