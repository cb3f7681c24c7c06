//! Temporal formulas: the automaton of the runs that violate one reads what holds in each state.

use steam_ltl::{StateId, Valuation};
use steam_model::{Automaton, Model, Move, Propositions, Reading};

/// Reads the runs that violate a formula. A move reads the state that the system leaves, so that the
/// first state counts; a run that has ended repeats its last one.
pub struct Violations<'a, P: ?Sized, F> {
    automaton: &'a steam_ltl::Automaton,
    propositions: &'a P,
    violation: F,
}

impl<'a, P: ?Sized, F> Violations<'a, P, F> {
    /// The automaton accepts the violations (as [`steam_ltl::Property::violations`] does); its atoms are
    /// the propositions of the same numbers. The function makes an error of a cycle.
    pub fn new(automaton: &'a steam_ltl::Automaton, propositions: &'a P, violation: F) -> Self {
        Self { automaton, propositions, violation }
    }
}

impl<M, P, F> Automaton<M> for Violations<'_, P, F>
where
    M: Model,
    P: Propositions<M> + ?Sized,
    F: Fn(&M, &[(M::State, Option<M::Action>)]) -> M::Violation + Sync,
{
    fn sets(&self) -> u32 {
        self.automaton.sets
    }

    fn initial(&self) -> u32 {
        self.automaton.initial.0
    }

    fn letter(&self, model: &M, worker: &mut M::Worker, state: &M::State) -> u64 {
        self.propositions.valuation(model, worker, state)
    }

    fn moves(
        &self,
        _: &M,
        _: &mut M::Worker,
        from: u32,
        reading: &Reading<'_, M>,
        visit: &mut dyn FnMut(Move),
    ) {
        for one in self.automaton.successors(StateId(from), Valuation(reading.letter)) {
            visit(Move::Within { to: one.target.0, marks: one.marks.0 });
        }
    }

    fn violation(&self, model: &M, cycle: &[(M::State, Option<M::Action>)]) -> M::Violation {
        (self.violation)(model, cycle)
    }
}
