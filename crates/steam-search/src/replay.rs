//! Goes along a given list of actions, or along a list of choices.

use steam_model::{Delta, Model, Observer, Silent, Step, StepOf};

/// What came of replaying a trail.
pub struct Replay<M: Model> {
    /// The number of steps that were done.
    pub steps: usize,
    /// What the last step led to; `None` if the next action was not enabled.
    pub end: Option<StepOf<M>>,
    /// The last state that was reached.
    pub state: M::State,
}

/// Does the actions one after the other, from the initial state, until they are done or one of
/// them does not lead to a state.
pub fn replay<M: Model, O: Observer<M::Event>>(
    model: &M,
    actions: &[M::Action],
    observer: &mut O,
) -> Replay<M> {
    replay_by(model, &mut model.worker(), actions, observer)
}

/// The same by a worker that may have done other steps before.
pub(crate) fn replay_by<M: Model, O: Observer<M::Event>>(
    model: &M,
    worker: &mut M::Worker,
    actions: &[M::Action],
    observer: &mut O,
) -> Replay<M> {
    model.ignore_deadline(worker);
    let mut state = model.initial(worker);
    let (mut enabled, mut delta) = (Vec::new(), Delta::new());
    for (steps, &action) in actions.iter().enumerate() {
        enabled.clear();
        model.enabled(worker, &state, &mut enabled);
        if !enabled.contains(&action) {
            return Replay { steps, end: None, state };
        }
        delta.clear();
        match model.step(worker, &state, action, &mut delta, observer) {
            Step::Next => {
                delta.normalise();
                state = model.patch(worker, &state, delta.changes());
            }
            end => return Replay { steps: steps + 1, end: Some(end), state },
        }
    }
    Replay { steps: actions.len(), end: Some(Step::Next), state }
}

/// The actions that a list of choices (positions among the enabled actions) stands for.
pub(crate) fn actions_of<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    choices: &[u32],
) -> Vec<M::Action> {
    model.ignore_deadline(worker);
    let mut state = model.initial(worker);
    let (mut enabled, mut delta) = (Vec::new(), Delta::new());
    let mut actions = Vec::with_capacity(choices.len());
    for &choice in choices {
        enabled.clear();
        model.enabled(worker, &state, &mut enabled);
        let action = enabled[choice as usize];
        actions.push(action);
        delta.clear();
        match model.step(worker, &state, action, &mut delta, &mut Silent) {
            Step::Next => {
                delta.normalise();
                state = model.patch(worker, &state, delta.changes());
            }
            _ => break,
        }
    }
    actions
}
