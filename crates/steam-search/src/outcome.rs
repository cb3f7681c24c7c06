//! What a search found out.

use steam_model::Model;

/// A bound that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// The memory limit, or the store's own.
    Memory,
    /// The time limit.
    Time,
    /// The limit of states.
    States,
    /// The depth limit: everything above it was explored.
    Depth,
    /// The width of a beam: nothing is left but the states that it dropped.
    Width,
    /// The planned number of runs, each on one path.
    Runs,
    /// The bound on preemptions or delays, or a fair scheduler: all schedules within it were explored.
    Switches,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to explore.
    Exhausted,
    /// It found what it was to stop at.
    Stopped,
    /// A limit was reached.
    Limit(LimitKind),
    /// It was asked to stop.
    Interrupted,
    /// Whoever controls it decided that it is not worth going on.
    Abandoned,
}

/// Something found, and the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<T, A> {
    /// What was found.
    pub what: T,
    /// The number of steps that lead to it.
    pub depth: u32,
    /// These steps, unless links were switched off.
    pub trail: Option<Vec<A>>,
    /// After how many of these steps the others are a cycle, which repeats; none where they are not.
    pub cycle: Option<u32>,
    /// In how many states, or by how many steps, it was met.
    pub met: u64,
}

impl<T, A> Finding<T, A> {
    /// Something at the end of a way.
    pub fn new(what: T, depth: u32, trail: Option<Vec<A>>) -> Self {
        Self { what, depth, trail, cycle: None, met: 1 }
    }
}

/// What a search counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct states; walks without a store count repetitions too.
    pub states: u64,
    /// Steps done.
    pub transitions: u64,
    /// What these steps were of work ([`Model::effort`]).
    pub effort: u64,
    /// States whose successors were computed, each time that they were.
    pub expanded: u64,
    /// The greatest depth at which a state was reached.
    pub depth: u32,
    /// The greatest length of the open list, or of a path.
    pub peak_frontier: u64,
    /// Paths begun, for walks; iterations, for iterative deepening.
    pub runs: u64,
    /// Bytes in use at the end.
    pub bytes: u64,
    /// Those of them in which visited states are stored.
    pub store_bytes: u64,
    /// Violations met, equal ones included.
    pub violations: u64,
}

/// The result of a search, whatever ended it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<V, U, A> {
    /// Why it ended.
    pub end: End,
    /// Whether no state could have been mistaken for another.
    pub exact: bool,
    /// The distinct violations, in the order in which they were found.
    pub violations: Vec<Finding<V, A>>,
    /// What the model did not know, in the order in which it was met.
    pub unknowns: Vec<Finding<U, A>>,
    /// Counts.
    pub statistics: Statistics,
}

/// The [`Outcome`] for a model.
pub type OutcomeOf<M> =
    Outcome<<M as Model>::Violation, <M as Model>::Unknown, <M as Model>::Action>;

/// The answer in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a, V, U, A> {
    /// Every reachable state was explored, and there is no error.
    Complete,
    /// There is an error.
    Violation(&'a Finding<V, A>),
    /// No error was met, but not everything is modelled.
    Unknown(&'a Finding<U, A>),
    /// No error was met before a limit.
    Limit(LimitKind),
    /// No error was met before the search was asked to stop.
    Interrupted,
}

impl<V, U, A> Outcome<V, U, A> {
    /// The answer. A violation is one even if something else was unknown or a limit was reached.
    pub fn verdict(&self) -> Verdict<'_, V, U, A> {
        if let Some(finding) = self.violations.first() {
            return Verdict::Violation(finding);
        }
        if let Some(finding) = self.unknowns.first() {
            return Verdict::Unknown(finding);
        }
        match self.end {
            End::Limit(limit) => Verdict::Limit(limit),
            End::Interrupted | End::Abandoned => Verdict::Interrupted,
            End::Exhausted | End::Stopped => Verdict::Complete,
        }
    }
}
