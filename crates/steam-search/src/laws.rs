//! Checks that a model keeps the laws that searches rely on. For tests of models.

use steam_model::{Delta, Dependence, Model, Silent, Step, StepOf};

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

/// So many further steps of the two processes may be needed where two orders of independent steps are
/// compared.
const MOST_FURTHER: usize = 2;

/// A pair of steps that does not commute although it is called independent, or another broken law.
pub struct Discord<S, A> {
    /// What is wrong.
    pub why: String,
    /// The state, and the two actions there; `None` where it is no matter of two actions.
    pub pair: Option<(S, A, A)>,
}

impl<S, A> From<String> for Discord<S, A> {
    fn from(why: String) -> Self {
        Self { why, pair: None }
    }
}

impl<S, A> From<Discord<S, A>> for String {
    fn from(discord: Discord<S, A>) -> Self {
        discord.why
    }
}

impl<S, A> std::fmt::Display for Discord<S, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

/// How much was done in both orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Audited {
    /// Pairs of steps.
    pub pairs: usize,
    /// Steps of the walk along which they were met.
    pub steps: usize,
}

/// Walks at random from the initial state, and does in each state all pairs of steps that are called
/// independent in both orders, until the caller says that it is over. The first pair that does not commute
/// is the error. What a model has to learn it must have learned before.
pub fn audit_independence<M: Dependence>(
    model: &M,
    steps: usize,
    seed: u64,
    is_over: &dyn Fn() -> bool,
) -> Result<Audited, Discord<M::State, M::Action>> {
    let mut numbers = Numbers::new(seed);
    let mut audit = Audit { model, worker: model.worker(), other: model.worker() };
    let initial = model.initial(&mut audit.worker);
    let (mut state, mut pairs) = (initial.clone(), 0);
    for done in 0..steps {
        let mut visit = || -> Result<_, Discord<M::State, M::Action>> {
            let enabled = audit.enabled(&state)?;
            let pairs = audit.commute(&state, &enabled, is_over)?;
            let next = match enabled.is_empty() {
                true => None,
                false => audit.step(&state, enabled[numbers.below(enabled.len())])?.1,
            };
            Ok((pairs, next))
        };
        let visited = visit();
        // A model may give up steps when it is over: what they come to then says nothing.
        if is_over() {
            return Ok(Audited { pairs, steps: done });
        }
        let (met, next) = visited?;
        pairs += met;
        state = next.unwrap_or_else(|| initial.clone());
    }
    Ok(Audited { pairs, steps })
}

/// Where steps lead.
#[derive(PartialEq)]
enum Reached<V> {
    State(Vec<u32>),
    Error(V),
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

    /// A step: the same for another worker, with a delta that has the whole difference.
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

impl<M: Dependence> Audit<'_, M> {
    /// Does the independent pairs of actions in both orders; how many there are.
    fn commute(
        &mut self,
        state: &M::State,
        enabled: &[M::Action],
        is_over: &dyn Fn() -> bool,
    ) -> Result<usize, Discord<M::State, M::Action>> {
        let mut pending = Vec::new();
        let told = &mut |process, operation| pending.push((process, operation));
        self.model.pending(&mut self.worker, state, told);
        let operation = |process| pending.iter().find(|it| it.0 == process).map(|it| &it.1);
        let mut pairs = 0;
        for (index, &one) in enabled.iter().enumerate() {
            for &other in &enabled[index + 1..] {
                let (Some(first), Some(second)) =
                    (operation(self.model.process(one)), operation(self.model.process(other)))
                else {
                    return Err(format!("{one:?} or {other:?} has no pending operation").into());
                };
                if self.model.process(one) == self.model.process(other)
                    || self.model.dependent(first, second)
                {
                    continue;
                }
                if is_over() {
                    return Ok(pairs);
                }
                let discord = |why| Discord { why, pair: Some((state.clone(), one, other)) };
                let there = self.both(state, one, other).map_err(discord)?;
                let back = self.both(state, other, one).map_err(discord)?;
                // Where one of them ends everything, the other one has nothing to say.
                if let (Some(there), Some(back)) = (there, back) {
                    pairs += 1;
                    if !there.iter().any(|end| back.contains(end)) {
                        return Err(discord(format!(
                            "{one:?} ({first:?}) and {other:?} ({second:?}) do not commute"
                        )));
                    }
                }
            }
        }
        Ok(pairs)
    }

    /// Where two actions lead, and where their processes come to from there in a few steps, be it an
    /// error: how far a process goes in one step may depend on whether it is alone, or on whom it joins.
    /// Nowhere if one of them ends everything.
    fn both(
        &mut self,
        state: &M::State,
        first: M::Action,
        second: M::Action,
    ) -> Result<Option<Vec<Reached<M::Violation>>>, String> {
        let (_, Some(between)) = self.step(state, first)? else { return Ok(None) };
        if !self.enabled(&between)?.contains(&second) {
            return Err(format!("behind {first:?} the independent {second:?} is not enabled"));
        }
        let Some(end) = self.step(&between, second)?.1 else { return Ok(None) };
        let processes = [self.model.process(first), self.model.process(second)];
        let (mut states, mut errors) = (vec![end], Vec::new());
        let mut newest = 0;
        for _ in 0..MOST_FURTHER {
            let known = states.len();
            for index in newest..known {
                let mut enabled = self.enabled(&states[index])?;
                enabled.retain(|action| processes.contains(&self.model.process(*action)));
                for action in enabled {
                    let state = states[index].clone();
                    let (step, next) = self.step(&state, action)?;
                    states.extend(next);
                    if let Step::Violation(error) = step {
                        errors.push(Reached::Error(error));
                    }
                }
            }
            newest = known;
        }
        let states = states.iter().map(|state| Reached::State(self.vector(state)));
        Ok(Some(states.chain(errors).collect()))
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
