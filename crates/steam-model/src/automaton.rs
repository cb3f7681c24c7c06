//! What is wrong with runs that have no end: who reads them along, and which cycles are errors.

use crate::model::Model;

/// How an automaton goes on when the system does a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To this state of the automaton, with these marks: a bit for each acceptance set that the move
    /// belongs to.
    Within {
        /// The state that it leads to.
        to: u32,
        /// The acceptance sets.
        marks: u32,
    },
    /// To this state, and no wrong cycle leads over it.
    Onward {
        /// The state that it leads to.
        to: u32,
    },
}

/// An automaton that reads the steps of a run. A run is wrong if the automaton can read it so that it
/// makes, again and again, moves of each of its acceptance sets.
pub trait Automaton<M: Model>: Sync {
    /// The number of acceptance sets, at most 32. Without one, every cycle is wrong.
    fn sets(&self) -> u32;

    /// The state in which it begins.
    fn initial(&self) -> u32;

    /// Tells its moves from a state when the system does a step from `before`; `None` where a run has
    /// ended, and stays for ever as it is. The worker has just done the step.
    fn moves(
        &self,
        model: &M,
        worker: &mut M::Worker,
        from: u32,
        before: &M::State,
        step: Option<M::Action>,
        visit: &mut dyn FnMut(Move),
    );

    /// The error that a run goes round this cycle for ever: states, and the step from each to the
    /// next; none where it has ended.
    fn violation(&self, model: &M, cycle: &[(M::State, Option<M::Action>)]) -> M::Violation;
}
