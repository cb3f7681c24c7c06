//! What heuristics ask about the threads of a state.

use crate::model::Model;

/// What is known of one thread in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadFacts {
    /// The thread's number as people count: main is 1, the others follow in the order of their
    /// creation.
    pub number: u32,
    /// Whether it was created and has not ended.
    pub alive: bool,
    /// Whether it is alive and cannot do its pending operation now.
    pub blocked: bool,
    /// The number of locks that it holds.
    pub locks: u32,
}

/// A model whose states consist of threads.
pub trait Threads: Model {
    /// Tells the facts of each thread, ascending by number.
    fn threads(&self, state: &Self::State, visit: &mut dyn FnMut(ThreadFacts));
}
