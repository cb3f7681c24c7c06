//! The parts of a state that are many of a kind, such as its threads: frozen ones as the state holds them, and those
//! that changed.
//!
//! A part is a live value only once it was touched; freezing interns the live ones and nothing else. So a step costs
//! what it touches, however many threads, channels or processes there are.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use steam_state::{Component, Interner, Key, Notes, Reading, Recorder, Table};

use crate::stores::GuestStores;

/// A kind of which a state has many parts.
pub(crate) trait Kind {
    /// What tells its parts apart.
    type Number: Copy + Ord + Debug;
    /// A part as stores keep it.
    type Frozen: Clone + Eq + Hash;
    /// A part that was touched.
    type Live: Debug;

    /// Under which key a state has a part.
    fn key(number: Self::Number) -> Key;

    /// The store of all parts.
    fn store(stores: &GuestStores) -> &Interner<Self::Frozen>;

    /// A part that is touched from now on; a state has the component 0 for one that is not there.
    fn thaw(id: Component, stores: &GuestStores) -> Self::Live;

    /// The component of a part that was touched.
    fn freeze(live: Self::Live, stores: &GuestStores) -> Component;
}

/// All parts of one kind.
#[derive(Debug)]
pub(crate) struct Parts<K: Kind> {
    stores: Arc<GuestStores>,
    table: Table,
    /// Where it is noted what is read of the frozen state.
    recorder: Recorder,
    changed: BTreeMap<K::Number, K::Live>,
}

impl<K: Kind> Parts<K> {
    /// The parts of a frozen state.
    pub(crate) fn new(stores: Arc<GuestStores>, table: Table, recorder: Recorder) -> Self {
        Self { stores, table, recorder, changed: BTreeMap::new() }
    }

    /// Goes on with another frozen state.
    pub(crate) fn attach(&mut self, table: &Table) {
        self.changed.clear();
        self.table = table.clone();
    }

    /// Interns the parts that changed, and says which components the state now has.
    pub(crate) fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        for (number, live) in std::mem::take(&mut self.changed) {
            put(K::key(number), K::freeze(live, &self.stores));
        }
    }

    /// The stores that the frozen state is in.
    pub(crate) fn stores(&self) -> &GuestStores {
        &self.stores
    }

    /// The component that the frozen state has for a key.
    pub(crate) fn component(&self, key: Key) -> Component {
        self.stores.state.component(Reading::recorded(&self.table, &self.recorder), key)
    }

    /// Where it is noted what is read of the frozen state.
    pub(crate) fn notes(&self) -> Notes<'_> {
        Notes::In(&self.recorder)
    }

    /// The parts that were touched, by number.
    pub(crate) fn changed(&self) -> &BTreeMap<K::Number, K::Live> {
        &self.changed
    }

    /// A part as the frozen state has it; none if it has none.
    pub(crate) fn frozen(&self, number: K::Number) -> Option<&K::Frozen> {
        let id = self.component(K::key(number));
        (id != Component(0)).then(|| K::store(&self.stores).get(id))
    }

    /// A part, to be changed.
    pub(crate) fn live(&mut self, number: K::Number) -> &mut K::Live {
        match self.changed.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let frozen = Reading::recorded(&self.table, &self.recorder);
                let id = self.stores.state.component(frozen, K::key(number));
                place.insert(K::thaw(id, &self.stores))
            }
        }
    }

    /// Puts a part in the place of another one.
    pub(crate) fn set(&mut self, number: K::Number, live: K::Live) {
        self.changed.insert(number, live);
    }

    /// Makes a part what the frozen state has.
    pub(crate) fn reset(&mut self, number: K::Number) {
        self.changed.remove(&number);
    }
}

impl<T, K: Kind<Frozen = T, Live = T>> Parts<K> {
    /// A part as it is now.
    pub(crate) fn get(&self, number: K::Number) -> &T {
        self.changed
            .get(&number)
            .unwrap_or_else(|| K::store(&self.stores).get(self.component(K::key(number))))
    }
}
