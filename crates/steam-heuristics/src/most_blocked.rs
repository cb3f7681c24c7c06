//! `mb`: the more threads are blocked, the better (Groce and Visser's heuristic for deadlocks).

use steam_model::{Heuristic, Threads};

use crate::table::Bounds;

/// Prefers states with many blocked threads: p = B, at most n.
#[derive(Clone, Copy, Debug)]
pub struct MostBlocked {
    bounds: Bounds,
}

impl MostBlocked {
    /// The heuristic for programs within the bounds.
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds }
    }
}

impl<M: Threads> Heuristic<M> for MostBlocked {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        i64::from(self.bounds.threads)
    }

    fn preference(&self, model: &M, _: &mut M::Worker, state: &M::State, (): &()) -> i64 {
        let mut blocked = 0;
        model.threads(state, &mut |thread| blocked += i64::from(thread.blocked));
        blocked
    }

    fn extend(&self, _: &M, (): &(), _: &M::State, _: M::Action) {}
}
