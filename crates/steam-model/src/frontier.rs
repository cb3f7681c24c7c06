//! Which state is next: what a search asks of its open list.

/// By what an open list may order its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// Steps from the initial state.
    pub cost: u32,
    /// The heuristic's estimate of the steps that remain.
    pub estimate: i64,
}

/// An open list. Among nodes that it does not distinguish, stacks and heaps give the last one
/// first.
pub trait Frontier<T> {
    /// Whether the order needs each state's cheapest way, so that a state that is reached
    /// cheaper has to be opened again.
    fn reopens(&self) -> bool;

    /// Adds a node.
    fn push(&mut self, node: T, rank: Rank);

    /// Takes the next node.
    fn pop(&mut self) -> Option<T>;

    /// The number of nodes.
    fn len(&self) -> usize;

    /// The bytes that the list has taken, but for what its nodes refer to.
    fn bytes(&self) -> usize;

    /// Whether there are no nodes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an error of this rank may still be beaten by what the list holds. Lists that do
    /// not promise cheap ways say no: the first error is as good as any.
    fn may_improve(&self, found: Rank) -> bool;

    /// How many nodes may be taken before what comes of them has to be pushed: further ones would
    /// not be those that come when each node is expanded before the next one is taken. Most lists
    /// set no bound, and what is next then depends on how many are taken together.
    fn ready(&mut self) -> usize {
        usize::MAX
    }

    /// Whether nodes were pushed that no worker can take any more: an empty list is then no proof
    /// that everything was explored.
    fn dropped(&self) -> bool {
        false
    }
}
