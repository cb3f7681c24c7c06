//! The loop that looks for cycles: depth-first, over a store, with an automaton that reads along.
//!
//! It is the emptiness check of Couvreur: nodes that reach each other are merged into components as
//! soon as that is seen, and a component that has moves of all acceptance sets has a wrong cycle. With
//! weak fairness a process that can act in every state of a component has to act in it; with strong
//! fairness one that can act in some state of it, and its parts are looked at too. Everything of a
//! component that is complete is left behind for good, so each node is expanded once. Errors of steps
//! and of states are found on the path.

mod components;
mod formula;
mod judge;
mod lasso;
mod no_progress;
mod nodes;
mod processes;
mod product;
mod strong;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use steam_model::{Automaton, Model, Property, StateId, Visited};

use self::components::{Components, Moves};
use self::nodes::{Link, Nodes, Status};
use self::product::{Beginning, Edge, Expansion, Product, Shown, Stop};
use crate::config::{Config, Control, Progress};
use crate::findings::{self, Findings};
use crate::outcome::{End, Finding, LimitKind, OutcomeOf, Statistics};
use crate::replay::actions_of;
use crate::watch::{Pace, Watch};

pub use formula::Violations;
pub use no_progress::NoProgress;

/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 64;

/// Which cycles count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All of them.
    None,
    /// Those on which every process acts again and again, or again and again cannot.
    #[default]
    Weak,
    /// Those on which every process acts again and again, or can act nowhere.
    Strong,
}

/// What a cycle has to have to be wrong.
#[derive(Clone, Copy)]
struct Requirements {
    marks: u64,
    fairness: Fairness,
}

