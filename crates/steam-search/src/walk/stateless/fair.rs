//! Executions of a fair scheduler, and the cycles on them.
//!
//! A yield is what the model calls so, and a step by which an agent has gone round without effect. An
//! execution that is longer than the depth limit is looked at once more: if it comes back to a state, and
//! everybody who can act all the way round does, it can go round for ever in a fair way. Only that is told
//! as a cycle, never that an execution is long.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use steam_model::{Delta, Livelocks, Model};

use super::priorities::{Priorities, Turn};
use crate::walk::Visit;

/// The states of an execution of a fair scheduler.
pub(super) struct Fair<M: Model> {
    places: Vec<Place<M>>,
    /// Whether somebody was held back.
    pub(super) held_back: bool,
}

struct Place<M: Model> {
    state: M::State,
    fingerprint: u64,
    /// The step that led here.
    entry: Option<Entry<M::Action>>,
    able: BTreeSet<u32>,
    priorities: Priorities,
}

#[derive(Clone, Copy)]
struct Entry<A> {
    action: A,
    yields: bool,
    progressed: bool,
}

/// A fair cycle: the states from a depth on, and the step from each to the next.
pub(super) struct Circle<M: Model> {
    pub(super) begins: usize,
    pub(super) steps: Vec<(M::State, M::Action)>,
    /// Whether one of the steps was progress.
    pub(super) progressed: bool,
}

impl<M: Livelocks> Fair<M> {
    pub(super) fn new() -> Self {
        Self { places: Vec::new(), held_back: false }
    }

    /// Adds the state at a depth; `round` says whether the last step's agent has gone round.
    pub(super) fn enter(&mut self, worker: &M::Worker, visit: &Visit<'_, M>, round: bool) {
        self.places.truncate(visit.depth);
        self.places.push(Place {
            state: visit.state.clone(),
            fingerprint: fingerprint(&vector(visit.model, visit.state)),
            entry: entry(worker, visit, round),
            able: BTreeSet::new(),
            priorities: Priorities::default(),
        });
    }

    /// Takes note of what can be done in the last state.
    pub(super) fn note_enabled(&mut self, model: &M, enabled: &[M::Action]) {
        let Some((place, before)) = self.places.split_last_mut() else { return };
        place.able = enabled.iter().map(|action| model.agent(*action)).collect();
        if let (Some(entry), Some(before)) = (place.entry, before.last()) {
            place.priorities = before.priorities.next(&Turn {
                agent: model.agent(entry.action),
                yields: entry.yields,
                before: &before.able,
                able: &place.able,
            });
        }
        let held = |agent: &u32| !place.priorities.allow(*agent, &place.able);
        self.held_back |= place.able.iter().any(held);
    }

    /// Whether an agent may act in the state at a depth.
    pub(super) fn allows(&self, depth: usize, agent: u32) -> bool {
        let place = self.places.get(depth);
        place.is_none_or(|place| place.priorities.allow(agent, &place.able))
    }

    /// A fair cycle that a step closes which leads from the last state to one that is not entered.
    pub(super) fn circle(&self, worker: &M::Worker, visit: &Visit<'_, M>) -> Option<Circle<M>> {
        let last = entry(worker, visit, false)?;
        let vector_here = vector(visit.model, visit.state);
        let fingerprint = fingerprint(&vector_here);
        let same = |place: &Place<M>| {
            place.fingerprint == fingerprint && vector(visit.model, &place.state) == vector_here
        };
        let begins = (0..self.places.len())
            .rev()
            .filter(|at| same(&self.places[*at]))
            .find(|at| self.is_fair(visit.model, *at, last.action))?;
        let places = &self.places[begins..];
        let entries = places[1..].iter().filter_map(|place| place.entry).chain([last]);
        let progressed = entries.clone().any(|entry| entry.progressed);
        let steps = places.iter().map(|place| place.state.clone());
        let steps = steps.zip(entries.map(|entry| entry.action)).collect();
        Some(Circle { begins, steps, progressed })
    }

    /// Whether everybody acts behind a depth who can act in all states from there on.
    fn is_fair(&self, model: &M, begins: usize, last: M::Action) -> bool {
        let places = &self.places[begins..];
        let entries = places[1..].iter().filter_map(|place| place.entry).map(|it| it.action);
        let acting: BTreeSet<u32> = entries.chain([last]).map(|it| model.agent(it)).collect();
        let mut always = places[0]
            .able
            .iter()
            .filter(|agent| places.iter().all(|place| place.able.contains(*agent)));
        always.all(|agent| acting.contains(agent))
    }
}

fn entry<M: Livelocks>(
    worker: &M::Worker,
    visit: &Visit<'_, M>,
    round: bool,
) -> Option<Entry<M::Action>> {
    let (before, action, _) = visit.step?;
    let yields = round || visit.model.yields(before, action);
    Some(Entry { action, yields, progressed: visit.model.progressed(worker) })
}

/// The description of a state.
fn vector<M: Model>(model: &M, state: &M::State) -> Vec<u32> {
    let mut vector = Vec::new();
    model.describe(state, &mut vector);
    // Zeros at the end do not count.
    Delta::new().apply(&mut vector);
    vector
}

fn fingerprint(vector: &[u32]) -> u64 {
    let mut hasher = DefaultHasher::new();
    vector.hash(&mut hasher);
    hasher.finish()
}
