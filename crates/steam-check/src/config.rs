//! The configuration of a check: what is run, what counts as an error, and how it is looked for.
//!
//! Each default stands here, and nowhere else: the command line shows these, and a trail that does not say
//! otherwise means these.

use std::path::PathBuf;
use std::time::Duration;

use steam_session::{Bound, Named};
use steam_trail::{Suppression, quoted};

use crate::choice::{
    AlgorithmName, Atomic, Fair, Mld, Pilots, Privacy, Reduction, Store, Volatile, Waits,
};
use crate::class::ErrorClass;
use crate::executable::Origin;
use crate::guest::Guest;

/// What a check, a replay and a walk by hand have in common: the program, and what its steps mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Where the program comes from.
    pub origin: Origin,
    /// What the guest gets; without a file its standard input is empty.
    pub guest: Guest,
    /// What one step is, and what counts as an error.
    pub judgement: Judgement,
    /// What is claimed of states and runs.
    pub claims: ClaimTexts,
}

impl Scenario {
    /// A program without arguments, of which nothing is claimed.
    pub fn new(origin: Origin) -> Self {
        let guest = Guest { arguments: vec![origin.guest_name()], ..Guest::default() };
        Self { origin, guest, judgement: Judgement::default(), claims: ClaimTexts::default() }
    }
}

/// Instructions of one step after which it is given up, where the user names no limit.
pub const LONGEST_STEP: u64 = 100_000_000;

/// What one step is, and what counts as an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What one step is.
    pub atomic: Atomic,
    /// What counts as an error, ascending and without repetitions.
    pub find: Vec<ErrorClass>,
    /// Whether waits may end without a signal.
    pub spurious: bool,
    /// Whether the clock stands still.
    pub still: bool,
    /// Instructions of one step after which its thread diverges. Without a number, only a thread that was seen to repeat
    /// does; of one that has run for [`LONGEST_STEP`] instructions it is not known.
    pub divergence: Option<u64>,
    /// In how many successive states a thread may wait, for searches without a store.
    pub livelock: Option<u32>,
    /// Lines that are progress, as `FILE:LINE`.
    pub progress_lines: Vec<String>,
}

impl Default for Judgement {
    fn default() -> Self {
        Self {
            atomic: Atomic::Lgc,
            find: ErrorClass::usual().collect(),
            spurious: false,
            still: false,
            divergence: None,
            livelock: None,
            progress_lines: Vec::new(),
        }
    }
}

/// What states and runs have to fulfil, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimTexts {
    /// What holds in every state.
    pub invariants: Vec<String>,
    /// What every run fulfils.
    pub formulas: Vec<String>,
    /// Automata of wrong runs: name and text of the file.
    pub automata: Vec<(String, String)>,
    /// Which runs without an end count.
    pub fair: Fair,
}

impl Default for ClaimTexts {
    fn default() -> Self {
        let (invariants, formulas, automata) = Default::default();
        Self { invariants, formulas, automata, fair: Fair::Weak }
    }
}

impl ClaimTexts {
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.invariants.is_empty() && !self.is_about_runs()
    }

    /// Whether something is claimed of whole runs.
    pub fn is_about_runs(&self) -> bool {
        !self.formulas.is_empty() || !self.automata.is_empty()
    }
}

/// The order of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The order.
    pub algorithm: AlgorithmName,
    /// The heuristic, where the order uses one.
    pub heuristic: Option<&'static Named>,
    /// How much it counts, in percent.
    pub weight: u32,
    /// States of a level that are kept, for beam.
    pub width: u32,
    /// Which executions are left out: for stateless, and stubborn sets for orders that keep open states.
    pub reduction: Reduction,
    /// What schedules may cost.
    pub bound: Option<Bound>,
    /// What random choices depend on.
    pub seed: u64,
    /// What the random runs before the search are for.
    pub pilots: Pilots,
    /// Schedules to try, for random and pct.
    pub runs: u64,
    /// Workers, at least one.
    pub jobs: usize,
}

impl Search {
    /// Whether stubborn sets are explored alone.
    pub fn uses_stubborn_sets(&self) -> bool {
        self.reduction == Reduction::Stubborn && self.algorithm.keeps_open_states()
    }
}

impl Default for Search {
    fn default() -> Self {
        Self {
            algorithm: AlgorithmName::Dfs,
            heuristic: None,
            weight: 100,
            width: 1000,
            reduction: Reduction::Source,
            bound: None,
            seed: 0,
            pilots: Pilots::Tell,
            runs: 10_000,
            jobs: 1,
        }
    }
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
    /// Distinct states.
    pub states: Option<u64>,
    /// Steps from the start.
    pub depth: Option<u32>,
}

/// Memory that is used where the machine does not say how much it has.
const MEMORY: u64 = 4 << 30;

impl Default for Bounds {
    fn default() -> Self {
        let memory = steam_host::allowed_memory().map_or(MEMORY, |most| most / 5 * 4);
        Self { memory, time: None, states: None, depth: None }
    }
}

/// What a check is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The program, and what its steps mean.
    pub scenario: Scenario,
    /// How the program and its arguments are typed, for messages.
    pub command: String,
    /// The order of the search.
    pub search: Search,
    /// How visited states are remembered.
    pub store: Store,
    /// When to give up.
    pub bounds: Bounds,
    /// What counts as atomic beside what is.
    pub atomic_vars: Vec<String>,
    /// What accesses to volatile objects are.
    pub volatile: Volatile,
    /// What has races that are intended.
    pub intended: Vec<String>,
    /// Errors that are left out.
    pub suppress: Vec<Suppression>,
    /// What the mutex locking discipline is for.
    pub mld: Mld,
    /// Whether accesses to blocks that no other thread can reach are steps.
    pub privacy: Privacy,
    /// Whether it is used that threads wait in loops.
    pub waits: Waits,
    /// Whether to go on after the first error.
    pub all: bool,
    /// Whether uses of what was never written are looked for.
    pub uninitialised: bool,
    /// Whether steps that are called independent are done in both orders.
    pub audit: bool,
    /// Expressions whose values are shown along trails.
    pub print: Vec<String>,
}

impl Config {
    /// The usual check of a static i386 executable.
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Self::of(Scenario::new(Origin::Executable(executable.into())))
    }

    /// The usual check of a scenario.
    pub fn of(scenario: Scenario) -> Self {
        Self {
            command: quoted(&String::from_utf8_lossy(&scenario.origin.guest_name())),
            scenario,
            search: Search::default(),
            store: Store::Tree,
            bounds: Bounds::default(),
            atomic_vars: Vec::new(),
            volatile: Volatile::Race,
            intended: Vec::new(),
            suppress: Vec::new(),
            mld: Mld::Auto,
            privacy: Privacy::On,
            waits: Waits::On,
            all: false,
            uninitialised: true,
            audit: false,
            print: Vec::new(),
        }
    }

    /// What counts as an error.
    pub fn find(&self) -> &[ErrorClass] {
        &self.scenario.judgement.find
    }

    /// Whether a class of errors is looked for.
    pub fn looks_for(&self, class: ErrorClass) -> bool {
        self.find().contains(&class)
    }

    /// What is claimed of states and runs.
    pub fn claims(&self) -> &ClaimTexts {
        &self.scenario.claims
    }
}
