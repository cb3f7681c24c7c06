//! What the kernel keeps for the processes that are not on the CPU.

use std::sync::Arc;

use steam_state::{Component, Interner, Key, Recorder, Regions, Space, Table};

use crate::kernel::ProcessEnvironment;
use crate::parts::{Kind, Parts};
use crate::stores::GuestStores;

/// The environments of other processes: frozen ones, and those that changed.
#[derive(Debug)]
pub struct Environments(Parts<ProcessEnvironment>);

impl Kind for ProcessEnvironment {
    type Number = Space;
    type Frozen = Arc<Self>;
    type Live = Arc<Self>;

    fn key(space: Space) -> Key {
        Key::Process(space)
    }

    fn store(stores: &GuestStores) -> &Interner<Arc<Self>> {
        &stores.processes
    }

    fn thaw(id: Component, stores: &GuestStores) -> Arc<Self> {
        Arc::clone(stores.processes.get(id))
    }

    fn freeze(live: Arc<Self>, stores: &GuestStores) -> Component {
        stores.processes.intern(live)
    }
}

impl Environments {
    /// The environments of a frozen state.
    pub fn new(stores: Arc<GuestStores>, table: Table, recorder: Recorder) -> Self {
        Self(Parts::new(stores, table, recorder))
    }

    /// Goes on with another frozen state.
    pub fn attach(&mut self, table: &Table) {
        self.0.attach(table);
    }

    /// Interns those that changed, and says which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        self.0.freeze(put);
    }

    /// The environment of another process.
    pub fn get(&self, space: Space) -> &ProcessEnvironment {
        self.0.get(space)
    }

    /// The environment of another process, to be changed.
    pub fn get_mut(&mut self, space: Space) -> &mut ProcessEnvironment {
        Arc::make_mut(self.0.live(space))
    }

    /// What another process has mapped where.
    pub fn regions(&self, space: Space) -> &Regions {
        let id = self.0.component(Key::Regions(space));
        self.0.stores().state.regions.get(id)
    }
}
