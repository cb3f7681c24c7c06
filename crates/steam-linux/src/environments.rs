//! What the kernel keeps for the processes that are not on the CPU.

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_state::{Component, Key, Regions, Space, Table};

use crate::kernel::ProcessEnvironment;
use crate::stores::GuestStores;

/// The environments of other processes: frozen ones, and those that changed.
#[derive(Debug)]
pub struct Environments {
    stores: Arc<GuestStores>,
    table: Table,
    changed: BTreeMap<Space, Arc<ProcessEnvironment>>,
}

impl Environments {
    /// The environments of a frozen state.
    pub fn new(stores: Arc<GuestStores>, table: Table) -> Self {
        Self { stores, table, changed: BTreeMap::new() }
    }

    /// Goes on with another frozen state.
    pub fn attach(&mut self, table: &Table) {
        self.changed.clear();
        self.table = table.clone();
    }

    /// Interns those that changed, and tells which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        for (space, environment) in std::mem::take(&mut self.changed) {
            put(Key::Process(space), self.stores.processes.intern(environment));
        }
    }

    /// The environment of another process.
    pub fn get(&self, space: Space) -> &ProcessEnvironment {
        self.changed.get(&space).unwrap_or_else(|| {
            let id = self.stores.state.component(&self.table, Key::Process(space));
            self.stores.processes.get(id)
        })
    }

    /// The environment of another process, to be changed.
    pub fn get_mut(&mut self, space: Space) -> &mut ProcessEnvironment {
        let id = self.stores.state.component(&self.table, Key::Process(space));
        let frozen = || Arc::clone(self.stores.processes.get(id));
        Arc::make_mut(self.changed.entry(space).or_insert_with(frozen))
    }

    /// What another process has mapped where.
    pub fn regions(&self, space: Space) -> &Regions {
        let id = self.stores.state.component(&self.table, Key::Regions(space));
        self.stores.state.regions.get(id)
    }
}