/// Explores all states of a model in depth-first order, and looks for runs that loop forever and
/// that an automaton accepts. The store has to be empty, and one that can rebuild its states.
pub fn cycles<M, V, P, A>(
    (model, property): (&M, &P),
    (automaton, fairness): (&A, Fairness),
    store: &V,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Model,
    V: Visited<Key = StateId>,
    P: Property<M> + ?Sized,
    A: Automaton<M> + ?Sized,
{
    let marks = all_marks(automaton.sets());
    let watch = Watch::new(control, config.limits);
    let mut search = Search {
        product: Product::new((model, property), automaton, store, watch.deadline()),
        store,
        wanted: Requirements { marks, fairness },
        config,
        watch,
        pace: Pace::new(CHECK_EVERY),
        nodes: Nodes::default(),
        live: Vec::new(),
        components: Components::default(),
        frames: Vec::new(),
        roots: VecDeque::new(),
        truncated: false,
        statistics: Statistics::default(),
        found: Found { violations: Findings::default(), unknowns: Findings::default() },
    };
    let end = match search.run() {
        ControlFlow::Continue(()) if search.truncated => End::Limit(LimitKind::Depth),
        ControlFlow::Continue(()) => End::Exhausted,
        ControlFlow::Break(end) => end,
    };
    search.into_outcome(end)
}

/// The marks of so many acceptance sets.
fn all_marks(sets: u32) -> u64 {
    u64::MAX.checked_shl(sets).map_or(u64::MAX, |others| !others)
}

/// The path to something that was found.
enum Path<A> {
    /// The choices of its steps.
    Choices(Vec<u32>),
    /// Its steps; after so many it begins again.
    Lasso(Vec<A>, u32),
}

/// What was found.
struct Found<M: Model> {
    violations: Findings<M::Violation, Path<M::Action>>,
    unknowns: Findings<M::Unknown, Path<M::Action>>,
}

/// A node on the stack.
struct Frame<M: Model> {
    number: u32,
    state: M::State,
    edges: std::vec::IntoIter<Edge<M::Action>>,
}

struct Search<'a, 'c, M: Model, V: Visited, P: ?Sized, A: ?Sized> {
    product: Product<'a, M, V, P, A>,
    store: &'a V,
    wanted: Requirements,
    config: &'a Config,
    watch: Watch<'a, 'c>,
    pace: Pace,
    nodes: Nodes,
    /// The nodes of components that are not complete.
    live: Vec<u32>,
    components: Components,
    frames: Vec<Frame<M>>,
    /// Nodes from which the search begins anew: no wrong cycle leads to them from where it was.
    roots: VecDeque<u32>,
    /// Whether the depth limit kept a node from being expanded.
    truncated: bool,
    statistics: Statistics,
    found: Found<M>,
}

impl<M, V, P, A> Search<'_, '_, M, V, P, A>
where
    M: Model,
    V: Visited<Key = StateId>,
    P: Property<M> + ?Sized,
    A: Automaton<M> + ?Sized,
{
    fn run(&mut self) -> ControlFlow<End> {
        let Ok(beginning) = self.product.initial() else { return full() };
        let Beginning { node, state, errors } = beginning;
        let (number, _) = self.nodes.meet(node, None);
        for error in errors {
            self.note(number, None, Shown::Violation(error))?;
        }
        let mut base = (node.state, state);
        self.roots.push_back(number);
        while let Some(root) = self.roots.pop_front() {
            if self.nodes.status(root) == Status::Met {
                base = self.explore(root, base)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Explores what can be reached from a root; gives back a state from which others are rebuilt.
    fn explore(
        &mut self,
        root: u32,
        base: (StateId, M::State),
    ) -> ControlFlow<End, (StateId, M::State)> {
        let state = self.product.state((base.0, &base.1), self.nodes.get(root).state);
        self.open(root, state, Moves::default())?;
        while let Some(frame) = self.frames.last_mut() {
            match frame.edges.next() {
                Some(edge) => self.follow(edge)?,
                None => self.close()?,
            }
        }
        ControlFlow::Continue(base)
    }

    /// Enters a node that was only met so far.
    fn open(&mut self, number: u32, state: M::State, entry: Moves) -> ControlFlow<End> {
        let position = self.live.len() as u32;
        self.live.push(number);
        self.nodes.set_live(number, position);
        let expansion = match self.product.expand_in_time(self.nodes.get(number), &state) {
            Ok(expansion) => expansion,
            Err(stop) => return self.stopped(stop),
        };
        let Expansion { mut edges, able, shown, steps, effort } = expansion;
        for (choice, shown) in shown {
            self.note(number, Some(choice), shown)?;
        }
        let depth = self.frames.len() as u32 + 1;
        if self.config.limits.depth.is_some_and(|limit| depth > limit) && !edges.is_empty() {
            edges.clear();
            self.truncated = true;
        }
        self.components.open(position, entry, able);
        self.frames.push(Frame { number, state, edges: edges.into_iter() });
        self.statistics.transitions += steps;
        self.statistics.effort += effort;
        self.statistics.expanded += 1;
        self.statistics.depth = self.statistics.depth.max(depth - 1);
        self.statistics.peak_frontier = self.statistics.peak_frontier.max(depth.into());
        match self.pace.is_due(self.statistics.expanded, self.statistics.effort) {
            true => self.halt().map_or(ControlFlow::Continue(()), ControlFlow::Break),
            false => ControlFlow::Continue(()),
        }
    }

    /// Goes along an edge of the last frame.
    fn follow(&mut self, edge: Edge<M::Action>) -> ControlFlow<End> {
        let Some(frame) = self.frames.last() else { return ControlFlow::Continue(()) };
        let link = Link { from: frame.number, choice: edge.choice };
        let (number, new) = self.nodes.meet(edge.to, Some(link));
        if edge.onward {
            if new {
                self.roots.push_back(number);
            }
            return ControlFlow::Continue(());
        }
        let process = edge.action.map(|action| self.product.model.justice(action));
        let moves = Moves::one(edge.marks, process);
        match self.nodes.status(number) {
            Status::Met => {
                let base = (self.nodes.get(frame.number).state, &frame.state);
                let state = self.product.state(base, edge.to.state);
                self.open(number, state, moves)
            }
            Status::Live(position) => {
                self.components.merge(position, &moves);
                self.judge()
            }
            Status::Dead => ControlFlow::Continue(()),
        }
    }

    /// The last frame has no more edges.
    fn close(&mut self) -> ControlFlow<End> {
        let Some(frame) = self.frames.pop() else { return ControlFlow::Continue(()) };
        let node = self.nodes.get(frame.number);
        let Status::Live(position) = self.nodes.status(frame.number) else {
            return ControlFlow::Continue(());
        };
        if self.components.first() == Some(position) {
            self.judge_parts(position, (node.state, frame.state))?;
            self.components.close();
            for number in self.live.drain(position as usize..) {
                self.nodes.set_dead(number);
            }
        }
        ControlFlow::Continue(())
    }

    fn stops_unless(&self, goes_on: bool) -> ControlFlow<End> {
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Stopped) }
    }

    /// Takes note of what a step from a node shows, or the state of a node itself.
    fn note(&mut self, number: u32, choice: Option<u32>, shown: Shown<M>) -> ControlFlow<End> {
        let mut path = self.nodes.path_to(number);
        path.extend(choice);
        let cost = path.len() as u32;
        match shown {
            Shown::Violation(violation) => {
                let fatal = self.product.model.is_fatal(&violation);
                self.found.violations.record(violation, fatal, cost, || Path::Choices(path));
                self.stops_unless(self.config.all || !fatal)
            }
            Shown::Unknown(unknown) => {
                let passes = self.config.past_unknown || !self.product.model.ends_search(&unknown);
                self.found.unknowns.record(unknown, true, cost, || Path::Choices(path));
                self.stops_unless(passes)
            }
        }
    }

    fn bytes(&self) -> u64 {
        let model = self.product.model;
        // About two slots change in a step.
        let frames = self.frames.len() as u64 * model.bytes_beside(2);
        model.bytes() + self.store.bytes() + self.nodes.bytes() + frames
    }

    fn stopped(&mut self, stop: Stop) -> ControlFlow<End> {
        match stop {
            Stop::Full => full(),
            Stop::Late => {
                let end = self.halt().unwrap_or(End::Limit(LimitKind::Time));
                ControlFlow::Break(end)
            }
        }
    }

    fn halt(&mut self) -> Option<End> {
        let states = self.store.len() as u64;
        if self.config.limits.states.is_some_and(|limit| states >= limit) {
            return Some(End::Limit(LimitKind::States));
        }
        let bytes = self.bytes();
        let Statistics { transitions, effort, expanded, depth, .. } = self.statistics;
        let frontier = self.frames.len() as u64;
        let progress = Progress {
            states,
            transitions,
            effort,
            expanded,
            frontier,
            depth,
            bytes,
            ..Progress::default()
        };
        self.watch.check(progress)
    }

    fn into_outcome(self, end: End) -> OutcomeOf<M> {
        let statistics = Statistics {
            states: self.store.len() as u64,
            bytes: self.bytes(),
            store_bytes: self.store.bytes(),
            violations: self.found.violations.met(),
            runs: 1,
            ..self.statistics
        };
        let model = self.product.model;
        let mut worker = model.worker();
        let mut told = |path: Path<M::Action>| match path {
            Path::Choices(choices) => (actions_of(model, &mut worker, &choices), None),
            Path::Lasso(steps, begins) => (steps, Some(begins)),
        };
        let violations = self.found.violations.into_list(self.config.all).into_iter();
        let violations = violations.map(|found| with_path(found, &mut told)).collect();
        let unknowns = self.found.unknowns.into_list(true).into_iter();
        let unknowns = unknowns.map(|found| with_path(found, &mut told)).collect();
        OutcomeOf::<M> { end, exact: self.store.exact(), violations, unknowns, statistics }
    }
}

fn with_path<T, A>(
    found: findings::Found<T, Path<A>>,
    told: &mut impl FnMut(Path<A>) -> (Vec<A>, Option<u32>),
) -> Finding<T, A> {
    let (trail, cycle) = told(found.place);
    Finding { cycle, met: found.met, ..Finding::new(found.what, found.cost, Some(trail)) }
}

fn full<T>() -> ControlFlow<End, T> {
    ControlFlow::Break(End::Limit(LimitKind::Memory))
}
