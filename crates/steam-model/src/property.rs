//! What makes a state an error.

use crate::model::Model;

/// A predicate on single states, such as the absence of deadlocks.
///
/// It is asked once for every state, so it should look at no more than it has to: the last action
/// says whose doing the state is, and what that action cannot have changed was right before.
pub trait Property<M: Model>: Sync {
    /// Reports the errors that a state shows. `last` is the action that led to it, on one of the ways
    /// to it; the initial state has none.
    fn check(
        &self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
        last: Option<M::Action>,
        tell: &mut dyn FnMut(M::Violation),
    );
}

/// No state is an error; steps may still be.
impl<M: Model> Property<M> for () {
    fn check(
        &self,
        _: &M,
        _: &mut M::Worker,
        _: &M::State,
        _: Option<M::Action>,
        _: &mut dyn FnMut(M::Violation),
    ) {
    }
}

/// All properties count.
impl<M: Model> Property<M> for Vec<Box<dyn Property<M>>> {
    fn check(
        &self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
        last: Option<M::Action>,
        tell: &mut dyn FnMut(M::Violation),
    ) {
        for property in self {
            property.check(model, worker, state, last, tell);
        }
    }
}
