//! Refinement iterations until one of them counts.

use std::time::{Duration, Instant};

use steam_model::{Automaton, Changes, Learns, Livelocks, Model, Positions, Property, Threads};
use steam_search::cycles::NoProgress;
use steam_search::walk::{Executions, Moment, Obligations, stateless_formulas};
use steam_search::{
    Bounded, Config, Control, End, LimitKind, Limits, OfStates, Outcome, OutcomeOf, Progress,
    Statistics,
};

use crate::earlier::Earlier;
use crate::iteration::Iteration;
use crate::iteration_limit::{EXECUTIONS, IterationLimit, SEARCH};
use crate::options::{Mismatch, Options};
use crate::pilot::{pilot, pilot_beside};

/// What all iterations together took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// States of all iterations, equal ones of different iterations included.
    pub states: u64,
    /// Steps of all iterations, pilot runs included.
    pub transitions: u64,
    /// Time since the check began.
    pub elapsed: Duration,
    /// The part of it that the last iteration took.
    pub last_iteration: Duration,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked<V, U, A> {
    /// The last iteration's outcome. Its statistics are those of that iteration alone; to its findings
    /// those of earlier iterations are added that it did not find again.
    pub outcome: Outcome<V, U, A>,
    /// The number of iterations, pilot runs aside.
    pub iterations: u32,
    /// For each violation the iteration in which it was found; 0 is pilot runs. Its trail holds by what
    /// had been learned before that iteration.
    pub violation_iterations: Vec<u32>,
    /// The same for each unknown.
    pub unknown_iterations: Vec<u32>,
    /// What all iterations together took.
    pub totals: Totals,
}

/// The [`Checked`] for a model.
pub type CheckedOf<M> =
    Checked<<M as Model>::Violation, <M as Model>::Unknown, <M as Model>::Action>;

