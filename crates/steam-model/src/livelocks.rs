//! Models that can say what is wrong when an agent waits for too long.

use crate::model::Model;

/// A model that has a word for an agent that cannot act, state after state.
///
/// How long is too long is decided by whoever sees the states one after the other: a state alone does
/// not tell.
pub trait Livelocks: Model {
    /// The error that an agent has been waiting for more than so many states up to this one.
    fn livelock(&self, state: &Self::State, agent: u32, states: u32) -> Self::Violation;
}
