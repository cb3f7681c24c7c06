//! What a check gets before it begins.

use std::fmt;

use steam_heuristics::Named;
use steam_search::cycles::Fairness;
use steam_search::walk::Por;
use steam_search::{Bound, Limits};

/// How states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The last state reached is next.
    DepthFirst,
    /// The same with one worker, and cycles without progress on which all threads get their turn are
    /// errors too.
    Cycles {
        /// Which of them count.
        fairness: Fairness,
    },
    /// The first state reached is next: shortest trails.
    BreadthFirst,
    /// The state that looks nearest to an error is next.
    BestFirst,
    /// The state with the smallest cost plus estimate is next.
    AStar {
        /// Percent by which the estimate counts.
        weight: u32,
    },
    /// Level by level, and of each level only the states that look nearest to an error.
    Beam {
        /// The number of states of a level that are expanded, at least one.
        width: u32,
    },
    /// Depth-first search with a growing bound on the depth; one worker.
    IterativeDeepening,
    /// Depth-first search with a growing bound on depth plus estimate; one worker.
    Ida,
    /// All executions without a store, but for those that differ only in the order of independent
    /// steps; one worker.
    Stateless {
        /// Which of them are left out.
        por: Por,
        /// In how many successive states a thread may be blocked; where others can go on, more is an
        /// error.
        livelock: Option<u32>,
    },
    /// Single paths on which every action is as likely as the others.
    Random {
        /// The number of paths.
        runs: u64,
    },
    /// Single paths by random priorities with few change points.
    Pct {
        /// The number of paths.
        runs: u64,
        /// The depth of the bugs that are aimed at: one more than the change points.
        depth: u32,
    },
}

impl Algorithm {
    /// Whether it keeps the states that are still to be expanded in an open list.
    pub fn keeps_open_states(self) -> bool {
        matches!(
            self,
            Self::DepthFirst
                | Self::BreadthFirst
                | Self::BestFirst
                | Self::AStar { .. }
                | Self::Beam { .. }
        )
    }

    /// Whether it goes along single paths, which never show that there is no error.
    pub fn is_sampling(self) -> bool {
        matches!(self, Self::Random { .. } | Self::Pct { .. })
    }
}

/// Where visited states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Compressed as a tree table; exact.
    Tree,
    /// As they are; exact.
    Full,
    /// As 128-bit fingerprints.
    Hash128,
    /// As bits in an array; errors may be missed.
    Bitstate {
        /// The size of the array.
        bytes: u64,
    },
}

/// Random runs before the first iteration, from which to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PilotRuns {
    /// The number of runs; 0 switches pilot runs off.
    pub runs: u64,
    /// Steps after which a run is given up.
    pub steps: u32,
    /// Whether an error that they met is reported if the search finds none.
    pub tells: bool,
}

/// How a check is done.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of exploration.
    pub algorithm: Algorithm,
    /// What directs best-first search, A*, beam search and IDA*; the others do not ask. `None`
    /// prefers nothing.
    pub heuristic: Option<&'static Named>,
    /// The store; sampling does without.
    pub store: StoreKind,
    /// Whether stubborn sets are explored alone, in searches that keep their open states in a list.
    pub stubborn: bool,
    /// What schedules may cost; `None` lets all of them be explored. A search without a store must not
    /// leave out any of them on its own then.
    pub bound: Option<Bound>,
    /// When to give up. Time and states are those of all iterations together.
    pub limits: Limits,
    /// Workers; 0 and 1 both mean one.
    pub jobs: usize,
    /// What all random choices depend on.
    pub seed: u64,
    /// Steps after which a path of a sampling algorithm is given up.
    pub run_steps: u32,
    /// The work ([`steam_model::Model::effort`]) after which a path of a sampling algorithm is given up, and
    /// those that would come after it.
    pub run_effort: u64,
    /// Whether to go on after the first violation.
    pub all: bool,
    /// Whether to go on when a step meets something that the model does not know.
    pub past_unknown: bool,
    /// Whether to keep links, without which errors have no trails.
    pub trails: bool,
    /// What to do before the first iteration.
    pub pilot_runs: PilotRuns,
    /// Whether no other errors than deadlocks are looked for: some heuristics know them alone.
    pub only_deadlocks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::DepthFirst,
            heuristic: None,
            store: StoreKind::Tree,
            stubborn: false,
            bound: None,
            limits: Limits::default(),
            jobs: 1,
            seed: 0,
            run_steps: 100_000,
            run_effort: u64::MAX,
            all: false,
            past_unknown: false,
            trails: true,
            pilot_runs: PilotRuns { runs: 10, steps: 10_000, tells: true },
            only_deadlocks: false,
        }
    }
}

/// Options that do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Deepening has to know its states again, and a bit store does not.
    DeepeningOnBits,
    /// Cycles are found by states that were seen before, which have to be rebuilt and exact.
    CyclesOnHashes,
    /// Within a bound few runs have no end, and a formula is about all of them.
    FormulasInBound,
    /// What is left out as equal to another execution may be equal to one beyond the bound.
    ReductionInBound,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DeepeningOnBits => formatter.write_str(
                "iterative deepening has to recognise states, which the bit-state store cannot; \
                 use another store",
            ),
            Self::CyclesOnHashes => formatter.write_str(
                "a search for cycles has to rebuild the states that it has seen, which stores of \
                 hashes and bits cannot; use another store",
            ),
            Self::FormulasInBound => formatter.write_str(
                "within a bound on switches most runs are cut, and a formula is about whole ones; leave \
                 out the bound",
            ),
            Self::ReductionInBound => formatter.write_str(
                "within a bound on switches no execution may be left out: the one that it is equal \
                 to may lie beyond the bound",
            ),
        }
    }
}

impl std::error::Error for Mismatch {}
