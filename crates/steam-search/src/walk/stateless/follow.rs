//! Who reads executions along, state by state.

use steam_model::{Livelocks, Model};

use super::fair::Cycle;
use crate::walk::Visit;

/// Reads an execution along, and goes back with the walk.
pub(super) trait Follower<M: Model> {
    /// Whether processes that loop without effect may be left out: whoever reads runs without an end has
    /// to see them.
    const CYCLES: bool;

    /// Reads the state at a depth, after the one before; what was read after it is forgotten.
    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>);

    /// Reports the errors that the last state shows; `ends` says whether the execution ends there.
    fn judge(&mut self, model: &M, ends: bool, tell: &mut dyn FnMut(M::Violation));

    /// Reports the errors of the run that repeats a fair cycle, which begins at a state that was read.
    fn judge_cycle(&mut self, model: &M, cycle: &Cycle<M>, tell: &mut dyn FnMut(M::Violation));

    /// Whether nothing distinguishes the states at two depths, so that the same follows.
    fn same(&self, one: usize, other: usize) -> bool;

    /// Whether executions may have been left out that matter.
    fn is_misled(&self) -> bool;
}

/// Reads nothing: a fair cycle without progress is an error as such.
impl<M: Livelocks> Follower<M> for () {
    const CYCLES: bool = true;

    fn enter(&mut self, _: &mut M::Worker, _: &Visit<'_, M>) {}

    fn judge(&mut self, _: &M, _: bool, _: &mut dyn FnMut(M::Violation)) {}

    fn judge_cycle(&mut self, model: &M, cycle: &Cycle<M>, tell: &mut dyn FnMut(M::Violation)) {
        if !cycle.progressed {
            tell(model.non_progress(&cycle.steps));
        }
    }

    fn same(&self, _: usize, _: usize) -> bool {
        true
    }

    fn is_misled(&self) -> bool {
        false
    }
}
