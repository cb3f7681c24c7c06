//! Models that can say what is wrong when processes wait for too long, or act and never make progress.

use crate::model::Model;
use crate::vector::Delta;

/// A model that has a word for a process that cannot act, state after state; and for a cycle on which
/// no process makes progress.
///
/// How long is too long is decided by whoever sees the states one after the other: a state alone does
/// not tell.
pub trait Livelocks: Model {
    /// The error that a process has been waiting for more than so many states up to this one.
    fn livelock(&self, state: &Self::State, process: u32, states: u32) -> Self::Violation;

    /// Whether the step that a worker did last was progress, such as an output.
    fn progressed(&self, worker: &Self::Worker) -> bool;

    /// Whether an action is one by which its process gives way to others, such as `sched_yield` or a sleep.
    /// That a process loops without effect is seen without this.
    fn yields(&self, _before: &Self::State, _action: Self::Action) -> bool {
        false
    }

    /// Whether a process of a state waits in a loop: running alone it comes back to where it was, and no other one sees a
    /// difference. Asked by those who choose one run.
    fn spins(&self, _worker: &mut Self::Worker, _state: &Self::State, _process: u32) -> bool {
        false
    }

    /// Whether the process of an action, just done from a state, can only wait for others now, so that a switch to
    /// them is none that a bound counts.
    fn gives_way(
        &self,
        _worker: &mut Self::Worker,
        before: &Self::State,
        action: Self::Action,
        _delta: &Delta,
    ) -> bool {
        self.yields(before, action)
    }

    /// The error that processes may repeat this cycle forever without progress: states, and the step
    /// from each to the next.
    fn non_progress(&self, cycle: &[(Self::State, Self::Action)]) -> Self::Violation;

    /// The error that a state has no way out, although some processes can act there: they loop alone without
    /// effect, and all others are blocked. Asked where a search has stopped all that can act for that.
    fn hang(&self, _worker: &mut Self::Worker, _state: &Self::State) -> Option<Self::Violation> {
        None
    }
}
