//! Breadth-first order: the first node is next, so that states are reached on shortest ways.

use std::collections::VecDeque;

use steam_model::{Frontier, Rank};

/// A queue.
pub struct Queue<T>(VecDeque<T>);

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Frontier<T> for Queue<T> {
    fn reopens(&self) -> bool {
        false
    }

    fn push(&mut self, node: T, _rank: Rank) {
        self.0.push_back(node);
    }

    fn pop(&mut self) -> Option<T> {
        self.0.pop_front()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<T>()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn may_improve(&self, _found: Rank) -> bool {
        // Nodes leave in the order of their depth: the first error is a nearest one.
        false
    }
}
