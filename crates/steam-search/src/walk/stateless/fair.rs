//! Executions of a fair scheduler, and the cycles on them.
//!
//! A yield is what the model calls so, and a step by which a process has looped without effect. An
//! execution ends where it comes back to a state in which everything is as it was there, or at the depth
//! limit. If it has come back to a state, and every process that can act along the cycle does, it can loop
//! for ever in a fair way. Only that is reported as a cycle, never that an execution is long.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use steam_model::{Delta, Livelocks, Model};

use super::priorities::{Priorities, Turn};
use crate::walk::Visit;

/// The states of an execution of a fair scheduler.
pub(super) struct Fair<M: Model> {
    places: Vec<Place<M>>,
    /// Whether there are executions that were not explored: a process was held back, or a state was
    /// there before.
    pub(super) held_back: bool,
}

struct Place<M: Model> {
    state: M::State,
    fingerprint: u64,
    /// The step that led here.
    entry: Option<Entry<M::Action>>,
    able: BTreeSet<u32>,
    /// What can be done, as fairness counts it.
    owed: BTreeSet<u32>,
    priorities: Priorities,
}

#[derive(Clone, Copy)]
struct Entry<A> {
    action: A,
    yields: bool,
    progressed: bool,
}

/// A fair cycle: the states from a depth on, and the step from each to the next.
pub(super) struct Cycle<M: Model> {
    pub(super) begins: usize,
    pub(super) steps: Vec<(M::State, M::Action)>,
    /// Whether one of the steps was progress.
    pub(super) progressed: bool,
}

impl<M: Livelocks> Fair<M> {
    pub(super) fn new() -> Self {
        Self { places: Vec::new(), held_back: false }
    }

    /// Adds the state at a depth; `round` says whether the last step's process has looped.
    pub(super) fn enter(&mut self, worker: &M::Worker, visit: &Visit<'_, M>, round: bool) {
        self.places.truncate(visit.depth);
        self.places.push(Place {
            state: visit.state.clone(),
            fingerprint: fingerprint(&vector(visit.model, visit.state)),
            entry: entry(worker, visit, round),
            able: BTreeSet::new(),
            owed: BTreeSet::new(),
            priorities: Priorities::default(),
        });
    }

    /// Takes note of what can be done in the last state.
    pub(super) fn note_enabled(&mut self, model: &M, enabled: &[M::Action]) {
        let Some((place, before)) = self.places.split_last_mut() else { return };
        let sure = enabled.iter().filter(|action| !model.is_unfair(**action));
        place.able = sure.clone().map(|action| model.process(*action)).collect();
        place.owed = sure.map(|action| model.justice(*action)).collect();
        if let (Some(entry), Some(before)) = (place.entry, before.last()) {
            place.priorities = before.priorities.next(&Turn {
                process: model.process(entry.action),
                yields: entry.yields,
                before: &before.able,
                able: &place.able,
            });
        }
        let held = |process: &u32| !place.priorities.allow(*process, &place.able);
        self.held_back |= place.able.iter().any(held);
    }

    /// Whether a process may act in the state at a depth.
    pub(super) fn allows(&self, depth: usize, process: u32) -> bool {
        let place = self.places.get(depth);
        place.is_none_or(|place| place.priorities.allow(process, &place.able))
    }

    /// Whether the last state was there before with all that decides how it goes on, of which others may
    /// keep a part (`same`): then everything after it is after the earlier one too.
    pub(super) fn repeats(&self, model: &M, same: impl Fn(usize, usize) -> bool) -> bool {
        let Some((last, before)) = self.places.split_last() else { return false };
        before.iter().enumerate().any(|(at, place)| {
            place.fingerprint == last.fingerprint
                && place.priorities == last.priorities
                && vector(model, &place.state) == vector(model, &last.state)
                && same(at, before.len())
        })
    }

    /// A fair cycle that the last step closes.
    pub(super) fn last_cycle(&self, model: &M) -> Option<Cycle<M>> {
        let (last, before) = self.places.split_last()?;
        cycle(model, before, (&last.state, last.entry?))
    }

    /// A fair cycle that a step closes which leads from the last state to one that is not entered.
    pub(super) fn next_cycle(&self, worker: &M::Worker, visit: &Visit<'_, M>) -> Option<Cycle<M>> {
        cycle(visit.model, &self.places, (visit.state, entry(worker, visit, false)?))
    }
}

/// A fair cycle that a step closes which leads from the last of some states to another one.
fn cycle<M: Model>(
    model: &M,
    places: &[Place<M>],
    (state, last): (&M::State, Entry<M::Action>),
) -> Option<Cycle<M>> {
    let wanted = vector(model, state);
    let fingerprint = fingerprint(&wanted);
    let same = |place: &Place<M>| {
        place.fingerprint == fingerprint && vector(model, &place.state) == wanted
    };
    let fair = |begins: &usize| is_fair(model, &places[*begins..], last.action);
    let begins = (0..places.len()).rev().filter(|at| same(&places[*at])).find(fair)?;
    let places = &places[begins..];
    let entries = places[1..].iter().filter_map(|place| place.entry).chain([last]);
    let progressed = entries.clone().any(|entry| entry.progressed);
    let steps = places.iter().map(|place| place.state.clone());
    let steps = steps.zip(entries.map(|entry| entry.action)).collect();
    Some(Cycle { begins, steps, progressed })
}

/// Whether on a cycle everything is done that can be done in all of its states, as fairness counts it.
fn is_fair<M: Model>(model: &M, places: &[Place<M>], last: M::Action) -> bool {
    let Some((first, others)) = places.split_first() else { return false };
    let entries = others.iter().filter_map(|place| place.entry).map(|it| it.action);
    let acting: BTreeSet<u32> = entries.chain([last]).map(|it| model.justice(it)).collect();
    let always = |process: &&u32| places.iter().all(|place| place.owed.contains(*process));
    first.owed.iter().filter(always).all(|process| acting.contains(process))
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
