//! A node with what it is compared by: the greater of two entries is the better one.

use std::cmp::{Ordering, Reverse};

/// What is compared, smaller first: the main value, then the tie-breaker.
pub(super) type Priority = (i64, i64);

/// A node in a list; among equal priorities the later one is better.
pub(super) struct Entry<T> {
    pub(super) priority: Priority,
    /// The number of nodes that were pushed before it: no two are equal, so that runs do not
    /// differ.
    pub(super) sequence: u64,
    pub(super) node: T,
}

impl<T> Entry<T> {
    fn key(&self) -> (Reverse<Priority>, u64) {
        (Reverse(self.priority), self.sequence)
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}
