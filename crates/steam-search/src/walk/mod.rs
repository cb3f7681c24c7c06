//! The loop that owns a stack: it goes along a path, and back where its guide says so.
//!
//! A `Guide` decides how: [`deepen`] explores systematically up to a bound that it raises,
//! [`stateless()`] goes along all executions that differ, [`run`] goes along single random paths.

mod deepening;
mod idle;
mod numbers;
mod pct;
mod random;
mod runs;
mod stateless;
mod waiters;
mod waiting;

use std::hash::Hash;
use std::ops::ControlFlow;

use steam_model::{Delta, Model, Property, Silent, Step};

use crate::findings::{self, Findings};
use crate::outcome::{End, Finding, OutcomeOf, Statistics};
use crate::replay::{actions_of, replay_by};
use crate::watch::{Deadline, Glance, Pace};

pub use deepening::deepen;
pub use numbers::Numbers;
pub use runs::{Plan, Scheduler, run};
pub use stateless::{Executions, Moment, Obligations, Por, stateless, stateless_formulas};
pub use waiting::Starving;

/// Steps between two looks at the clock.
const CHECK_EVERY: u64 = 128;

/// A state that a walk has just come to.
struct Visit<'a, M: Model> {
    model: &'a M,
    /// Steps from the initial state.
    depth: usize,
    state: &'a M::State,
    /// The last step: the state before, the action, and what it changed. None at the beginning.
    step: Option<(&'a M::State, M::Action, &'a Delta)>,
}

/// Who decides where a walk goes.
trait Guide<M: Model> {
    /// Whether the walk ever returns to a state that it left.
    const RETURNS: bool;

    /// Looks at a state; whether the walk may enter it.
    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>) -> bool;

    /// Whether an error of a step that ends at this depth counts already.
    fn accepts(&mut self, depth: usize) -> bool;

    /// Takes the sets of steps of the current path, each by the positions of its steps, that can be
    /// done without the others, and after which something is to be judged.
    fn asides(&mut self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Hears that a step from the state at this depth led nowhere: it was an error, unknown or
    /// against an assumption.
    fn ended(&mut self, _depth: usize) {}

    /// Hears that the step that was chosen last leads nowhere, and is no error either.
    fn led_nowhere(&mut self) {}

    /// Takes the errors of the run that ends with a state that was not entered, each with the depth from
    /// which on that run repeats.
    fn refused(&mut self, _model: &M) -> Vec<(M::Violation, u32)> {
        Vec::new()
    }

    /// Looks at what can be done in a state that was entered, and reports what is wrong with it: with the
    /// state, or with the run to it, which repeats from a depth on.
    fn judge(
        &mut self,
        _worker: &mut M::Worker,
        _visit: &Visit<'_, M>,
        _enabled: &[M::Action],
        _tell: &mut dyn FnMut(M::Violation, Option<u32>),
    ) {
    }

    /// The position of the action to do next in a state where so many were done already; `None`
    /// to go back.
    fn choose(
        &mut self,
        model: &M,
        depth: usize,
        enabled: &[M::Action],
        done: usize,
    ) -> Option<usize>;
}

/// A state on the stack.
struct Frame<M: Model> {
    state: M::State,
    enabled: Vec<M::Action>,
    done: usize,
}

/// What walks found so far.
struct Walk<'a, M: Model, P: ?Sized> {
    model: &'a M,
    property: &'a P,
    all: bool,
    past_unknown: bool,
    deadline: Deadline<'a>,
    /// After so much work the walk ends where it is.
    most_effort: u64,
    statistics: Statistics,
    violations: Findings<M::Violation, Path<M::Action>>,
    unknowns: Findings<M::Unknown, Path<M::Action>>,
    /// The choices from the initial state to the current one.
    choices: Vec<u32>,
    /// What was chosen.
    actions: Vec<M::Action>,
    /// Who goes along other paths than the current one, once that was needed: to make a worker takes longer than a
    /// path.
    spare: Option<M::Worker>,
}

/// The path to something that was found.
enum Path<A> {
    /// By choices among what is enabled.
    Choices(Vec<u32>),
    /// By actions.
    Actions(Vec<A>),
    /// By choices among what is enabled; those after so many wrap around.
    Round(Vec<u32>, u32),
}

