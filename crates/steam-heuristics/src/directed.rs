//! Any of the heuristics, chosen while the checker runs.

use steam_model::{Blind, Heuristic, Threads};

use crate::most_blocked::MostBlocked;
use crate::prefer_locks::PreferLocks;

/// One of the heuristics. A closed type instead of one type parameter for each, so that every
/// search is compiled once for all of them; the choice costs one branch for each new state.
#[derive(Clone, Copy, Debug)]
pub enum Directed {
    /// Prefers nothing.
    Blind(Blind),
    /// `mb`.
    MostBlocked(MostBlocked),
    /// `pl2`.
    PreferLocks(PreferLocks),
}

impl<M: Threads> Heuristic<M> for Directed {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        match self {
            Self::Blind(blind) => Heuristic::<M>::maximum(blind),
            Self::MostBlocked(blocked) => Heuristic::<M>::maximum(blocked),
            Self::PreferLocks(locks) => Heuristic::<M>::maximum(locks),
        }
    }

    fn preference(&self, model: &M, worker: &mut M::Worker, state: &M::State, path: &()) -> i64 {
        match self {
            Self::Blind(blind) => blind.preference(model, worker, state, path),
            Self::MostBlocked(blocked) => blocked.preference(model, worker, state, path),
            Self::PreferLocks(locks) => locks.preference(model, worker, state, path),
        }
    }

    fn extend(&self, _: &M, (): &(), _: &M::State, _: M::Action) {}
}
