//! Livelocks: cycles on which no process makes progress.

use steam_model::{Automaton, Livelocks, Move, Reading};

/// The automaton that reads runs without progress.
pub struct NoProgress;

impl<M: Livelocks> Automaton<M> for NoProgress {
    fn sets(&self) -> u32 {
        0
    }

    fn initial(&self) -> u32 {
        0
    }

    fn moves(
        &self,
        model: &M,
        worker: &mut M::Worker,
        from: u32,
        reading: &Reading<'_, M>,
        visit: &mut dyn FnMut(Move),
    ) {
        if reading.step.is_some() {
            visit(match model.progressed(worker) {
                true => Move::Onward { to: from },
                false => Move::Within { to: from, marks: 0 },
            });
        }
    }

    fn violation(&self, model: &M, cycle: &[(M::State, Option<M::Action>)]) -> M::Violation {
        let acts = cycle.iter().filter_map(|(state, action)| Some((state.clone(), (*action)?)));
        model.non_progress(&acts.collect::<Vec<_>>())
    }
}
