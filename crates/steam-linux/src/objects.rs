//! The lock pool: the synchronisation objects of all processes, by where they lie, and what is remembered of
//! the words that they should protect.

use std::collections::BTreeMap;
use std::sync::Arc;

use steam_state::{Component, Key, Notes, Place, Reading, Recorder, Space, Table};
use steam_sync::{Address, Object, Objects};
use steam_visibility::Discipline;

use crate::marks::Mark;
use crate::stores::GuestStores;

/// All synchronisation objects: frozen ones as the state holds them, and those that changed.
#[derive(Debug)]
pub struct LockPool {
    stores: Arc<GuestStores>,
    table: Table,
    /// Where it is noted what is read of the frozen state.
    recorder: Recorder,
    changed: BTreeMap<Place, Object>,
    marked: BTreeMap<Place, Mark>,
}

/// The place with an address; of a number that is none, where nothing ever is.
pub fn place_of(address: Address) -> Place {
    Place::from_number(address).unwrap_or(Space::FIRST.at(0))
}

impl LockPool {
    /// The objects of a frozen state.
    pub fn new(stores: Arc<GuestStores>, table: Table, recorder: Recorder) -> Self {
        Self { stores, table, recorder, changed: BTreeMap::new(), marked: BTreeMap::new() }
    }

    /// Goes on with another frozen state.
    pub fn attach(&mut self, table: &Table) {
        self.changed.clear();
        self.marked.clear();
        self.table = table.clone();
    }

    fn component(&self, key: Key) -> Component {
        self.stores.state.component(Reading::recorded(&self.table, &self.recorder), key)
    }

    fn notes(&self) -> Notes<'_> {
        Notes::In(&self.recorder)
    }

    /// Interns the objects that changed, and says which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        for (place, object) in std::mem::take(&mut self.changed) {
            put(Key::Object(place), self.stores.objects.intern(object));
        }
        for (word, mark) in std::mem::take(&mut self.marked) {
            put(Key::Mark(word), self.stores.marks.intern(mark));
        }
    }

    /// Makes the objects within `start..end` idle: their memory is no longer theirs. Nothing is remembered of
    /// the words there.
    pub fn forget(&mut self, start: Place, end: Place) {
        if self.stores.state.slots.heap_objects() > 0 || !self.changed.is_empty() {
            for place in self.within(start, end) {
                self.changed.insert(place, Object::default());
            }
        }
        if self.stores.sharing.discipline() == Discipline::Plain {
            let mut marked = self.stores.state.slots.marks_within(self.notes(), start, end);
            marked.extend(self.marked.range(start..end).map(|(&word, _)| word));
            self.marked.extend(marked.into_iter().map(|word| (word, Mark::default())));
        }
    }

    /// What is remembered of a word.
    pub fn mark(&self, word: Place) -> &Mark {
        self.marked.get(&word).unwrap_or_else(|| {
            let id = self.component(Key::Mark(word));
            self.stores.marks.get(id)
        })
    }

    /// Remembers something of a word.
    pub fn set_mark(&mut self, word: Place, mark: Mark) {
        self.marked.insert(word, mark);
    }

    /// The objects within `start..end` that are not idle.
    pub fn within(&self, start: Place, end: Place) -> Vec<Place> {
        let mut found = self.stores.state.slots.objects_within(self.notes(), start, end);
        found.extend(self.changed.range(start..end).map(|(&place, _)| place));
        found.sort_unstable();
        found.dedup();
        found.retain(|&place| *self.at(place) != Object::default());
        found
    }

    /// All objects that are not idle.
    pub fn all(&self) -> Vec<Place> {
        self.within(Space::FIRST.at(0), Space::SHARED.at(u32::MAX))
    }

    /// The object at a place.
    pub fn at(&self, place: Place) -> &Object {
        self.changed.get(&place).unwrap_or_else(|| {
            let id = self.component(Key::Object(place));
            self.stores.objects.get(id)
        })
    }
}

impl Objects for LockPool {
    type Reading<'a> = &'a Object;

    fn get(&self, address: Address) -> &Object {
        self.at(place_of(address))
    }

    fn set(&mut self, address: Address, object: Object) {
        self.changed.insert(place_of(address), object);
    }
}