impl<'a, M: Model, P: Property<M> + ?Sized> Walk<'a, M, P> {
    fn new(
        (model, property): (&'a M, &'a P),
        config: &crate::Config,
        deadline: Deadline<'a>,
    ) -> Self {
        Self {
            model,
            property,
            all: config.all,
            past_unknown: config.past_unknown,
            deadline,
            most_effort: u64::MAX,
            statistics: Statistics::default(),
            violations: Findings::default(),
            unknowns: Findings::default(),
            choices: Vec::new(),
            actions: Vec::new(),
            spare: None,
        }
    }

    /// Walks from the initial state until the guide has nothing left, or something ends it all.
    fn go<G: Guide<M>>(
        &mut self,
        worker: &mut M::Worker,
        guide: &mut G,
        mut halt: impl FnMut(&Statistics, &G) -> Option<End>,
    ) -> ControlFlow<End> {
        self.statistics.runs += 1;
        self.choices.clear();
        let mut stack = Vec::new();
        let mut delta = Delta::new();
        let (mut pace, mut glance) = (Pace::new(CHECK_EVERY), Glance::default());
        let initial = self.model.initial(worker);
        stack.extend(self.enter(worker, guide, initial, None)?);
        while let Some(frame) = stack.last_mut() {
            let depth = self.choices.len();
            let Some(choice) = guide.choose(self.model, depth, &frame.enabled, frame.done) else {
                stack.pop();
                self.choices.pop();
                continue;
            };
            frame.done += 1;
            let next = self.step(worker, guide, frame, choice, &mut delta)?;
            if let Some(next) = next {
                if !G::RETURNS {
                    stack.clear();
                }
                stack.push(next);
            }
            let Statistics { transitions, effort, .. } = self.statistics;
            if effort >= self.most_effort {
                break;
            }
            // Both are asked: each counts for itself.
            if (pace.is_due(transitions, effort) | glance.is_late(&self.deadline))
                && let Some(end) = halt(&self.statistics, guide)
            {
                return ControlFlow::Break(end);
            }
        }
        ControlFlow::Continue(())
    }

    /// Does one action; the frame of the state that it leads to, if the walk goes on there.
    fn step<G: Guide<M>>(
        &mut self,
        worker: &mut M::Worker,
        guide: &mut G,
        frame: &Frame<M>,
        choice: usize,
        delta: &mut Delta,
    ) -> ControlFlow<End, Option<Frame<M>>> {
        let action = frame.enabled[choice];
        self.statistics.transitions += 1;
        self.choices.push(choice as u32);
        self.actions.truncate(self.choices.len() - 1);
        self.actions.push(action);
        delta.clear();
        let step = self.model.step(worker, &frame.state, action, delta, &mut Silent);
        self.statistics.effort += self.model.effort(worker);
        let next = match step {
            Step::Next => {
                delta.normalise();
                let state = self.model.patch(worker, &frame.state, delta.changes());
                self.enter(worker, guide, state, Some((&frame.state, action, delta)))?
            }
            ended => {
                guide.ended(self.choices.len() - 1);
                match ended {
                    Step::Infeasible => guide.led_nowhere(),
                    Step::Violation(violation) if guide.accepts(self.choices.len()) => {
                        self.note_violation(violation)?;
                    }
                    Step::Unknown(unknown) if guide.accepts(self.choices.len()) => {
                        self.note_unknown(unknown)?;
                    }
                    _ => {}
                }
                None
            }
        };
        if next.is_none() {
            self.choices.pop();
        }
        ControlFlow::Continue(next)
    }

    fn enter<G: Guide<M>>(
        &mut self,
        worker: &mut M::Worker,
        guide: &mut G,
        state: M::State,
        step: Option<(&M::State, M::Action, &Delta)>,
    ) -> ControlFlow<End, Option<Frame<M>>> {
        let depth = self.choices.len();
        if !guide.enter(worker, &Visit { model: self.model, depth, state: &state, step }) {
            for (violation, begins) in guide.refused(self.model) {
                self.note(violation, Path::Round(self.choices.clone(), begins), depth)?;
            }
            return ControlFlow::Continue(None);
        }
        self.statistics.states += 1;
        self.statistics.expanded += 1;
        self.statistics.depth = self.statistics.depth.max(depth as u32);
        self.statistics.peak_frontier = self.statistics.peak_frontier.max(depth as u64);
        let mut enabled = Vec::new();
        self.model.enabled(worker, &state, &mut enabled);
        let last = step.map(|(_, action, _)| action);
        let mut errors = Vec::new();
        self.property.check(self.model, worker, &state, last, &mut |error| errors.push(error));
        for violation in errors {
            self.note_violation(violation)?;
        }
        for positions in guide.asides() {
            self.judge_aside(worker, &positions)?;
        }
        let visit = Visit { model: self.model, depth, state: &state, step };
        let mut errors = Vec::new();
        guide.judge(worker, &visit, &enabled, &mut |error, begins| errors.push((error, begins)));
        for (violation, begins) in errors {
            let path = match begins {
                Some(begins) => Path::Round(self.choices.clone(), begins),
                None => Path::Choices(self.choices.clone()),
            };
            self.note(violation, path, depth)?;
        }
        ControlFlow::Continue(Some(Frame { state, enabled, done: 0 }))
    }

