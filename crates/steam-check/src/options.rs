//! The options of a search, as its engine wants them.

use steam_session::{Algorithm, Fairness, Limits, Options, PilotRuns, Por, StoreKind};

use crate::choice::{AlgorithmName, Pilots, Reduction, Store};
use crate::class::ErrorClass;
use crate::config::Config;

/// The depth of the bugs that pct aims at.
const PCT_DEPTH: u32 = 3;

/// The options of the search that a configuration asks for.
pub(crate) fn session_options(config: &Config) -> Options {
    let bounds = &config.bounds;
    Options {
        algorithm: order(config),
        heuristic: config.search.heuristic,
        store: match config.store {
            Store::Tree => StoreKind::Tree,
            Store::Full => StoreKind::Full,
            Store::Hash128 => StoreKind::Hash128,
            // Half of what is allowed: the open list and the components need room, too.
            Store::Bitstate => StoreKind::Bitstate { bytes: bounds.memory / 2 },
        },
        stubborn: config.search.uses_stubborn_sets(),
        bound: config.search.bound,
        limits: Limits {
            memory: Some(bounds.memory),
            time: bounds.time,
            states: bounds.states,
            depth: bounds.depth,
        },
        jobs: config.search.jobs,
        seed: config.search.seed,
        all: config.all,
        only_deadlocks: config.find() == [ErrorClass::Deadlock] && config.claims().is_empty(),
        pilot_runs: pilot_runs(config.search.pilots),
        ..Options::default()
    }
}

fn pilot_runs(pilots: Pilots) -> PilotRuns {
    let usual = Options::default().pilot_runs;
    match pilots {
        Pilots::Tell => usual,
        Pilots::Learn => PilotRuns { tells: false, ..usual },
        Pilots::None => PilotRuns { runs: 0, ..usual },
    }
}

fn order(config: &Config) -> Algorithm {
    let (runs, livelock) = (config.search.runs, config.scenario.judgement.livelock);
    match config.search.algorithm {
        AlgorithmName::Dfs if config.looks_for(ErrorClass::Livelock) => {
            Algorithm::Cycles { fairness: Fairness::Weak }
        }
        AlgorithmName::Dfs => Algorithm::DepthFirst,
        AlgorithmName::Bfs => Algorithm::BreadthFirst,
        AlgorithmName::Bf => Algorithm::BestFirst,
        AlgorithmName::Astar => Algorithm::AStar { weight: config.search.weight },
        AlgorithmName::Beam => Algorithm::Beam { width: config.search.width },
        AlgorithmName::Ida => Algorithm::Ida,
        AlgorithmName::Id => Algorithm::IterativeDeepening,
        AlgorithmName::Stateless => Algorithm::Stateless {
            livelock: livelock.filter(|_| config.looks_for(ErrorClass::Livelock)),
            por: match config.search.reduction {
                Reduction::None | Reduction::Stubborn => Por::None,
                Reduction::Sleep => Por::Sleep,
                Reduction::Persistent => Por::Persistent,
                Reduction::Source => Por::Source,
            },
        },
        AlgorithmName::Random => Algorithm::Random { runs },
        AlgorithmName::Pct => Algorithm::Pct { runs, depth: PCT_DEPTH },
    }
}
