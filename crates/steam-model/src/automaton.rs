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
        marks: u64,
    },
    /// To this state, and no wrong cycle leads over it.
    Onward {
        /// The state that it leads to.
        to: u32,
    },
}

/// What an automaton reads: a state, and the step that the system does from there.
pub struct Reading<'a, M: Model> {
    /// The state.
    pub before: &'a M::State,
    /// What the automaton said of it by [`Automaton::letter`].
    pub letter: u64,
    /// The step, which the worker has just done; none where a run has ended, and stays for ever as it
    /// is.
    pub step: Option<M::Action>,
}

/// An automaton that reads the steps of a run. A run is wrong if the automaton can read it so that it
/// makes, again and again, moves of each of its acceptance sets.
pub trait Automaton<M: Model>: Sync {
    /// The number of acceptance sets, at most 64. Without one, every cycle is wrong.
    fn sets(&self) -> u32;

    /// The state in which it begins.
    fn initial(&self) -> u32;

    /// What it wants to know of a state before the steps from there: it is asked once for all of them.
    fn letter(&self, _: &M, _: &mut M::Worker, _: &M::State) -> u64 {
        0
    }

    /// Visits its moves from a state when it reads a step of the system.
    fn moves(
        &self,
        model: &M,
        worker: &mut M::Worker,
        from: u32,
        reading: &Reading<'_, M>,
        visit: &mut dyn FnMut(Move),
    );

    /// The error that a run repeats this cycle forever: states, and the step from each to the
    /// next; none where it has ended.
    fn violation(&self, model: &M, cycle: &[(M::State, Option<M::Action>)]) -> M::Violation;
}