    /// Judges the state after some steps of the current path, which are done without the others.
    fn judge_aside(&mut self, worker: &mut M::Worker, positions: &[usize]) -> ControlFlow<End> {
        let actions: Vec<M::Action> = positions.iter().map(|at| self.actions[*at]).collect();
        let spare = self.spare.get_or_insert_with(|| self.model.worker());
        let reached = replay_by(self.model, spare, &actions, &mut Silent);
        if reached.end != Some(Step::Next) {
            return ControlFlow::Continue(());
        }
        let mut errors = Vec::new();
        self.property.check(self.model, worker, &reached.state, None, &mut |it| errors.push(it));
        for violation in errors {
            self.note(violation, Path::Actions(actions.clone()), actions.len())?;
        }
        ControlFlow::Continue(())
    }

    fn note_violation(&mut self, violation: M::Violation) -> ControlFlow<End> {
        let path = Path::Choices(self.choices.clone());
        self.note(violation, path, self.choices.len())
    }

    fn note(
        &mut self,
        violation: M::Violation,
        path: Path<M::Action>,
        steps: usize,
    ) -> ControlFlow<End> {
        let fatal = self.model.is_fatal(&violation);
        self.violations.record(violation, fatal, steps as u32, || path);
        if self.all || !fatal {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(End::Stopped)
        }
    }

    fn note_unknown(&mut self, unknown: M::Unknown) -> ControlFlow<End> {
        let cost = self.choices.len() as u32;
        let passes = self.past_unknown || !self.model.ends_search(&unknown);
        self.unknowns.record(unknown, true, cost, || Path::Choices(self.choices.clone()));
        if passes { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Stopped) }
    }

    /// Adds what another walk found after this one.
    fn absorb(&mut self, other: Self) {
        let (sum, more) = (&mut self.statistics, other.statistics);
        sum.states += more.states;
        sum.transitions += more.transitions;
        sum.effort += more.effort;
        sum.expanded += more.expanded;
        sum.runs += more.runs;
        sum.depth = sum.depth.max(more.depth);
        sum.peak_frontier = sum.peak_frontier.max(more.peak_frontier);
        self.violations.absorb(other.violations);
        self.unknowns.absorb(other.unknowns);
    }

    /// Turns choices into trails, and sums up.
    fn into_outcome(self, end: End, exact: bool) -> OutcomeOf<M> {
        let mut statistics = self.statistics;
        statistics.violations = self.violations.met();
        let model = self.model;
        let mut worker = self.spare.unwrap_or_else(|| model.worker());
        let mut trail = |path: Path<M::Action>| match path {
            Path::Choices(choices) => (actions_of(model, &mut worker, &choices), None),
            Path::Round(choices, begins) => {
                (actions_of(model, &mut worker, &choices), Some(begins))
            }
            Path::Actions(actions) => (actions, None),
        };
        OutcomeOf::<M> {
            end,
            exact,
            violations: found(self.violations, self.all, &mut trail),
            unknowns: found(self.unknowns, true, &mut trail),
            statistics,
        }
    }
}

/// What was found, with trails.
fn found<T: Clone + Eq + Hash, A>(
    findings: Findings<T, Path<A>>,
    all: bool,
    trail: &mut impl FnMut(Path<A>) -> (Vec<A>, Option<u32>),
) -> Vec<Finding<T, A>> {
    let with_trail = |it: findings::Found<T, Path<A>>| {
        let (trail, cycle) = trail(it.place);
        Finding { met: it.met, cycle, ..Finding::new(it.what, it.cost, Some(trail)) }
    };
    findings.into_list(all).into_iter().map(with_trail).collect()
}
