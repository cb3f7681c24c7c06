//! Iterative deepening: depth-first search up to a bound, again and again with a larger one.
//!
//! The bound is on depth plus estimate (IDA*, Korf 1985); without a heuristic it is on the depth,
//! and the first error found has a shortest trail. With a store, a state is entered again within
//! one iteration only if it is reached in fewer steps, and the search is complete when all states
//! met were entered; without one, every path is walked, and a model with cycles has no end.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use steam_model::{Delta, Heuristic, Insert, Model, Property, StateId, Visited};
use steam_store::Costs;

use super::{Guide, Visit, Walk};
use crate::config::{Config, Control, Progress};
use crate::expand::Problem;
use crate::outcome::{End, LimitKind, OutcomeOf, Statistics};
use crate::watch::Watch;

/// The states met so far, and in how few steps in this iteration.
struct Memory<'a, V: Visited> {
    store: &'a V,
    scratch: V::Scratch,
    /// For the states entered in this iteration.
    costs: Costs,
    /// For the states met beyond the bound, the smallest sum of depth and estimate.
    beyond: HashMap<StateId, i64>,
    /// The states with a step that is an error, but ended beyond the bound.
    error_beyond: HashSet<StateId>,
    /// The states on the current path.
    path: Vec<StateId>,
    entered: u64,
    full: bool,
}

impl<'a, V: Visited<Key = StateId>> Memory<'a, V> {
    fn new(store: &'a V) -> Self {
        Self {
            store,
            scratch: store.scratch(),
            costs: Costs::default(),
            beyond: HashMap::new(),
            error_beyond: HashSet::new(),
            path: Vec::new(),
            entered: 0,
            full: false,
        }
    }

    fn begin(&mut self) {
        self.costs.clear();
        self.beyond.clear();
        self.error_beyond.clear();
        self.entered = 0;
    }

    /// The number of a state; `None` if the store is full.
    fn number<M: Model>(&mut self, visit: &Visit<'_, M>) -> Option<StateId> {
        self.path.truncate(visit.depth);
        let inserted = match visit.step {
            Some((_, _, delta)) => {
                let base = self.path.last().copied();
                self.store.insert(&mut self.scratch, base, delta.changes())
            }
            None => {
                let mut vector = Vec::new();
                visit.model.describe(visit.state, &mut vector);
                let delta = Delta::from_empty(&vector);
                self.store.insert(&mut self.scratch, None, delta.changes())
            }
        };
        match inserted {
            Ok(Insert::New(id) | Insert::Seen(Some(id))) => Some(id),
            Ok(Insert::Seen(None)) | Err(_) => {
                self.full = true;
                None
            }
        }
    }

    /// Whether a state is reached for the first time in this iteration, or cheaper.
    fn admits<M: Model>(&mut self, visit: &Visit<'_, M>) -> bool {
        let Some(id) = self.number(visit) else { return false };
        self.path.push(id);
        self.entered += u64::from(self.costs.get(id) == u32::MAX);
        self.costs.improve(id, visit.depth as u32)
    }

    /// Notes a state that lies beyond the bound on this way; it may lie within it on another.
    fn defer<M: Model>(&mut self, visit: &Visit<'_, M>, sum: i64) {
        if let Some(id) = self.number(visit) {
            self.beyond.entry(id).and_modify(|known| *known = sum.min(*known)).or_insert(sum);
        }
    }

    /// Notes that a step to this depth is an error beyond the bound, on this way.
    fn defer_error(&mut self, depth: usize) {
        self.error_beyond.extend(depth.checked_sub(1).and_then(|before| self.path.get(before)));
    }

    /// The smallest sum of a state that was met and not entered, or of an error that was met and
    /// not accepted.
    fn nearest_beyond(&self, bound: i64) -> Option<i64> {
        let left = |(id, _): &(&StateId, &i64)| self.costs.get(**id) == u32::MAX;
        let states = self.beyond.iter().filter(left).map(|(_, sum)| *sum);
        let errors = self.error_beyond.iter().map(|id| i64::from(self.costs.get(*id)) + 1);
        states.chain(errors.filter(|sum| *sum > bound)).min()
    }
}

/// The guide of one iteration.
struct Deepening<'a, M: Model, V: Visited, H: Heuristic<M>> {
    heuristic: &'a H,
    memory: Option<Memory<'a, V>>,
    /// What the heuristic remembers of the ways to the states on the path.
    paths: Vec<H::Path>,
    bound: i64,
    /// The smallest sum beyond the bound, states in the memory aside.
    next_bound: Option<i64>,
    depth_limit: usize,
    cut_by_limit: bool,
    best_estimate: Option<i64>,
}

