//! What makes a state an error.

use crate::model::Model;

/// A predicate on single states, such as the absence of deadlocks.
pub trait Property<M: Model>: Sync {
    /// The error that a state is, if it is one. `enabled` holds all its enabled actions, before
    /// any reduction.
    fn check(&self, model: &M, state: &M::State, enabled: &[M::Action]) -> Option<M::Violation>;
}

/// No state is an error; steps may still be.
impl<M: Model> Property<M> for () {
    fn check(&self, _: &M, _: &M::State, _: &[M::Action]) -> Option<M::Violation> {
        None
    }
}

/// The first property that is violated counts.
impl<M: Model> Property<M> for Vec<Box<dyn Property<M>>> {
    fn check(&self, model: &M, state: &M::State, enabled: &[M::Action]) -> Option<M::Violation> {
        self.iter().find_map(|property| property.check(model, state, enabled))
    }
}
