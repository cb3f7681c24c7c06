//! Checks that a model keeps the laws that searches rely on. For tests of models.

use steam_model::{Delta, Model, Silent, Step, StepOf};

use crate::walk::Numbers;

/// Walks at random from the initial state, again whenever a path ends, and checks on each of the
/// steps what [`Model`] promises. The first broken promise is the error.
pub fn audit<M: Model>(model: &M, steps: usize, seed: u64) -> Result<(), String> {
    let mut numbers = Numbers::new(seed);
    let mut audit = Audit { model, worker: model.worker(), other: model.worker() };
    let initial = model.initial(&mut audit.worker);
    let mut state = initial.clone();
    for _ in 0..steps {
        let enabled = audit.enabled(&state)?;
        if enabled.is_empty() {
            state = initial.clone();
            continue;
        }
        let action = enabled[numbers.below(enabled.len())];
        match audit.step(&state, action)? {
            (Step::Next, Some(next)) => {
                audit.patch(&initial, &next)?;
                audit.patch(&next, &state)?;
                state = next;
            }
            _ => state = initial.clone(),
        }
    }
    Ok(())
}

/// A model and two workers with different pasts.
struct Audit<'a, M: Model> {
    model: &'a M,
    worker: M::Worker,
    other: M::Worker,
}

impl<M: Model> Audit<'_, M> {
    fn vector(&self, state: &M::State) -> Vec<u32> {
        let mut vector = Vec::new();
        self.model.describe(state, &mut vector);
        // Zeros at the end do not count.
        Delta::new().apply(&mut vector);
        vector
    }

    /// The enabled actions: in order, and the same for another worker.
    fn enabled(&mut self, state: &M::State) -> Result<Vec<M::Action>, String> {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.model.enabled(&mut self.worker, state, &mut first);
        self.model.enabled(&mut self.other, state, &mut second);
        if first != second {
            return Err(format!("enabled depends on the worker: {first:?} and {second:?}"));
        }
        if !first.is_sorted_by(|a, b| a < b) {
            return Err(format!("enabled actions are not ascending: {first:?}"));
        }
        Ok(first)
    }

    /// A step: the same for another worker, with a delta that tells the whole difference.
    fn step(
        &mut self,
        state: &M::State,
        action: M::Action,
    ) -> Result<(StepOf<M>, Option<M::State>), String> {
        let (mut delta, mut again) = (Delta::new(), Delta::new());
        let model = self.model;
        let before = self.vector(state);
        let first = model.step(&mut self.worker, state, action, &mut delta, &mut Silent);
        let second = model.step(&mut self.other, state, action, &mut again, &mut Silent);
        if self.vector(state) != before {
            return Err(format!("{action:?} changes the state before it"));
        }
        match (&first, &second) {
            (Step::Next, Step::Next) => {
                delta.normalise();
                again.normalise();
                let next = model.patch(&mut self.worker, state, delta.changes());
                let other = model.patch(&mut self.other, state, again.changes());
                let (one, two) = (self.vector(&next), self.vector(&other));
                if one != two {
                    return Err(format!("{action:?} leads to {one:?} and to {two:?}"));
                }
                if delta != difference(&before, &one) {
                    let told = delta.changes();
                    return Err(format!("{action:?} tells {told:?}, from {before:?} to {one:?}"));
                }
                return Ok((first, Some(next)));
            }
            (Step::Violation(one), Step::Violation(two)) if one == two => {}
            (Step::Unknown(one), Step::Unknown(two)) if one == two => {}
            (Step::Infeasible, Step::Infeasible) => {}
            _ => return Err(format!("{action:?} ends differently when done twice")),
        }
        Ok((first, None))
    }

    /// Rebuilding one state from another gives the same description and the same actions.
    fn patch(&mut self, base: &M::State, wanted: &M::State) -> Result<(), String> {
        let (from, to) = (self.vector(base), self.vector(wanted));
        let delta = difference(&from, &to);
        let rebuilt = self.model.patch(&mut self.other, base, delta.changes());
        let vector = self.vector(&rebuilt);
        if vector != to {
            return Err(format!("patching {from:?} gives {vector:?} instead of {to:?}"));
        }
        if self.enabled(&rebuilt)? != self.enabled(wanted)? {
            return Err(format!("patching to {to:?} enables other actions"));
        }
        Ok(())
    }
}

/// The changes from one vector to another.
fn difference(from: &[u32], to: &[u32]) -> Delta {
    let at = |vector: &[u32], slot: usize| vector.get(slot).copied().unwrap_or(0);
    let mut delta = Delta::new();
    for slot in 0..from.len().max(to.len()) {
        delta.record(slot as u32, at(from, slot), at(to, slot));
    }
    delta.normalise();
    delta
}
