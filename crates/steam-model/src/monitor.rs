//! Who reads the states of a run along and sees when something is broken for good.

use crate::model::Model;
use crate::vector::Change;

/// Reads the states of a run one after the other. What it knows of those that it has read is a number.
pub trait Monitor<M: Model>: Sync {
    /// Where it is before it has read a state.
    fn initial(&self) -> u32;

    /// Where it is when it has read one more state.
    fn next(&self, model: &M, worker: &mut M::Worker, from: u32, state: &M::State) -> u32;

    /// The same for the state that differs from `before` in these slots, which need not be made for it.
    fn next_after(
        &self,
        model: &M,
        worker: &mut M::Worker,
        from: u32,
        (before, changes): (&M::State, &[Change]),
    ) -> u32 {
        let state = model.patch(worker, before, changes);
        self.next(model, worker, from, &state)
    }

    /// Reports the errors that were made by what it has read, whatever may follow.
    fn errors(&self, model: &M, at: u32, tell: &mut dyn FnMut(M::Violation));
}
