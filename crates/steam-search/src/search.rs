//! A search under way: its open list, its workers, and the rounds in which they meet.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use steam_model::{
    Delta, Frontier, Heuristic, Insert, Model, Property, Reduction, StateId, Visited,
};
use steam_store::{Costs, Links};

use crate::batch;
use crate::config::{Config, Control, Progress};
use crate::expand::{Batch, Discovery, Equipment, Harvest, NodeOf, Problem};
use crate::findings::{Findings, Found};
use crate::node::Node;
use crate::outcome::{End, Finding, LimitKind, OutcomeOf, Statistics};
use crate::replay::actions_of;
use crate::watch::{Pace, Watch};

/// Steps between two looks at the clock, with one worker.
const CHECK_EVERY: u64 = 1024;

/// Steps in a batch, as far as they can be foreseen: what lies between two looks at the clock
/// with several workers.
const BATCH_STEPS: u64 = 1 << 16;

/// The work of a batch, foreseen in the same way.
const BATCH_EFFORT: u64 = 1 << 28;

/// Where something was found: in a state, or on the step by a choice from it.
pub(crate) struct Place {
    pub(crate) state: StateId,
    pub(crate) choice: Option<u32>,
}

/// An open list of any kind. It is asked twice for each state, so that the searches, of which there is one for each kind of
/// model, heuristic and store, need not be compiled for each kind of list as well.
pub(crate) type FrontierOf<'a, M, V, H> = Box<dyn Frontier<NodeOf<M, V, H>> + Send + 'a>;

/// A search under way.
pub(crate) struct Search<'a, 'c, M, V, H, P, R>
where
    M: Model,
    V: Visited,
    H: Heuristic<M>,
    P: ?Sized,
    R: Reduction<M> + ?Sized,
{
    pub(crate) problem: &'a Problem<'a, M, H, P, R>,
    pub(crate) store: &'a V,
    pub(crate) frontier: FrontierOf<'a, M, V, H>,
    pub(crate) config: &'a Config,
    pub(crate) watch: Watch<'a, 'c>,
    pub(crate) crew: Vec<Mutex<Equipment<M, V, R::Notes>>>,
    pub(crate) links: Option<Links>,
    pub(crate) costs: Option<Costs>,
    pub(crate) violations: Findings<M::Violation, Place>,
    pub(crate) unknowns: Findings<M::Unknown, Place>,
    pub(crate) statistics: Statistics,
    pub(crate) best_estimate: Option<i64>,
    /// The most bytes that the path of a node took.
    pub(crate) largest_path: usize,
    /// Whether the depth limit kept a state from being expanded.
    pub(crate) truncated: bool,
    /// Which of the states that are new in this batch were merged.
    pub(crate) merged: Vec<bool>,
    /// What was found out about them.
    pub(crate) discoveries: Vec<Option<Discovery<M>>>,
}

