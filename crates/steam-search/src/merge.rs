//! Takes up what the workers brought: states, links, costs, errors. Only one thread does this, in
//! the order of the batch, so that the result is always the same.

use std::ops::ControlFlow;

use steam_model::{Heuristic, Model, Property, Rank, Reduction, StateId, Visited};
use steam_store::Link;

use crate::batch::Ending;
use crate::expand::{Arrival, Discovery, Harvest, NodeOf, Reached};
use crate::node::Node;
use crate::outcome::{End, LimitKind};
use crate::search::{Place, Search};

impl<M, V, H, P, R> Search<'_, '_, M, V, H, P, R>
where
    M: Model,
    V: Visited,
    H: Heuristic<M>,
    P: Property<M> + ?Sized,
    R: Reduction<M> + ?Sized,
{
    /// Which arrivals end the search, without another look at what is still open.
    pub(crate) fn ending(&self) -> Ending {
        Ending { at_violation: self.stops_at_violation(), at_unknown: !self.config.past_unknown }
    }

    fn stops_at_violation(&self) -> bool {
        !self.config.all && !self.frontier.reopens()
    }

    /// Takes up what arrived, node by node in the order of the batch.
    pub(crate) fn merge(
        &mut self,
        known: u32,
        nodes: &[NodeOf<M, V, H>],
        harvests: &mut [Harvest<M, V, H::Path>],
    ) -> ControlFlow<End> {
        self.merged.clear();
        self.merged.resize(self.store.len() - known as usize, false);
        if self.batch(known).shares_discoveries() {
            self.collect_discoveries(known, harvests);
        }
        let mut full = false;
        for harvest in harvests {
            let mut reached = harvest.reached.drain(..).enumerate().peekable();
            for (report, node) in harvest.reports.iter().zip(&nodes[harvest.first..]) {
                self.statistics.expanded += 1;
                self.statistics.effort += report.effort;
                self.truncated |= report.truncated;
                while let Some((_, reached)) = reached.next_if(|(index, _)| *index < report.end) {
                    let steps = reached.steps;
                    if let ControlFlow::Break(end) = self.take_up(known, node, reached) {
                        self.statistics.transitions += u64::from(steps);
                        return ControlFlow::Break(end);
                    }
                }
                self.statistics.transitions += u64::from(report.steps);
            }
            full |= harvest.full;
        }
        if full {
            return ControlFlow::Break(End::Limit(LimitKind::Memory));
        }
        match self.violations.cheapest() {
            Some(cost) if !self.config.all && !self.frontier.may_improve(self.rank_found(cost)) => {
                ControlFlow::Break(End::Stopped)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Puts aside what was found out about new states: another path to a state may come first in the
    /// order of the batch than that of the worker who was faster.
    fn collect_discoveries(&mut self, known: u32, harvests: &mut [Harvest<M, V, H::Path>]) {
        self.discoveries.clear();
        self.discoveries.resize_with(self.merged.len(), || None);
        for reached in harvests.iter_mut().flat_map(|harvest| &mut harvest.reached) {
            if let Arrival::State { key, discovery, .. } = &mut reached.arrival
                && discovery.is_some()
                && let Some(offset) = V::id(*key).0.checked_sub(known)
            {
                self.discoveries[offset as usize] = discovery.take();
            }
        }
    }

    /// What was found out about a new state, and put aside.
    fn put_aside(&mut self, known: u32, id: StateId) -> Option<Discovery<M>> {
        self.discoveries.get_mut(id.0.checked_sub(known)? as usize)?.take()
    }

    /// What a list may compare an error with. Nothing is left to be done there, so its estimate is
    /// 0; but where preferences exceed their maximum, all estimates are shifted below 0.
    fn rank_found(&self, cost: u32) -> Rank {
        Rank { cost, estimate: self.best_estimate.map_or(0, |best| best.min(0)) }
    }

    /// Takes up one arrival.
    fn take_up(
        &mut self,
        known: u32,
        node: &NodeOf<M, V, H>,
        reached: Reached<M, V, H::Path>,
    ) -> ControlFlow<End> {
        let parent = V::id(node.key);
        let cost = node.depth() + 1;
        let by_step = Place { state: parent, choice: Some(reached.choice) };
        let (key, path, discovery) = match reached.arrival {
            Arrival::Violation(violation) => return self.note_violation(violation, by_step, cost),
            Arrival::Unknown(unknown) => return self.note_unknown(unknown, by_step, cost),
            Arrival::State { key, path, discovery } => (key, path, discovery),
        };
        let id = V::id(key);
        let new = self.is_first(known, id);
        if !new && !self.improves(id, cost) {
            return ControlFlow::Continue(());
        }
        let discovery = discovery.or_else(|| self.put_aside(known, id));
        let Discovery { estimate, state, errors } =
            discovery.expect("who inserts a state finds out about it");
        self.note_cost(id, cost);
        if let Some(links) = &mut self.links {
            links.set(id, Link { parent, choice: reached.choice });
        }
        let node = Node::new(key, cost, path, state);
        self.open(if new { node } else { node.reopened() }, estimate);
        if !new {
            return ControlFlow::Continue(());
        }
        self.statistics.states += 1;
        self.statistics.depth = self.statistics.depth.max(cost);
        for error in errors {
            self.note_violation(error, Place { state: id, choice: None }, cost)?;
        }
        if self.config.limits.states.is_some_and(|limit| self.statistics.states >= limit) {
            return ControlFlow::Break(End::Limit(LimitKind::States));
        }
        ControlFlow::Continue(())
    }

    /// Whether a state is new and merged for the first time.
    fn is_first(&mut self, known: u32, id: StateId) -> bool {
        let Some(offset) = id.0.checked_sub(known) else { return false };
        !std::mem::replace(&mut self.merged[offset as usize], true)
    }

    fn improves(&self, id: StateId, cost: u32) -> bool {
        self.costs.as_ref().is_some_and(|costs| cost < costs.get(id))
    }

    pub(crate) fn note_cost(&mut self, id: StateId, cost: u32) {
        if let Some(costs) = &mut self.costs {
            costs.improve(id, cost);
        }
    }

    pub(crate) fn note_violation(
        &mut self,
        violation: M::Violation,
        place: Place,
        cost: u32,
    ) -> ControlFlow<End> {
        let fatal = self.problem.model.is_fatal(&violation);
        self.violations.record(violation, fatal, cost, || place);
        if fatal && self.stops_at_violation() {
            ControlFlow::Break(End::Stopped)
        } else {
            ControlFlow::Continue(())
        }
    }

    pub(crate) fn note_unknown(
        &mut self,
        unknown: M::Unknown,
        place: Place,
        cost: u32,
    ) -> ControlFlow<End> {
        let passes = self.config.past_unknown || !self.problem.model.ends_search(&unknown);
        self.unknowns.record(unknown, true, cost, || place);
        if passes { ControlFlow::Continue(()) } else { ControlFlow::Break(End::Stopped) }
    }

    pub(crate) fn open(&mut self, node: NodeOf<M, V, H>, estimate: i64) {
        self.best_estimate = Some(self.best_estimate.map_or(estimate, |best| best.min(estimate)));
        self.largest_path = self.largest_path.max(self.problem.heuristic.path_bytes(&node.path));
        let rank = Rank { cost: node.depth(), estimate };
        self.frontier.push(node, rank);
        self.statistics.peak_frontier =
            self.statistics.peak_frontier.max(self.frontier.len() as u64);
    }
}
