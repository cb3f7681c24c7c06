//! A*: the smallest sum of cost and estimate is next (Hart, Nilsson, Raphael 1968).
//!
//! With an admissible heuristic the first error reported has a shortest trail; with a weight
//! above 100 percent it is longer by at most that factor. Deviation: errors are tested when they
//! are generated, not when they are expanded, and the search goes on while something in the list
//! could still be cheaper.

use steam_model::{Frontier, Rank};

use super::heap::Heap;

/// Nodes by cost plus weighted estimate, then by estimate, then the last one first.
pub struct AStar<T> {
    heap: Heap<T>,
    weight: u32,
}

impl<T> AStar<T> {
    /// A list whose estimates count for this many percent: 100 is A*, more is greedier.
    pub fn with_weight(percent: u32) -> Self {
        Self { heap: Heap::new(), weight: percent }
    }

    /// The sum that is compared, in hundredths of a step.
    fn sum(&self, rank: Rank) -> i64 {
        let estimate = rank.estimate.saturating_mul(i64::from(self.weight));
        estimate.saturating_add(i64::from(rank.cost) * 100)
    }
}

impl<T> Frontier<T> for AStar<T> {
    fn reopens(&self) -> bool {
        true
    }

    fn push(&mut self, node: T, rank: Rank) {
        let sum = self.sum(rank);
        self.heap.push(node, (sum, rank.estimate));
    }

    fn pop(&mut self) -> Option<T> {
        self.heap.pop()
    }

    fn bytes(&self) -> usize {
        self.heap.bytes()
    }

    fn len(&self) -> usize {
        self.heap.len()
    }

    fn may_improve(&self, found: Rank) -> bool {
        self.heap.smallest().is_some_and(|(sum, _)| sum < self.sum(found))
    }
}
