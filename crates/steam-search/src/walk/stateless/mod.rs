//! State-less search: all executions, without a store, and without most of those that differ only
//! in the order of independent steps (Godefroid: Model Checking for Programming Languages using
//! VeriSoft, POPL 1997).
//!
//! The walk keeps the states of one execution, so that going back costs nothing; `execution` says
//! where another order has to be tried. A system with cycles has executions without end: but for the
//! cycles of one process alone (`cycle`), only the depth limit ends the search then.

mod clock;
mod cycle;
mod execution;
mod fair;
mod follow;
mod marked;
mod obligations;
mod persistent;
mod priorities;

use std::ops::ControlFlow;

use steam_model::{Dependence, Livelocks, Property};

use self::execution::{Cycles, Execution};
use self::fair::{Cycle, Fair};
use self::follow::Follower;
use self::persistent::Footprints;
use super::{Guide, Starving, Visit, Walk};
use crate::config::{Config, Control, Progress};
use crate::outcome::{End, LimitKind, OutcomeOf, Statistics};
use crate::watch::Watch;

pub use self::obligations::{Obligations, stateless_formulas};
pub use steam_ltl::actors::Moment;

/// Which executions are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Por {
    /// None.
    None,
    /// Those that begin with a step whose executions were explored already (sleep sets).
    Sleep,
    /// Those that begin with a process with whose steps no process left out interferes (persistent sets),
    /// with sleep sets.
    Persistent,
    /// Those in which no race is decided in another way (source sets), with sleep sets.
    #[default]
    Source,
}

/// Which executions are gone along, and what is looked for on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    /// Which of them are left out.
    pub por: Por,
    /// In how many successive states a process may be unable to act. That is asked on the executions
    /// that are gone along: those that are left out as equal may differ in it.
    pub livelock: Option<u32>,
    /// Whether those that a fair scheduler allows are enough: who yields lets others go first. No other
    /// ones are left out then. A run that can loop forever in a fair way is judged where it
    /// comes back to how everything was, or where the depth limit ends it.
    pub fair: bool,
}

/// The guide of the search.
struct Stateless<'f, M: Dependence, F> {
    por: Por,
    livelock: Option<u32>,
    /// For each state who waits there, if that is asked.
    waiting: Vec<Starving>,
    execution: Execution<M>,
    follower: &'f mut F,
    fair: Option<Fair<M>>,
    /// Whether all that follows the last state follows an earlier one too.
    closed: bool,
    /// The cycle that the last step closed, where the depth limit ended the execution.
    cycle: Option<Cycle<M>>,
    /// For each state, the process whose steps are being tried and the position after the last one.
    trying: Vec<Option<(u32, usize)>>,
    depth_limit: usize,
    cut_by_limit: bool,
    executions: u64,
}

impl<'f, M: Dependence + Livelocks, F: Follower<M>> Stateless<'f, M, F> {
    fn new(
        Executions { por, livelock, fair }: Executions,
        footprints: Option<Footprints<M::Operation>>,
        follower: &'f mut F,
        config: &Config,
    ) -> Self {
        let cycles = match (fair, por) {
            (true, _) => Cycles::Noticed,
            (false, Por::Sleep | Por::Persistent | Por::Source) if F::CYCLES => Cycles::Stopped,
            _ => Cycles::Ignored,
        };
        Self {
            por,
            livelock,
            waiting: Vec::new(),
            execution: Execution::new(por != Por::None, cycles, footprints),
            follower,
            fair: fair.then(Fair::new),
            closed: false,
            cycle: None,
            trying: Vec::new(),
            depth_limit: config.limits.depth.map_or(usize::MAX, |limit| limit as usize),
            cut_by_limit: false,
            executions: 0,
        }
    }

    /// Whether all who can act in a state were stopped, because they loop without effect.
    fn is_stuck(&mut self, model: &M, depth: usize, enabled: &[M::Action]) -> bool {
        let node = self.execution.node(depth);
        let mut sure = enabled.iter().filter(|action| !model.is_unfair(**action));
        sure.all(|action| node.is_still(model.process(*action)))
    }

