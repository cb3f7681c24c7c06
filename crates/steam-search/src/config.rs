//! What a search gets before it begins, and how one talks with it while it runs.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Bounds that end a search with an answer. `None` is no bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Bytes of stored states, links, open list and model together.
    pub memory: Option<u64>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// Distinct states.
    pub states: Option<u64>,
    /// Steps from the initial state; states at this depth are not expanded.
    pub depth: Option<u32>,
}

/// How a search is done, beside its order.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// When to give up.
    pub limits: Limits,
    /// Workers; 0 and 1 both mean one.
    pub jobs: usize,
    /// Whether to go on after the first violation.
    pub all: bool,
    /// Whether to explore what is left when a step meets something that the model does not know.
    pub past_unknown: bool,
    /// Whether to keep links (8 bytes for each state), without which errors have no trails.
    pub trails: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { limits: Limits::default(), jobs: 1, all: false, past_unknown: false, trails: true }
    }
}

/// Where a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Time since the search began.
    pub elapsed: Duration,
    /// Distinct states so far.
    pub states: u64,
    /// Steps done so far.
    pub transitions: u64,
    /// What these steps were of work ([`steam_model::Model::effort`]).
    pub effort: u64,
    /// States expanded so far.
    pub expanded: u64,
    /// Nodes in the open list, or the length of the current path.
    pub frontier: u64,
    /// The greatest depth so far.
    pub depth: u32,
    /// The smallest estimate so far.
    pub best_estimate: Option<i64>,
    /// Bytes in use.
    pub bytes: u64,
    /// Executions gone along so far, of a search without a store.
    pub executions: Option<u64>,
    /// About which part of them that is, in millionths.
    pub done: Option<u32>,
}

/// How one talks with a running search.
pub struct Control<'a> {
    /// Ends the search as interrupted once it is set.
    pub stop: Option<&'a AtomicBool>,
    /// Ends the search at the memory limit once it is set, whatever it has counted itself.
    pub full: Option<&'a AtomicBool>,
    /// How often progress is reported.
    pub interval: Duration,
    /// Who is reported.
    pub progress: Option<&'a mut (dyn FnMut(&Progress) + Send)>,
    /// Asked every few hundred steps, or fewer if they are much work, whether to abandon the search, at points that depend on the
    /// search alone and not on time.
    pub abandon: Option<&'a mut (dyn FnMut(&Progress) -> bool + Send)>,
}

impl Default for Control<'_> {
    fn default() -> Self {
        let interval = Duration::from_millis(250);
        Self { stop: None, full: None, interval, progress: None, abandon: None }
    }
}
