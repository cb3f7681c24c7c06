//! A persistent map whose equality is ours.

use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use steam_state::OrdMap;

/// An ordered persistent map. Equality and hash go entry by entry, not by the collection's own
/// comparison: they decide whether two program states are the same.
#[derive(Clone)]
pub struct Map<K, V>(OrdMap<K, V>);

impl<K: Ord + Debug, V: Debug> Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter()).finish()
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self(OrdMap::new())
    }
}

impl<K, V> Deref for Map<K, V> {
    type Target = OrdMap<K, V>;

    fn deref(&self) -> &OrdMap<K, V> {
        &self.0
    }
}

impl<K, V> DerefMut for Map<K, V> {
    fn deref_mut(&mut self) -> &mut OrdMap<K, V> {
        &mut self.0
    }
}

impl<K: Ord, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().eq(other.0.iter())
    }
}

impl<K: Ord, V: Eq> Eq for Map<K, V> {}

impl<K: Ord + Hash, V: Hash> Hash for Map<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
        self.0.iter().for_each(|entry| entry.hash(state));
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<V: Clone> Map<u32, V> {
    /// The lowest number from `from` on that is not in use.
    pub fn lowest_free(&self, from: u32) -> u32 {
        let mut number = from;
        for (&used, _) in self.0.range(from..) {
            if used != number {
                break;
            }
            number += 1;
        }
        number
    }
}
