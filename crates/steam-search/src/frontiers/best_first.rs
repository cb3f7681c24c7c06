//! Best-first order: the state that looks nearest to an error is next.

use steam_model::{Frontier, Rank};

use super::heap::Heap;

/// Nodes by their estimate alone; among equals the last one first, as in depth-first order.
pub struct BestFirst<T>(Heap<T>);

impl<T> Default for BestFirst<T> {
    fn default() -> Self {
        Self(Heap::new())
    }
}

impl<T> Frontier<T> for BestFirst<T> {
    fn reopens(&self) -> bool {
        false
    }

    fn push(&mut self, node: T, rank: Rank) {
        self.0.push(node, (rank.estimate, 0));
    }

    fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn may_improve(&self, _found: Rank) -> bool {
        false
    }
}
