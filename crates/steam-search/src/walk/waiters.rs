//! Which processes only wait, as seen along one random run: they yield, or go round without effect.
//!
//! To let such a process run keeps the others from doing what it waits for. To ask whether one loops takes as long as
//! its loop, so it is asked now and then.

use std::collections::HashMap;

use steam_model::Livelocks;

use super::Visit;

/// After so many steps of a process it is asked whether it loops.
const ASKED_EVERY: u32 = 8;

/// How a process waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// It asks for others to go first. What it does next may matter all the same.
    Yields,
    /// It loops without effect until others act.
    Spins,
}

/// What was seen of the processes of a run.
#[derive(Default)]
pub(super) struct Waiters {
    /// How many steps each process has done.
    steps: HashMap<u32, u32>,
}

impl Waiters {
    /// Looks at the step that has led to a state: whether its process waits, as far as it was asked.
    pub(super) fn enter<M: Livelocks>(
        &mut self,
        worker: &mut M::Worker,
        visit: &Visit<'_, M>,
    ) -> Option<Waits> {
        let (before, action, _) = visit.step?;
        let process = visit.model.process(action);
        let steps = self.steps.entry(process).or_default();
        *steps += 1;
        if visit.model.yields(before, action) {
            return Some(Waits::Yields);
        }
        let spins =
            steps.is_multiple_of(ASKED_EVERY) && visit.model.spins(worker, visit.state, process);
        spins.then_some(Waits::Spins)
    }
}
