//! What can be said of a state: the atoms of temporal formulas.

use crate::dependence::Dependence;
use crate::model::Model;
use crate::vector::Change;

/// Atomic propositions over the states of a model, by number.
pub trait Propositions<M: Model>: Sync {
    /// The number of propositions, at most 64.
    fn count(&self) -> u32;

    /// Returns which propositions hold in a state: a bit for each.
    fn valuation(&self, model: &M, worker: &mut M::Worker, state: &M::State) -> u64;

    /// The same for the state that differs from `before` in these slots, which need not be made for it.
    fn valuation_after(
        &self,
        model: &M,
        worker: &mut M::Worker,
        before: &M::State,
        changes: &[Change],
    ) -> u64 {
        let state = model.patch(worker, before, changes);
        self.valuation(model, worker, &state)
    }
}

/// Propositions that know by which operations they may change.
pub trait Changes<M: Dependence>: Propositions<M> {
    /// Whether a step with this pending operation may change what holds, with all that follows from it, in
    /// whichever state it is done. To say yes is always right and costs executions; the default does.
    fn may_change(&self, _: &M, _: &M::Operation) -> bool {
        true
    }
}
