//! Depth-first order: the last node is next.

use steam_model::{Frontier, Rank};

/// A stack.
pub struct Stack<T>(Vec<T>);

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Frontier<T> for Stack<T> {
    fn reopens(&self) -> bool {
        false
    }

    fn push(&mut self, node: T, _rank: Rank) {
        self.0.push(node);
    }

    fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<T>()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn may_improve(&self, _found: Rank) -> bool {
        false
    }
}
