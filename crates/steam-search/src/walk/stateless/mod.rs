//! State-less search: all executions, without a store, and without most of those that differ only
//! in the order of independent steps (Godefroid: Model Checking for Programming Languages using
//! VeriSoft, POPL 1997).
//!
//! The walk keeps the states of one execution, so that going back costs nothing; `execution` says
//! where another order has to be tried. A system with cycles has executions without end: but for the
//! circles of one agent alone (`circle`), only the depth limit ends the search then.

mod circle;
mod clock;
mod execution;
mod persistent;

use std::ops::ControlFlow;

use steam_model::{Dependence, Property};

use self::execution::Execution;
use self::persistent::Footprints;
use super::{Guide, Visit, Walk};
use crate::config::{Config, Control, Progress};
use crate::outcome::{End, LimitKind, OutcomeOf, Statistics};
use crate::watch::Watch;

/// Which executions are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Por {
    /// None.
    None,
    /// Those that begin with a step whose executions were explored already (sleep sets).
    Sleep,
    /// Those that begin with an agent with whose steps nobody left out interferes (persistent sets),
    /// with sleep sets.
    Persistent,
    /// Those in which no race is decided in another way (source sets), with sleep sets.
    #[default]
    Source,
}

/// The guide of the search.
struct Stateless<M: Dependence> {
    por: Por,
    execution: Execution<M>,
    /// For each state, the agent whose steps are being tried and the position behind the last one.
    trying: Vec<Option<(u32, usize)>>,
    depth_limit: usize,
    cut_by_limit: bool,
    executions: u64,
}

impl<M: Dependence> Stateless<M> {
    fn new(por: Por, footprints: Option<Footprints<M::Operation>>, config: &Config) -> Self {
        Self {
            por,
            execution: Execution::new(por != Por::None, footprints),
            trying: Vec::new(),
            depth_limit: config.limits.depth.map_or(usize::MAX, |limit| limit as usize),
            cut_by_limit: false,
            executions: 0,
        }
    }

    /// The agent to try next in a state, if there is one.
    fn next_agent(&mut self, model: &M, depth: usize, enabled: &[M::Action]) -> Option<u32> {
        if self.por == Por::Persistent && self.execution.node(depth).wanted().is_empty() {
            self.execution.want_persistent_set(model, depth, enabled);
        }
        let last = self.execution.last_agent(depth);
        let node = self.execution.node(depth);
        let is_enabled = |agent: u32| enabled.iter().any(|it| model.agent(*it) == agent);
        if node.wanted().is_empty() {
            let awake = |agent: &u32| is_enabled(*agent) && !node.sleeps(*agent);
            let agents = || enabled.iter().map(|action| model.agent(*action));
            let first = last.filter(awake).or_else(|| agents().find(awake))?;
            node.want(first);
        }
        loop {
            if node.wants_all() || matches!(self.por, Por::None | Por::Sleep) {
                enabled.iter().for_each(|action| node.want(model.agent(*action)));
            }
            let next = node.wanted().iter().copied().find(|agent| !node.sleeps(*agent))?;
            if is_enabled(next) {
                return Some(next);
            }
            node.want_others(next);
        }
    }
}

impl<M: Dependence> Guide<M> for Stateless<M> {
    const RETURNS: bool = true;

    fn enter(&mut self, _: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        self.trying.truncate(visit.depth);
        self.execution.enter(visit.model, visit.depth, visit.state, visit.step);
        if visit.depth > self.depth_limit {
            self.cut_by_limit = true;
            // What would have followed cannot say any more which other orders matter.
            self.execution.want_all();
            return false;
        }
        if self.por == Por::Source {
            self.execution.reverse_races(visit.model);
        }
        self.trying.push(None);
        true
    }

    fn accepts(&mut self, depth: usize) -> bool {
        let within = depth <= self.depth_limit;
        self.cut_by_limit |= !within;
        within
    }

    fn ended(&mut self, depth: usize) {
        self.executions += 1;
        if let Some((agent, _)) = self.trying[depth] {
            self.execution.note_end(depth, agent);
        }
    }

    fn choose(
        &mut self,
        model: &M,
        depth: usize,
        enabled: &[M::Action],
        done: usize,
    ) -> Option<usize> {
        if enabled.is_empty() {
            self.executions += u64::from(done == 0);
            return None;
        }
        loop {
            if let Some((agent, from)) = self.trying[depth] {
                let of_agent = |position: &usize| model.agent(enabled[*position]) == agent;
                if let Some(position) = (from..enabled.len()).find(of_agent) {
                    self.trying[depth] = Some((agent, position + 1));
                    return Some(position);
                }
                self.execution.node(depth).let_sleep(agent);
            }
            let agent = self.next_agent(model, depth, enabled)?;
            self.trying[depth] = Some((agent, 0));
        }
    }
}

/// Explores without a store. The number of runs in the statistics is that of executions. With
/// persistent sets it may take several rounds; the statistics are those of the last one.
pub fn stateless<M, P>(
    model: &M,
    property: &P,
    por: Por,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Dependence,
    P: Property<M> + ?Sized,
{
    let mut worker = model.worker();
    let mut walk = Walk::new(model, property, config);
    let mut watch = Watch::new(control, config.limits);
    let mut por = por;
    let mut footprints = (por == Por::Persistent).then(Footprints::default);
    // Of earlier rounds.
    let mut earlier = Statistics::default();
    let (end, executions) = loop {
        footprints.iter_mut().for_each(Footprints::begin_round);
        let mut guide = Stateless::<M>::new(por, footprints.take(), config);
        let halt = |statistics: &Statistics| {
            let &Statistics { transitions, expanded, depth, .. } = statistics;
            let states = earlier.states + statistics.states;
            if config.limits.states.is_some_and(|limit| states >= limit) {
                return Some(End::Limit(LimitKind::States));
            }
            let bytes = model.bytes();
            let expanded = earlier.expanded + expanded;
            let transitions = earlier.transitions + transitions;
            let progress =
                Progress { states, transitions, expanded, depth, bytes, ..Progress::default() };
            watch.check(progress)
        };
        let flow = walk.go(&mut worker, &mut guide, halt);
        let Stateless { execution, cut_by_limit, executions, .. } = guide;
        footprints = execution.into_footprints();
        match flow {
            ControlFlow::Break(end) => break (end, executions),
            // Persistent sets rely on executions that come to an end.
            ControlFlow::Continue(()) if cut_by_limit && footprints.is_some() => {
                (por, footprints) = (Por::Sleep, None);
            }
            ControlFlow::Continue(()) if cut_by_limit => {
                break (End::Limit(LimitKind::Depth), executions);
            }
            ControlFlow::Continue(()) if footprints.as_ref().is_some_and(Footprints::grew) => {}
            ControlFlow::Continue(()) => break (End::Exhausted, executions),
        }
        earlier.states += walk.statistics.states;
        earlier.transitions += walk.statistics.transitions;
        earlier.expanded += walk.statistics.expanded;
        walk.statistics = Statistics::default();
    };
    walk.statistics.runs = executions;
    walk.statistics.bytes = model.bytes();
    walk.into_outcome(end, true)
}
