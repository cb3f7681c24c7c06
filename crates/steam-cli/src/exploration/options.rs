//! The options of a search, as its engine wants them.

use steam_check::ErrorClass;
use steam_session::{Algorithm as Order, Fairness, Limits, Options, Por, Scouting, StoreKind};

use crate::args::check::{Algorithm, Reduction, Scouts, Store};
use crate::config::check::CheckPlan;

/// The depth of the bugs that pct aims at.
const PCT_DEPTH: u32 = 3;

/// The options of the search that a plan asks for.
pub fn session_options(plan: &CheckPlan) -> Options {
    let bounds = &plan.bounds;
    Options {
        algorithm: order(plan),
        heuristic: plan.search.heuristic,
        store: match plan.store {
            Store::Tree => StoreKind::Tree,
            Store::Full => StoreKind::Full,
            Store::Hash128 => StoreKind::Hash128,
            // Half of what is allowed: the open list and the components need room, too.
            Store::Bitstate => StoreKind::Bitstate { bytes: bounds.memory / 2 },
        },
        bound: plan.search.bound,
        limits: Limits {
            memory: Some(bounds.memory),
            time: bounds.time,
            states: bounds.states,
            depth: bounds.depth,
        },
        jobs: plan.search.jobs,
        seed: plan.search.seed,
        all: plan.all,
        only_deadlocks: plan.find == [ErrorClass::Deadlock] && plan.claims.is_empty(),
        scouting: scouting(plan.search.scouts),
        ..Options::default()
    }
}

fn scouting(scouts: Scouts) -> Scouting {
    let usual = Options::default().scouting;
    match scouts {
        Scouts::Tell => usual,
        Scouts::Learn => Scouting { tells: false, ..usual },
        Scouts::None => Scouting { runs: 0, ..usual },
    }
}

fn order(plan: &CheckPlan) -> Order {
    let runs = plan.search.runs;
    match plan.search.algorithm {
        Algorithm::Dfs if plan.find.contains(&ErrorClass::Livelock) => {
            Order::Cycles { fairness: Fairness::Weak }
        }
        Algorithm::Dfs => Order::DepthFirst,
        Algorithm::Bfs => Order::BreadthFirst,
        Algorithm::Bf => Order::BestFirst,
        Algorithm::Astar => Order::AStar { weight: plan.search.weight },
        Algorithm::Beam => Order::Beam { width: plan.search.width },
        Algorithm::Ida => Order::Ida,
        Algorithm::Id => Order::IterativeDeepening,
        Algorithm::Stateless => Order::Stateless {
            livelock: plan.search.livelock.filter(|_| plan.find.contains(&ErrorClass::Livelock)),
            por: match plan.search.reduction {
                Reduction::None => Por::None,
                Reduction::Sleep => Por::Sleep,
                Reduction::Persistent => Por::Persistent,
                Reduction::Source => Por::Source,
            },
        },
        Algorithm::Random => Order::Random { runs },
        Algorithm::Pct => Order::Pct { runs, depth: PCT_DEPTH },
    }
}