/// Checks a model. Afterwards the model is still in its last iteration.
///
/// Of the control, `abandon` is not asked: the check uses it for itself.
pub fn check<M: Threads + Positions + Livelocks + Learns>(
    model: &M,
    property: &dyn Property<M>,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<CheckedOf<M>, Mismatch> {
    let Some(bound) = options.bound else {
        return check_all(model, property, &NoProgress, options, control);
    };
    let bounded = Bounded::new(model, bound);
    let mut checked = check_all(&bounded, &OfStates(property), &NoProgress, options, control)?;
    if checked.outcome.end == End::Exhausted && bounded.was_cut() {
        checked.outcome.end = End::Limit(LimitKind::Switches);
    }
    Ok(checked)
}

/// Looks for runs of a model that loop forever and that an automaton accepts, with
/// [`Algorithm::Cycles`](crate::Algorithm::Cycles); the rest as for [`check`].
pub fn check_runs<M: Threads + Positions + Livelocks + Learns>(
    model: &M,
    property: &dyn Property<M>,
    automaton: &dyn Automaton<M>,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<CheckedOf<M>, Mismatch> {
    if options.bound.is_some() {
        return Err(Mismatch::FormulasInBound);
    }
    check_all(model, property, automaton, options, control)
}

/// Looks without a store for executions of a model that violate formulas; which executions are gone along
/// is said beside the options. The rest as for [`check`].
pub fn check_executions<M, P, F>(
    (model, property): (&M, &dyn Property<M>),
    obligations: &mut Obligations<'_, P, F>,
    executions: Executions,
    options: &Options,
    control: &mut Control<'_>,
) -> CheckedOf<M>
where
    M: Threads + Positions + Livelocks + Learns,
    P: Changes<M> + ?Sized,
    F: Fn(&M, usize, Moment) -> M::Violation,
{
    let mut session = Session::new(model, options);
    loop {
        let outcome = session.iteration(property, control, |config, control| {
            stateless_formulas((model, property), obligations, executions, config, control)
        });
        session.conclude_iteration(&outcome);
        if session.is_last(&outcome, false) {
            return session.conclude(outcome);
        }
        session.keep(outcome);
    }
}

/// Checks all schedules of a model.
fn check_all<M: Threads + Positions + Livelocks + Learns>(
    model: &M,
    property: &dyn Property<M>,
    automaton: &dyn Automaton<M>,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<CheckedOf<M>, Mismatch> {
    let iteration = Iteration::new(model, property, automaton, options)?;
    let mut session = Session::new(model, options);
    if let Some(end) = session.pilot(property, control) {
        let outcome = nothing_explored(end);
        return Ok(session.conclude(outcome));
    }
    loop {
        let outcome =
            session.iteration(property, control, |config, control| iteration.run(config, control));
        let incomplete = iteration.is_incomplete();
        if !incomplete {
            session.conclude_iteration(&outcome);
        }
        if session.is_last(&outcome, incomplete) {
            return Ok(session.conclude(outcome));
        }
        session.keep(outcome);
    }
}

/// A check under way.
struct Session<'a, M: Model> {
    model: &'a M,
    options: &'a Options,
    started: Instant,
    iterations: u32,
    totals: Totals,
    violations: Earlier<M::Violation, M::Action>,
    unknowns: Earlier<M::Unknown, M::Action>,
}

impl<'a, M: Threads + Positions + Livelocks + Learns> Session<'a, M> {
    fn new(model: &'a M, options: &'a Options) -> Self {
        Self {
            model,
            options,
            started: Instant::now(),
            iterations: 0,
            totals: Totals::default(),
            violations: Earlier::default(),
            unknowns: Earlier::default(),
        }
    }

    /// Whether there are pilots: where runs are all that is wanted anyway, they would be no other ones.
    fn pilots(&self) -> bool {
        !self.options.algorithm.is_sampling() && self.options.pilot_runs.runs > 0
    }

    /// Learns from a few runs, unless runs are all that is wanted anyway; the end of the check if
    /// that was all that it had time for.
    fn pilot(&mut self, property: &dyn Property<M>, control: &Control<'_>) -> Option<End> {
        if !self.pilots() {
            return None;
        }
        let outcome = pilot(self.model, property, self.options, &self.config(), control);
        self.totals.transitions += outcome.statistics.transitions;
        let end = outcome.end;
        if self.options.pilot_runs.tells {
            self.keep(outcome);
        }
        is_final(end).then_some(end)
    }

    /// Does one more iteration.
    fn iteration(
        &mut self,
        property: &dyn Property<M>,
        control: &mut Control<'_>,
        explore: impl FnOnce(&Config, &mut Control<'_>) -> OutcomeOf<M>,
    ) -> OutcomeOf<M> {
        self.iterations += 1;
        self.model.begin_iteration();
        let before = self.started.elapsed();
        let mut listener = control.progress.as_deref_mut();
        let mut tell = |progress: &Progress| {
            if let Some(listener) = &mut listener {
                listener(&Progress { elapsed: before + progress.elapsed, ..*progress });
            }
        };
        let (config, stop, full) = (self.config(), control.stop, control.full);
        let least = if self.options.algorithm.is_sampling() { EXECUTIONS } else { SEARCH };
        let mut iteration_limit = IterationLimit::new(self.model, least);
        let (mut turn, mut piloted) = (0, 0);
        let pilots = self.pilots();
        let mut abandon = |progress: &Progress| {
            iteration_limit.is_over(progress, || {
                if pilots {
                    turn += 1;
                    let time = config.limits.time.map(|it| it.saturating_sub(progress.elapsed));
                    let config = Config { limits: Limits { time, ..config.limits }, ..config };
                    let control = Control { stop, full, ..Control::default() };
                    let outcome =
                        pilot_beside(self.model, property, self.options, turn, &config, &control);
                    piloted += outcome.statistics.transitions;
                }
            })
        };
        let mut control = Control {
            stop,
            full,
            interval: control.interval,
            progress: Some(&mut tell),
            abandon: Some(&mut abandon),
        };
        let outcome = explore(&config, &mut control);
        self.totals.transitions += piloted;
        self.totals.states += outcome.statistics.states;
        self.totals.transitions += outcome.statistics.transitions;
        self.totals.last_iteration = self.started.elapsed().saturating_sub(before);
        outcome
    }

    /// The configuration of the next iteration: what earlier ones took is no longer there.
    fn config(&self) -> Config {
        let Options { limits, jobs, all, past_unknown, trails, .. } = *self.options;
        let left = Limits {
            time: limits.time.map(|time| time.saturating_sub(self.started.elapsed())),
            states: limits.states.map(|states| states.saturating_sub(self.totals.states)),
            ..limits
        };
        Config { limits: left, jobs, all, past_unknown, trails }
    }

    /// An iteration that left nothing out of what counted in it has gone everywhere if it came to its end.
    fn conclude_iteration(&self, outcome: &OutcomeOf<M>) {
        if outcome.end == End::Exhausted && outcome.unknowns.is_empty() {
            self.model.conclude_iteration();
        }
    }

    /// Whether an iteration is the last one; `incomplete` if it is known to have left out too much.
    fn is_last(&self, outcome: &OutcomeOf<M>, incomplete: bool) -> bool {
        let mut violations = outcome.violations.iter();
        let found =
            !self.options.all && violations.any(|violation| self.model.is_fatal(&violation.what));
        found || is_final(outcome.end) || !(incomplete || self.model.learned())
    }

    fn keep(&mut self, outcome: OutcomeOf<M>) {
        self.violations.keep(self.iterations, outcome.violations);
        self.unknowns.keep(self.iterations, outcome.unknowns);
    }

    fn conclude(mut self, mut outcome: OutcomeOf<M>) -> CheckedOf<M> {
        self.totals.elapsed = self.started.elapsed();
        let (iterations, all) = (self.iterations, self.options.all);
        let fatal = |violation: &M::Violation| self.model.is_fatal(violation);
        let violation_iterations =
            self.violations.add_to(&mut outcome.violations, iterations, all, fatal);
        let unknown_iterations =
            self.unknowns.add_to(&mut outcome.unknowns, iterations, all, |_| true);
        Checked {
            outcome,
            iterations,
            violation_iterations,
            unknown_iterations,
            totals: self.totals,
        }
    }
}

/// Whether an iteration with this end is the last one, whatever it learned: there is nothing left to
/// do another one with, or it found what it was to stop at.
fn is_final(end: End) -> bool {
    match end {
        End::Interrupted | End::Stopped => true,
        End::Limit(LimitKind::Memory | LimitKind::Time | LimitKind::States) => true,
        End::Limit(LimitKind::Depth | LimitKind::Width) => false,
        End::Limit(LimitKind::Runs | LimitKind::Switches) => false,
        End::Exhausted | End::Abandoned => false,
    }
}

/// The outcome of a check that ended before its first iteration.
fn nothing_explored<V, U, A>(end: End) -> Outcome<V, U, A> {
    Outcome {
        end,
        exact: true,
        violations: Vec::new(),
        unknowns: Vec::new(),
        statistics: Statistics::default(),
    }
}