impl<M: Model, V: Visited<Key = StateId>, H: Heuristic<M>> Deepening<'_, M, V, H> {
    fn begin(&mut self, bound: i64) {
        self.bound = bound;
        self.next_bound = None;
        self.cut_by_limit = false;
        if let Some(memory) = &mut self.memory {
            memory.begin();
        }
    }

    fn estimate(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>) -> i64 {
        self.paths.truncate(visit.depth);
        let path = match (self.paths.last(), visit.step) {
            (Some(path), Some((before, action, _))) => {
                self.heuristic.extend(visit.model, path, before, action)
            }
            _ => H::Path::default(),
        };
        let estimate = self.heuristic.estimate(visit.model, worker, visit.state, &path);
        self.paths.push(path);
        self.best_estimate = Some(self.best_estimate.map_or(estimate, |best| best.min(estimate)));
        estimate
    }

    /// The bound of the next iteration; `None` if nothing is left.
    fn next_bound(&self) -> Option<i64> {
        let remembered = self.memory.as_ref().and_then(|memory| memory.nearest_beyond(self.bound));
        [self.next_bound, remembered].into_iter().flatten().min()
    }

    fn note_beyond(&mut self, sum: i64) {
        self.next_bound = Some(self.next_bound.map_or(sum, |next| next.min(sum)));
    }

    fn full(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| memory.full)
    }
}

impl<M: Model, V: Visited<Key = StateId>, H: Heuristic<M>> Guide<M> for Deepening<'_, M, V, H> {
    const RETURNS: bool = true;

    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        let sum = self.estimate(worker, visit).saturating_add(visit.depth as i64);
        if visit.depth > self.depth_limit {
            self.cut_by_limit = true;
            return false;
        }
        match &mut self.memory {
            None if sum > self.bound => {
                self.note_beyond(sum);
                false
            }
            None => true,
            Some(memory) if sum > self.bound => {
                memory.defer(visit, sum);
                false
            }
            Some(memory) => memory.admits(visit),
        }
    }

    fn accepts(&mut self, depth: usize) -> bool {
        let sum = depth as i64;
        if depth > self.depth_limit {
            self.cut_by_limit = true;
        } else if sum > self.bound {
            // A state within the bound may be an error too, and a nearer one.
            match &mut self.memory {
                Some(memory) => memory.defer_error(depth),
                None => self.note_beyond(sum),
            }
        } else {
            return true;
        }
        false
    }

    fn choose(&mut self, _: &M, _: usize, enabled: &[M::Action], done: usize) -> Option<usize> {
        if self.full() { None } else { enabled.len().checked_sub(done + 1) }
    }
}

/// Explores by iterative deepening; the reduction of the problem is not used. The store has to be
/// empty, and one that knows its states again.
pub fn deepen<M, V, H, P, R>(
    problem: &Problem<'_, M, H, P, R>,
    store: Option<&V>,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Model,
    V: Visited<Key = StateId>,
    H: Heuristic<M>,
    P: Property<M> + ?Sized,
    R: ?Sized,
{
    let mut worker = problem.model.worker();
    let mut guide = Deepening::<M, V, H> {
        heuristic: problem.heuristic,
        memory: store.map(Memory::new),
        paths: Vec::new(),
        bound: 0,
        next_bound: None,
        depth_limit: config.limits.depth.map_or(usize::MAX, |limit| limit as usize),
        cut_by_limit: false,
        best_estimate: None,
    };
    let mut watch = Watch::new(control, config.limits);
    let system = (problem.model, problem.property);
    let mut walk = Walk::new(system, config, watch.deadline());
    let bytes = || problem.model.bytes() + store.map_or(0, |store| store.bytes());
    let states = |statistics: &Statistics| store.map_or(statistics.states, |it| it.len() as u64);
    let mut halt = |statistics: &Statistics| {
        if config.limits.states.is_some_and(|limit| states(statistics) >= limit) {
            return Some(End::Limit(LimitKind::States));
        }
        let &Statistics { transitions, effort, expanded, depth, peak_frontier, .. } = statistics;
        watch.check(Progress {
            states: states(statistics),
            transitions,
            effort,
            expanded,
            frontier: peak_frontier,
            depth,
            bytes: bytes(),
            ..Progress::default()
        })
    };
    let initial = problem.model.initial(&mut worker);
    let start = H::Path::default();
    let mut bound = problem.heuristic.estimate(problem.model, &mut worker, &initial, &start);
    let end = loop {
        guide.begin(bound);
        if let ControlFlow::Break(end) =
            walk.go(&mut worker, &mut guide, |statistics, _| halt(statistics))
        {
            break end;
        }
        match guide.next_bound() {
            _ if guide.full() => break End::Limit(LimitKind::Memory),
            Some(next) => bound = next,
            None if guide.cut_by_limit => break End::Limit(LimitKind::Depth),
            None => break End::Exhausted,
        }
    };
    if let Some(memory) = &guide.memory {
        walk.statistics.states = memory.entered;
    }
    walk.statistics.bytes = bytes();
    walk.statistics.store_bytes = store.map_or(0, |store| store.bytes());
    walk.into_outcome(end, store.is_none_or(Visited::exact))
}
