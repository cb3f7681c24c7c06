//! A part of the state that a step reads often and changes rarely.

use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use steam_state::{Component, Interner};

/// A value that is thawed by a look at its component, and frozen only if it was changed.
#[derive(Debug, Default)]
pub struct Shared<T> {
    value: Arc<T>,
    id: Component,
    changed: bool,
}

impl<T: Clone + Eq + Hash> Shared<T> {
    /// A value that is not frozen yet.
    pub fn new(value: T) -> Self {
        Self { value: Arc::new(value), id: Component(0), changed: true }
    }

    /// Goes on with a frozen value.
    pub fn attach(&mut self, id: Component, store: &Interner<Arc<T>>) {
        if self.changed || id != self.id {
            *self = Self { value: Arc::clone(store.get(id)), id, changed: false };
        }
    }

    /// Interns the value; its component if it may be another one than before.
    pub fn freeze(&mut self, store: &Interner<Arc<T>>) -> Option<Component> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        self.id = store.intern_ref(&self.value, || Arc::clone(&self.value));
        Some(self.id)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.changed = true;
        Arc::make_mut(&mut self.value)
    }
}
