//! One round: the search that the options name, with a store of its own.

use steam_heuristics::{Bounds, Directed};
use steam_model::{Blind, NoReduction, Property, StateId, Threads, Visited};
use steam_search::walk::{Plan, Scheduler, deepen, run};
use steam_search::{Config, Control, Order, OutcomeOf, Problem, explore_in};
use steam_store::{BitStore, FullStore, Hash128Store, TreeStore};

use crate::options::{Algorithm, Mismatch, Options, StoreKind};

/// What all rounds of a check have in common.
pub(crate) struct Round<'a, M> {
    model: &'a M,
    property: &'a dyn Property<M>,
    options: &'a Options,
    heuristic: Directed,
}

impl<'a, M: Threads> Round<'a, M> {
    pub(crate) fn new(
        model: &'a M,
        property: &'a dyn Property<M>,
        options: &'a Options,
    ) -> Result<Self, Mismatch> {
        let deepens = matches!(options.algorithm, Algorithm::IterativeDeepening | Algorithm::Ida);
        if deepens && matches!(options.store, StoreKind::Bitstate { .. }) {
            return Err(Mismatch::DeepeningOnBits);
        }
        let informed = matches!(
            options.algorithm,
            Algorithm::BestFirst | Algorithm::AStar { .. } | Algorithm::Ida
        );
        let heuristic = match options.heuristic.filter(|_| informed) {
            Some(named) => {
                let initial = model.initial(&mut model.worker());
                named.make(Bounds::of(model, &initial))
            }
            None => Directed::Blind(Blind),
        };
        Ok(Self { model, property, options, heuristic })
    }

    /// Does a round within what is left of the limits.
    pub(crate) fn run(&self, config: &Config, control: &mut Control<'_>) -> OutcomeOf<M> {
        match self.options.algorithm {
            Algorithm::DepthFirst => self.explore(Order::DepthFirst, config, control),
            Algorithm::BreadthFirst => self.explore(Order::BreadthFirst, config, control),
            Algorithm::BestFirst => self.explore(Order::BestFirst, config, control),
            Algorithm::AStar { weight } => self.explore(Order::AStar { weight }, config, control),
            Algorithm::IterativeDeepening | Algorithm::Ida => self.deepen(config, control),
            Algorithm::Random { runs } => self.sample(Scheduler::Random, runs, config, control),
            Algorithm::Pct { runs, depth } => {
                self.sample(Scheduler::Pct { depth }, runs, config, control)
            }
        }
    }

    fn problem(&self) -> Problem<'_, M, Directed, dyn Property<M> + 'a, NoReduction> {
        Problem {
            model: self.model,
            heuristic: &self.heuristic,
            property: self.property,
            reduction: &NoReduction,
        }
    }

    fn explore(&self, order: Order, config: &Config, control: &mut Control<'_>) -> OutcomeOf<M> {
        let limit = config.limits.memory.unwrap_or(u64::MAX);
        let problem = &self.problem();
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

    fn deepen(&self, config: &Config, control: &mut Control<'_>) -> OutcomeOf<M> {
        let limit = config.limits.memory.unwrap_or(u64::MAX);
        match self.options.store {
            StoreKind::Tree => self.deepen_on(&TreeStore::with_limit(limit), config, control),
            StoreKind::Full => self.deepen_on(&FullStore::with_limit(limit), config, control),
            // A bit store was refused when the check began.
            StoreKind::Hash128 | StoreKind::Bitstate { .. } => {
                self.deepen_on(&Hash128Store::with_limit(limit), config, control)
            }
        }
    }

    fn deepen_on<V: Visited<Key = StateId>>(
        &self,
        store: &V,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        deepen(&self.problem(), Some(store), config, control)
    }

    fn sample(
        &self,
        scheduler: Scheduler,
        runs: u64,
        config: &Config,
        control: &mut Control<'_>,
    ) -> OutcomeOf<M> {
        let Options { run_steps: steps, seed, .. } = *self.options;
        run(self.model, self.property, &Plan { scheduler, runs, steps, seed }, config, control)
    }
}
