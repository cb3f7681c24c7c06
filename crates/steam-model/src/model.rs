//! What is explored: states, the actions enabled in them, and the steps that actions make.

use std::fmt::Debug;
use std::hash::Hash;

use crate::observer::Observer;
use crate::vector::{Change, Delta};

/// What came of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<V, U> {
    /// The system is in the state to which the delta leads (it may equal the old one). Who wants it
    /// rebuilds it by [`Model::patch`]: most steps lead to states that were seen before.
    Next,
    /// The step itself did wrong, such as failing an assertion; nothing follows it.
    Violation(V),
    /// The step met something that the model does not know; what follows is not explored.
    Unknown(U),
    /// The step contradicts an assumption: this path does not count, and that is no error.
    Infeasible,
}

/// The [`Step`] of a model.
pub type StepOf<M> = Step<<M as Model>::Violation, <M as Model>::Unknown>;

/// A system whose states can be explored.
///
/// Laws that searches rely on, and that `steam_search::laws` checks:
///
/// * [`describe`](Model::describe) is exact: equal vectors (trailing zeros aside) mean equal
///   futures;
/// * [`enabled`](Model::enabled) and [`step`](Model::step) depend on the state alone, never on the
///   worker's past, on time, or on the order in which other workers run;
/// * the delta of a step, applied to the vector before, gives the vector after;
/// * [`patch`](Model::patch) gives the state whose vector is the base's with the changes made.
pub trait Model: Sync {
    /// A live state: a value that is cheap to clone.
    type State: Clone + Send + Sync;
    /// One thing that can happen, such as "thread 3 goes on, with choice 1".
    type Action: Copy + Ord + Debug + Send + Sync;
    /// What an [`Observer`] may learn about a step.
    type Event;
    /// An error. Equal values are the same error, reached on different paths.
    type Violation: Clone + Eq + Hash + Debug + Send + Sync;
    /// Something that the model does not know.
    type Unknown: Clone + Eq + Hash + Debug + Send + Sync;
    /// What one worker needs for itself, such as a CPU with its caches.
    type Worker: Send;

    /// Makes the private equipment of one more worker.
    fn worker(&self) -> Self::Worker;

    /// The state in which everything begins.
    fn initial(&self, worker: &mut Self::Worker) -> Self::State;

    /// Appends a state's whole vector of component ids.
    fn describe(&self, state: &Self::State, vector: &mut Vec<u32>);

    /// Rebuilds the state that differs from `base` in exactly these slots.
    ///
    /// The search only asks for states that were reached before, or by the step just done.
    fn patch(
        &self,
        worker: &mut Self::Worker,
        base: &Self::State,
        changes: &[Change],
    ) -> Self::State;

    /// Appends the actions that can happen, in strictly ascending order.
    fn enabled(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        actions: &mut Vec<Self::Action>,
    );

    /// Appends what could happen if no bound on schedules kept it from happening. Whether a process is treated fairly is
    /// judged by that.
    fn possible(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        actions: &mut Vec<Self::Action>,
    ) {
        self.enabled(worker, state, actions);
    }

    /// Whether [`possible`](Model::possible) may be more than [`enabled`](Model::enabled).
    fn is_bounded(&self) -> bool {
        false
    }

    /// Does an enabled action, and records in `delta` the slots that it changed.
    fn step<O: Observer<Self::Event>>(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        action: Self::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self>;

    /// Who does this action: a small number, such as the thread's id.
    fn process(&self, action: Self::Action) -> u32;

    /// As whose action fairness counts this one: a run is fair if it does not leave out forever what this number can do.
    /// A process may have several numbers, where it owes several things; each belongs to one process.
    fn justice(&self, action: Self::Action) -> u32 {
        self.process(action)
    }

    /// Whether an action is an unfair one, such as a wake-up without a signal. A
    /// process that can do nothing else waits, and a run may end where no process can do anything else.
    fn is_unfair(&self, _: Self::Action) -> bool {
        false
    }

    /// Lets a worker take all the time that its steps need, although the search is over: it goes along what
    /// was found.
    fn ignore_deadline(&self, _: &mut Self::Worker) {}

    /// How much work a worker's last step was, such as a count of instructions. It is the same wherever
    /// the step is done: what searches decide by it does not depend on who does it.
    fn effort(&self, _: &Self::Worker) -> u64 {
        0
    }

    /// Whether a search that is not to find all errors ends with this one. Those with which it does
    /// not are reported beside it.
    fn is_fatal(&self, _: &Self::Violation) -> bool {
        true
    }

    /// Whether a search ends where it meets this, unless it is to go past all of them. Else it goes on, and tells
    /// of it at its end.
    fn ends_search(&self, _: &Self::Unknown) -> bool {
        true
    }

    /// Bytes that the model itself holds, such as interned components, for the memory limit.
    fn bytes(&self) -> u64 {
        0
    }

    /// About how many bytes a state takes beside one that is kept and differs in so many slots.
    fn bytes_beside(&self, changes: usize) -> u64 {
        (size_of::<Self::State>() + changes * size_of::<Change>()) as u64
    }
}