    /// The process to try next in a state, if there is one.
    fn next_process(&mut self, model: &M, depth: usize, enabled: &[M::Action]) -> Option<u32> {
        if self.por == Por::Persistent && self.execution.node(depth).wanted().is_empty() {
            self.execution.want_persistent_set(model, depth, enabled);
        }
        let last = self.execution.last_process(depth);
        let node = self.execution.node(depth);
        let is_enabled = |process: u32| enabled.iter().any(|it| model.process(*it) == process);
        let fair = self.fair.as_ref();
        let may_act = |process: &u32| fair.is_none_or(|fair| fair.allows(depth, *process));
        let processes = || enabled.iter().map(|action| model.process(*action)).filter(may_act);
        if node.wanted().is_empty() {
            let awake = |process: &u32| is_enabled(*process) && !node.sleeps(*process);
            let first = last.filter(may_act).filter(awake).or_else(|| processes().find(awake))?;
            node.want(first);
        }
        loop {
            if node.wants_all() || matches!(self.por, Por::None | Por::Sleep) {
                processes().for_each(|process| node.want(process));
            }
            let next = node.wanted().iter().copied().find(|process| !node.sleeps(*process))?;
            if is_enabled(next) {
                return Some(next);
            }
            node.want_others(next);
        }
    }
}

impl<M: Dependence + Livelocks, F: Follower<M>> Guide<M> for Stateless<'_, M, F> {
    const RETURNS: bool = true;

    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        self.trying.truncate(visit.depth);
        self.execution.enter(visit.model, worker, visit.depth, visit.state, visit.step);
        if visit.depth > self.depth_limit {
            self.cut_by_limit = true;
            // What would have followed cannot say any more which other orders matter.
            self.execution.want_all();
            self.cycle = self.fair.as_ref().and_then(|fair| fair.next_cycle(worker, visit));
            return false;
        }
        match self.por {
            Por::Source => self.execution.look_for_races(visit.model, true),
            // Not all states are seen in which two operations are pending.
            Por::Persistent => self.execution.look_for_races(visit.model, false),
            Por::None | Por::Sleep => {}
        }
        if let Some(fair) = &mut self.fair {
            fair.enter(worker, visit, self.execution.went_round());
        }
        self.follower.enter(worker, visit);
        self.trying.push(None);
        true
    }

    fn accepts(&mut self, depth: usize) -> bool {
        let within = depth <= self.depth_limit;
        self.cut_by_limit |= !within;
        within
    }

    fn asides(&mut self) -> Vec<Vec<usize>> {
        self.execution.take_asides()
    }

    fn ended(&mut self, depth: usize) {
        self.executions += 1;
        if let Some((process, _)) = self.trying[depth] {
            self.execution.note_end(depth, process);
        }
    }

    fn refused(&mut self, model: &M) -> Vec<(M::Violation, u32)> {
        let Some(cycle) = self.cycle.take() else { return Vec::new() };
        let mut errors = Vec::new();
        self.follower.judge_cycle(model, &cycle, &mut |error| {
            errors.push((error, cycle.begins as u32));
        });
        errors
    }

    fn judge(
        &mut self,
        worker: &mut M::Worker,
        visit: &Visit<'_, M>,
        enabled: &[M::Action],
        tell: &mut dyn FnMut(M::Violation, Option<u32>),
    ) {
        let &Visit { model, depth, state, .. } = visit;
        let ends = enabled.iter().all(|action| model.is_unfair(*action));
        self.follower.judge(model, ends, &mut |error| tell(error, None));
        if !ends && self.is_stuck(model, depth, enabled) {
            model.hang(worker, state).into_iter().for_each(|error| tell(error, None));
        }
        if let Some(fair) = &mut self.fair {
            fair.note_enabled(model, enabled);
            self.closed = fair.repeats(model, |one, other| self.follower.same(one, other));
            fair.held_back |= self.closed;
            if let Some(cycle) = fair.last_cycle(model).filter(|_| self.closed) {
                let begins = Some(cycle.begins as u32);
                self.follower.judge_cycle(model, &cycle, &mut |error| tell(error, begins));
            }
        }
        let Some(most) = self.livelock else { return };
        let sure = enabled.iter().filter(|action| !model.is_unfair(**action));
        let able: Vec<u32> = sure.map(|action| model.process(*action)).collect();
        let pending = self.execution.node(depth).processes();
        self.waiting.truncate(depth);
        let waiting = self.waiting.last().unwrap_or(&Starving::default()).next(&pending, &able);
        let starving = waiting.beyond(most);
        self.waiting.push(waiting);
        // Where no process can act, that is a deadlock.
        if let Some(process) = starving.filter(|_| !able.is_empty()) {
            tell(model.livelock(state, process, most), None);
        }
    }

    fn choose(
        &mut self,
        model: &M,
        depth: usize,
        enabled: &[M::Action],
        done: usize,
    ) -> Option<usize> {
        if enabled.is_empty() || std::mem::take(&mut self.closed) {
            self.executions += u64::from(done == 0);
            return None;
        }
        loop {
            if let Some((process, from)) = self.trying[depth] {
                let of_process = |position: &usize| model.process(enabled[*position]) == process;
                if let Some(position) = (from..enabled.len()).find(of_process) {
                    self.trying[depth] = Some((process, position + 1));
                    return Some(position);
                }
                self.execution.node(depth).let_sleep(process);
            }
            let process = self.next_process(model, depth, enabled)?;
            self.trying[depth] = Some((process, 0));
        }
    }
}

