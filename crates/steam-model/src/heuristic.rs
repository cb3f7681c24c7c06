//! How near a state looks to an error.

use crate::model::Model;

/// A preference among states; the larger, the better.
///
/// What depends on the way to a state rather than on the state (such as how often threads
/// alternated) is kept in a [`Path`](Heuristic::Path), which lives in the search's node and never
/// in the state. When a state is reached again, the first node stays (or the cheaper one, where
/// the search reopens).
pub trait Heuristic<M: Model>: Sync {
    /// What is remembered of the way to a state; the default is the empty way.
    type Path: Clone + Default + Send + Sync;

    /// Whether the preference depends on the way to a state: if not, it need not be computed for each
    /// of several ways.
    const FOLLOWS_PATH: bool;

    /// A bound on the preference that is fixed for a run. Exceeding it is no error: only
    /// differences count for the order.
    fn maximum(&self) -> i64;

    /// How good a state looks.
    fn preference(
        &self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
        path: &Self::Path,
    ) -> i64;

    /// The path one step further.
    fn extend(
        &self,
        model: &M,
        path: &Self::Path,
        before: &M::State,
        action: M::Action,
    ) -> Self::Path;

    /// Bytes that a path takes beside its own size, for the memory limit.
    fn path_bytes(&self, _: &Self::Path) -> usize {
        0
    }

    /// The estimated distance to an error: the maximum less the preference.
    fn estimate(
        &self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
        path: &Self::Path,
    ) -> i64 {
        self.maximum().saturating_sub(self.preference(model, worker, state, path))
    }
}

/// Prefers nothing: best-first search becomes depth-first order, A* breadth-first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<M: Model> Heuristic<M> for Blind {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        0
    }

    fn preference(&self, _: &M, _: &mut M::Worker, _: &M::State, _: &()) -> i64 {
        0
    }

    fn extend(&self, _: &M, _: &(), _: &M::State, _: M::Action) {}
}
