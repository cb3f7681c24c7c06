//! The priority queue behind the directed orders: smallest priority first, ties last in first
//! out.

use std::collections::BinaryHeap;

use super::entry::{Entry, Priority};

/// A heap whose order is total, so that runs do not differ.
pub(super) struct Heap<T> {
    entries: BinaryHeap<Entry<T>>,
    sequence: u64,
}

impl<T> Heap<T> {
    pub(super) fn new() -> Self {
        Self { entries: BinaryHeap::new(), sequence: 0 }
    }

    pub(super) fn push(&mut self, node: T, priority: Priority) {
        self.entries.push(Entry { priority, sequence: self.sequence, node });
        self.sequence += 1;
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        self.entries.pop().map(|entry| entry.node)
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<T>>()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The priority of the node that is next.
    pub(super) fn smallest(&self) -> Option<Priority> {
        self.entries.peek().map(|entry| entry.priority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_first_and_the_latest_of_equals() {
        let mut heap = Heap::new();
        for (node, priority) in [('a', (2, 0)), ('b', (1, 5)), ('c', (1, 5)), ('d', (1, 4))] {
            heap.push(node, priority);
        }
        assert_eq!(heap.smallest(), Some((1, 4)));
        let order: String = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, "dcba");
    }
}