impl<'a, 'c, M, V, H, P, R> Search<'a, 'c, M, V, H, P, R>
where
    M: Model,
    V: Visited,
    H: Heuristic<M>,
    P: Property<M> + ?Sized,
    R: Reduction<M> + ?Sized,
{
    pub(crate) fn new(
        problem: &'a Problem<'a, M, H, P, R>,
        store: &'a V,
        frontier: FrontierOf<'a, M, V, H>,
        config: &'a Config,
        control: &'a mut Control<'c>,
    ) -> Self {
        // With a depth limit a state may first be reached too deep, and later in time.
        let costs = frontier.reopens() || config.limits.depth.is_some();
        Self {
            problem,
            store,
            frontier,
            config,
            watch: Watch::new(control, config.limits),
            crew: Vec::new(),
            links: config.trails.then(Links::default),
            costs: costs.then(Costs::default),
            violations: Findings::default(),
            unknowns: Findings::default(),
            statistics: Statistics { runs: 1, ..Statistics::default() },
            best_estimate: None,
            largest_path: 0,
            truncated: false,
            merged: Vec::new(),
            discoveries: Vec::new(),
        }
    }

    pub(crate) fn run(&mut self) -> End {
        let end = match self.begin() {
            ControlFlow::Break(end) => end,
            ControlFlow::Continue(()) if self.config.jobs > 1 => self.run_batches(),
            ControlFlow::Continue(()) => self.run_alone(),
        };
        match end {
            // Before the depth, which promises that everything above it was explored.
            End::Exhausted if self.frontier.dropped() => End::Limit(LimitKind::Width),
            End::Exhausted if self.truncated => End::Limit(LimitKind::Depth),
            end => end,
        }
    }

    /// Opens the initial state and equips the workers.
    fn begin(&mut self) -> ControlFlow<End> {
        assert!(self.store.is_empty(), "a search begins with an empty store");
        let Problem { model, heuristic, property, .. } = self.problem;
        let mut worker = model.worker();
        let initial = model.initial(&mut worker);
        let mut vector = Vec::new();
        model.describe(&initial, &mut vector);
        let delta = Delta::from_empty(&vector);
        let inserted = self.store.insert(&mut self.store.scratch(), None, delta.changes());
        let Ok(Insert::New(key)) = inserted else {
            return ControlFlow::Break(End::Limit(LimitKind::Memory));
        };
        for _ in 0..self.config.jobs.max(1) {
            let equipment = Equipment::new(*model, self.store, key);
            self.crew.push(Mutex::new(equipment));
        }
        let mut errors = Vec::new();
        property.check(model, &mut worker, &initial, None, &mut |error| errors.push(error));
        let path = H::Path::default();
        let estimate = heuristic.estimate(model, &mut worker, &initial, &path);
        let state = (!self.store.rebuilds()).then(|| Box::new(initial));
        self.statistics.states = 1;
        self.note_cost(V::id(key), 0);
        self.open(Node::new(key, 0, path, state), estimate);
        for error in errors {
            self.note_violation(error, Place { state: V::id(key), choice: None }, 0)?;
        }
        ControlFlow::Continue(())
    }

    /// Expands node by node.
    fn run_alone(&mut self) -> End {
        let mut harvest = Harvest::new();
        let mut pace = Pace::new(CHECK_EVERY);
        while let Some(mut node) = self.next_node() {
            let known = self.store.len() as u32;
            harvest.clear();
            let mut equipment = self.crew[0].lock().unwrap_or_else(PoisonError::into_inner);
            self.batch(known).expand(&mut equipment, &mut node, &mut harvest);
            drop(equipment);
            if let ControlFlow::Break(end) =
                self.merge(known, &[node], std::slice::from_mut(&mut harvest))
            {
                return end;
            }
            let Statistics { transitions, effort, .. } = self.statistics;
            if (harvest.late || pace.is_due(transitions, effort))
                && let Some(end) = self.check().or(too_late(harvest.late))
            {
                return end;
            }
        }
        End::Exhausted
    }

    /// Expands batch by batch, each on all threads of the pool.
    fn run_batches(&mut self) -> End {
        loop {
            let size = self.batch_size().min(self.frontier.ready());
            let mut nodes: Vec<_> = std::iter::from_fn(|| self.next_node()).take(size).collect();
            if nodes.is_empty() {
                return End::Exhausted;
            }
            let known = self.store.len() as u32;
            let ending = self.ending();
            let batch = self.batch(known);
            let mut harvests = batch::expand(&batch, &mut nodes, &self.crew, ending);
            if let ControlFlow::Break(end) = self.merge(known, &nodes, &mut harvests) {
                return end;
            }
            let late = harvests.iter().any(|harvest| harvest.late);
            if let Some(end) = self.check().or(too_late(late)) {
                return end;
            }
        }
    }

    /// What the workers have to know about a batch that begins with so many states.
    pub(crate) fn batch(&self, known: u32) -> Batch<'_, M, V, H, P, R> {
        Batch {
            problem: self.problem,
            store: self.store,
            known,
            depth_limit: self.config.limits.depth.unwrap_or(u32::MAX),
            costs: self.costs.as_ref(),
            deadline: self.watch.deadline(),
        }
    }

    /// Small batches at first, so that near errors are found as if by one worker; it must not
    /// depend on the number of workers.
    fn batch_size(&self) -> usize {
        let Statistics { expanded, transitions, effort, .. } = self.statistics;
        let by_steps = BATCH_STEPS * (expanded + 1) / (transitions + 1);
        let by_effort = BATCH_EFFORT.saturating_mul(expanded + 1) / (effort + 1);
        let foreseen = by_steps.min(by_effort);
        (expanded / 16).clamp(16, 4096).min(foreseen.max(16)) as usize
    }

    /// The next node to expand; those that were reached cheaper since they were opened are left
    /// out.
    fn next_node(&mut self) -> Option<NodeOf<M, V, H>> {
        while let Some(node) = self.frontier.pop() {
            let cheapest = self.costs.as_ref().map_or(0, |costs| costs.get(V::id(node.key)));
            if self.costs.is_none() || node.depth() <= cheapest {
                return Some(node);
            }
        }
        None
    }

    fn bytes(&self) -> u64 {
        let links = self.links.as_ref().map_or(0, Links::bytes);
        let costs = self.costs.as_ref().map_or(0, Costs::bytes);
        let open = self.frontier.bytes() + self.frontier.len() * self.largest_path;
        self.store.bytes() + links + costs + open as u64 + self.problem.model.bytes()
    }

    fn check(&mut self) -> Option<End> {
        let progress = Progress {
            states: self.statistics.states,
            transitions: self.statistics.transitions,
            effort: self.statistics.effort,
            expanded: self.statistics.expanded,
            frontier: self.frontier.len() as u64,
            depth: self.statistics.depth,
            best_estimate: self.best_estimate,
            bytes: self.bytes(),
            ..Progress::default()
        };
        self.watch.check(progress)
    }

    /// Adds the trails, and sums up.
    pub(crate) fn into_outcome(self, end: End) -> OutcomeOf<M> {
        let mut statistics = self.statistics;
        statistics.bytes = self.bytes();
        statistics.store_bytes = self.store.bytes();
        statistics.violations = self.violations.met();
        let Self { problem, links, violations, unknowns, config, store, .. } = self;
        let mut worker = problem.model.worker();
        let mut trail = |place: &Place| {
            let mut choices = links.as_ref()?.path(place.state);
            choices.extend(place.choice);
            Some(actions_of(problem.model, &mut worker, &choices))
        };
        OutcomeOf::<M> {
            end,
            exact: store.exact(),
            violations: with_trails(violations.into_list(config.all), &mut trail),
            unknowns: with_trails(unknowns.into_list(true), &mut trail),
            statistics,
        }
    }
}

/// The end of a search that had no time for all steps of a state: it must not be taken for a whole one.
fn too_late(late: bool) -> Option<End> {
    late.then_some(End::Limit(LimitKind::Time))
}

fn with_trails<T, A>(
    found: Vec<Found<T, Place>>,
    trail: &mut impl FnMut(&Place) -> Option<Vec<A>>,
) -> Vec<Finding<T, A>> {
    let finding = |found: Found<T, Place>| {
        let trail = trail(&found.place);
        let depth = trail.as_ref().map_or(found.cost, |actions| actions.len() as u32);
        Finding { met: found.met, ..Finding::new(found.what, depth, trail) }
    };
    found.into_iter().map(finding).collect()
}
