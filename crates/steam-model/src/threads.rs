//! What heuristics ask about the threads of a state.

use crate::model::Model;
use crate::tally::Tally;

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
    /// The object that it is about to acquire, if its next operation is to wait for one and take it.
    pub wants: Option<u64>,
}

/// How a step touches shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedAccess {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// A model whose states consist of threads.
pub trait Threads: Model {
    /// Visits the facts of each thread, ascending by number.
    fn threads(&self, state: &Self::State, visit: &mut dyn FnMut(ThreadFacts));

    /// Sums over the threads of a state. A model that can tell them without looking at all threads
    /// does so.
    fn tally(&self, _: &mut Self::Worker, state: &Self::State) -> Tally {
        let mut threads = Vec::new();
        self.threads(state, &mut |thread| threads.push(thread));
        Tally::of(threads)
    }

    /// How an action touches shared memory, if it does.
    fn access(&self, state: &Self::State, action: Self::Action) -> Option<SharedAccess>;
}