/// Explores without a store. The number of runs in the statistics is that of executions. With
/// persistent sets it may take several rounds; the statistics are those of the last one.
pub fn stateless<M, P>(
    model: &M,
    property: &P,
    executions: Executions,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Dependence + Livelocks,
    P: Property<M> + ?Sized,
{
    search(model, property, executions, &mut (), config, control)
}

/// Explores, with an automaton that reads along.
fn search<M, P, F>(
    model: &M,
    property: &P,
    executions: Executions,
    follower: &mut F,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Dependence + Livelocks,
    P: Property<M> + ?Sized,
    F: Follower<M>,
{
    let mut worker = model.worker();
    let mut watch = Watch::new(control, config.limits);
    let mut walk = Walk::new((model, property), config, watch.deadline());
    let mut wanted = executions;
    if wanted.fair {
        wanted.por = Por::None;
    }
    let mut footprints = (wanted.por == Por::Persistent).then(Footprints::default);
    // Of earlier rounds.
    let mut earlier = Statistics::default();
    let (end, executions) = loop {
        footprints.iter_mut().for_each(Footprints::begin_iteration);
        let mut guide = Stateless::<M, F>::new(wanted, footprints.take(), follower, config);
        let halt = |statistics: &Statistics, guide: &Stateless<'_, M, F>| {
            if guide.follower.is_misled() {
                return Some(End::Abandoned);
            }
            let states = earlier.states + statistics.states;
            if config.limits.states.is_some_and(|limit| states >= limit) {
                return Some(End::Limit(LimitKind::States));
            }
            watch.check(Progress {
                states,
                transitions: earlier.transitions + statistics.transitions,
                effort: earlier.effort + statistics.effort,
                expanded: earlier.expanded + statistics.expanded,
                depth: statistics.depth,
                bytes: model.bytes() + guide.execution.bytes(model),
                executions: Some(guide.executions),
                done: Some(guide.execution.done()),
                ..Progress::default()
            })
        };
        let flow = walk.go(&mut worker, &mut guide, halt);
        let Stateless { execution, cut_by_limit, executions, fair, .. } = guide;
        let held_back = fair.is_some_and(|fair| fair.held_back);
        footprints = execution.into_footprints();
        match flow {
            ControlFlow::Break(end) => break (end, executions),
            // Persistent sets rely on executions that come to an end.
            ControlFlow::Continue(()) if cut_by_limit && footprints.is_some() => {
                (wanted.por, footprints) = (Por::Sleep, None);
            }
            ControlFlow::Continue(()) if cut_by_limit => {
                break (End::Limit(LimitKind::Depth), executions);
            }
            ControlFlow::Continue(()) if footprints.as_ref().is_some_and(Footprints::grew) => {}
            ControlFlow::Continue(()) if held_back => {
                break (End::Limit(LimitKind::Switches), executions);
            }
            ControlFlow::Continue(()) => break (End::Exhausted, executions),
        }
        earlier.states += walk.statistics.states;
        earlier.transitions += walk.statistics.transitions;
        earlier.effort += walk.statistics.effort;
        earlier.expanded += walk.statistics.expanded;
        walk.statistics = Statistics::default();
    };
    walk.statistics.runs = executions;
    walk.statistics.bytes = model.bytes();
    walk.into_outcome(end, true)
}
