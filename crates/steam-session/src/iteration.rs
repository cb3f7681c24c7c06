//! One iteration: the search that the options name, with a store of its own.

use steam_heuristics::{Bounds, Directed, Made};
use steam_model::{Automaton, Heuristic, Livelocks, Positions, Property, Threads};
use steam_search::cycles::{Fairness, cycles};
use steam_search::walk::{Executions, Plan, Por, Scheduler, deepen, run, stateless};
use steam_search::{Config, Control, Learned, Order, OutcomeOf, Problem, Stubborn, explore_in};
use steam_store::{BitStore, FullStore, Hash128Store, TreeStore};

use crate::options::{Algorithm, Mismatch, Options, StoreKind};

/// What an iteration searches, directed by a heuristic.
type ProblemOf<'a, M, H> = Problem<'a, M, H, dyn Property<M> + 'a, Stubborn<'a, M>>;

/// What all iterations of a check have in common.
pub(crate) struct Iteration<'a, M: Positions> {
    model: &'a M,
    property: &'a dyn Property<M>,
    /// Which runs are wrong, for a search for cycles.
    automaton: &'a dyn Automaton<M>,
    options: &'a Options,
    heuristic: Made,
    /// What processes may still do, where that is learned.
    learned: Option<Learned<M::Operation>>,
}

impl<'a, M: Threads + Positions + Livelocks> Iteration<'a, M> {
    pub(crate) fn new(
        model: &'a M,
        property: &'a dyn Property<M>,
        automaton: &'a dyn Automaton<M>,
        options: &'a Options,
    ) -> Result<Self, Mismatch> {
        let deepens = matches!(options.algorithm, Algorithm::IterativeDeepening | Algorithm::Ida);
        if deepens && matches!(options.store, StoreKind::Bitstate { .. }) {
            return Err(Mismatch::DeepeningOnBits);
        }
        if matches!(options.algorithm, Algorithm::Cycles { .. })
            && matches!(options.store, StoreKind::Bitstate { .. } | StoreKind::Hash128)
        {
            return Err(Mismatch::CyclesOnHashes);
        }
        let keeps_states = options.algorithm.keeps_open_states();
        let reduces =
            matches!(options.algorithm, Algorithm::Stateless { por, .. } if por != Por::None);
        if (reduces || options.stubborn) && options.bound.is_some() {
            return Err(Mismatch::ReductionInBound);
        }
        let informed = matches!(
            options.algorithm,
            Algorithm::BestFirst
                | Algorithm::AStar { .. }
                | Algorithm::Beam { .. }
                | Algorithm::Ida
        );
        let heuristic = match options.heuristic.filter(|_| informed) {
            Some(named) => {
                let initial = model.initial(&mut model.worker());
                named.make(Bounds::of(model, &initial, options.only_deadlocks))
            }
            None => Made::OnState(Directed::blind()),
        };
        let learned = (options.stubborn && keeps_states).then(Learned::default);
        Ok(Self { model, property, automaton, options, heuristic, learned })
    }

    /// Whether the iteration has left something out by less than is known of what processes do now.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.learned.as_ref().is_some_and(Learned::is_incomplete)
    }

    /// Does an iteration within what is left of the limits.
    pub(crate) fn run(&self, config: &Config, control: &mut Control<'_>) -> OutcomeOf<M> {
        match &self.heuristic {
            Made::OnState(directed) => self.run_by(directed, config, control),
            Made::OnPath(followed) => self.run_by(followed, config, control),
        }
    }

    fn run_by<H: Heuristic<M>>(
        &self,
        heuristic: &H,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        let learned = self.learned.as_ref();
        let reduction =
            &learned.map_or_else(Stubborn::off, |learned| Stubborn::begin(self.model, learned));
        let problem = &Problem { model: self.model, heuristic, property: self.property, reduction };
        let order = match self.options.algorithm {
            Algorithm::DepthFirst => Order::DepthFirst,
            Algorithm::Cycles { fairness } => return self.cycles(fairness, config, control),
            Algorithm::BreadthFirst => Order::BreadthFirst,
            Algorithm::BestFirst => Order::BestFirst,
            Algorithm::AStar { weight } => Order::AStar { weight },
            Algorithm::Beam { width } => Order::Beam { width },
            Algorithm::IterativeDeepening | Algorithm::Ida => {
                return self.deepen(problem, config, control);
            }
            Algorithm::Stateless { por, livelock } => {
                let executions = Executions { por, livelock, ..Executions::default() };
                return stateless(self.model, self.property, executions, config, control);
            }
            Algorithm::Random { runs } => {
                return self.sample(Scheduler::Random, runs, config, control);
            }
            Algorithm::Pct { runs, depth } => {
                return self.sample(Scheduler::Pct { depth }, runs, config, control);
            }
        };
        self.explore(order, problem, config, control)
    }

    fn explore<H: Heuristic<M>>(
        &self,
        order: Order,
        problem: &ProblemOf<'_, M, H>,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        let limit = config.limits.memory.unwrap_or(u64::MAX);
        match self.options.store {
            StoreKind::Tree => {
                explore_in(order, problem, &TreeStore::with_limit(limit), config, control)
            }
            StoreKind::Full => {
                explore_in(order, problem, &FullStore::with_limit(limit), config, control)
            }
            StoreKind::Hash128 => {
                explore_in(order, problem, &Hash128Store::with_limit(limit), config, control)
            }
            StoreKind::Bitstate { bytes } => {
                explore_in(order, problem, &BitStore::new(bytes), config, control)
            }
        }
    }

    fn deepen<H: Heuristic<M>>(
        &self,
        problem: &ProblemOf<'_, M, H>,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        let limit = config.limits.memory.unwrap_or(u64::MAX);
        match self.options.store {
            StoreKind::Tree => {
                deepen(problem, Some(&TreeStore::with_limit(limit)), config, control)
            }
            StoreKind::Full => {
                deepen(problem, Some(&FullStore::with_limit(limit)), config, control)
            }
            // A bit store was refused when the check began.
            StoreKind::Hash128 | StoreKind::Bitstate { .. } => {
                deepen(problem, Some(&Hash128Store::with_limit(limit)), config, control)
            }
        }
    }

    fn cycles(
        &self,
        fairness: Fairness,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        let limit = config.limits.memory.unwrap_or(u64::MAX);
        let (system, reader) = ((self.model, self.property), (self.automaton, fairness));
        match self.options.store {
            StoreKind::Full => {
                cycles(system, reader, &FullStore::with_limit(limit), config, control)
            }
            // The others were refused when the check began.
            StoreKind::Tree | StoreKind::Hash128 | StoreKind::Bitstate { .. } => {
                cycles(system, reader, &TreeStore::with_limit(limit), config, control)
            }
        }
    }

    fn sample(
        &self,
        scheduler: Scheduler,
        runs: u64,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        let Options { run_steps: steps, run_effort: effort, seed, .. } = *self.options;
        let plan = Plan { scheduler, runs, steps, effort, seed };
        run(self.model, self.property, &plan, config, control)
    }
}
