//! The run that shows a wrong cycle: a way to it, and once around.

use std::collections::{HashMap, VecDeque};

use steam_model::{Automaton, Model, Property, StateId, Visited};

use super::agents::Agents;
use super::nodes::{Nodes, Status};
use super::product::{Edge, Full, Product};
use super::{Fairness, Requirements};

/// A run that goes round for ever.
pub(super) struct Lasso<M: Model> {
    /// The steps up to the cycle.
    pub(super) prefix: Vec<M::Action>,
    /// The cycle: states, and the step from each to the next.
    pub(super) cycle: Vec<(M::State, Option<M::Action>)>,
}

/// A step of a way.
struct Leg<A> {
    from: u32,
    edge: Edge<A>,
    /// Who could act where it began.
    able: Agents,
}

/// Looks for ways among the nodes that were met.
pub(super) struct Finder<'f, 'a, M: Model, V: Visited, P: ?Sized, A: ?Sized> {
    pub(super) product: &'f mut Product<'a, M, V, P, A>,
    pub(super) nodes: &'f Nodes,
    /// The position of the first node of the component that has the cycle.
    pub(super) first: u32,
    /// A state from which others are rebuilt.
    pub(super) base: (StateId, M::State),
}

impl<M, V, P, A> Finder<'_, '_, M, V, P, A>
where
    M: Model,
    V: Visited<Key = StateId>,
    P: Property<M> + ?Sized,
    A: Automaton<M> + ?Sized,
{
    /// A short way to the component, and round all that makes its cycles wrong.
    pub(super) fn lasso(mut self, initial: u32, wanted: Requirements) -> Result<Lasso<M>, Full> {
        // Only over nodes that were expanded: what others show would be lost here.
        let expanded = |status, _: &Edge<M::Action>| status != Status::Met;
        let prefix = match self.is_member(initial) {
            true => Vec::new(),
            false => self.way(initial, expanded, |it, _, to, _| it.is_member(to))?,
        };
        let entry = prefix.last().map_or(Some(initial), |leg| self.nodes.number(leg.edge.to));
        let entry = entry.unwrap_or(initial);
        let cycle = self.around(entry, wanted)?;
        let prefix = prefix.into_iter().filter_map(|leg| leg.edge.action).collect();
        let states = cycle.into_iter().map(|leg| (self.load(leg.from), leg.edge.action));
        Ok(Lasso { prefix, cycle: states.collect() })
    }

    fn is_member(&self, number: u32) -> bool {
        matches!(self.nodes.status(number), Status::Live(position) if position >= self.first)
    }

    /// A cycle through a node of the component that has all that is wanted.
    fn around(&mut self, entry: u32, wanted: Requirements) -> Result<Vec<Leg<M::Action>>, Full> {
        let mut cycle: Vec<Leg<M::Action>> = Vec::new();
        let mut at = entry;
        loop {
            let missing = Missing::after(self.product.model, &cycle, wanted);
            let done = missing.is_nothing();
            if done && at == entry && !cycle.is_empty() {
                return Ok(cycle);
            }
            let first = self.first;
            let inside = move |status, edge: &Edge<M::Action>| {
                matches!(status, Status::Live(at) if at >= first) && !edge.onward
            };
            let more = self.way(at, inside, |it, able, to, edge| match done {
                true => to == entry,
                false => missing.is_served_by(it.product.model, able, edge),
            })?;
            let Some(last) = more.last() else { return Ok(cycle) };
            at = self.nodes.number(last.edge.to).unwrap_or(entry);
            cycle.extend(more);
        }
    }

    fn load(&mut self, number: u32) -> M::State {
        let id = self.nodes.get(number).state;
        let state = self.product.state((self.base.0, &self.base.1), id);
        self.base = (id, state.clone());
        state
    }

    /// A shortest way, of at least one step, that ends with a step that is wanted, over steps that may
    /// be taken to nodes of which something is known; empty if there is none.
    fn way(
        &mut self,
        from: u32,
        over: impl Fn(Status, &Edge<M::Action>) -> bool,
        wanted: impl Fn(&Self, &Agents, u32, &Edge<M::Action>) -> bool,
    ) -> Result<Vec<Leg<M::Action>>, Full> {
        let mut reached: HashMap<u32, Leg<M::Action>> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(number) = queue.pop_front() {
            let state = self.load(number);
            let expansion = self.product.expand(self.nodes.get(number), &state)?;
            for edge in expansion.edges {
                let Some(to) = self.nodes.number(edge.to) else { continue };
                if !over(self.nodes.status(to), &edge) {
                    continue;
                }
                let ends = wanted(self, &expansion.able, to, &edge);
                let leg = Leg { from: number, edge, able: expansion.able.clone() };
                if ends {
                    return Ok(back(from, leg, reached));
                }
                if to != from && !reached.contains_key(&to) {
                    reached.insert(to, leg);
                    queue.push_back(to);
                }
            }
        }
        Ok(Vec::new())
    }
}

/// The way whose last step this is.
fn back<A>(from: u32, last: Leg<A>, mut reached: HashMap<u32, Leg<A>>) -> Vec<Leg<A>> {
    let mut at = last.from;
    let mut way = vec![last];
    while at != from
        && let Some(leg) = reached.remove(&at)
    {
        at = leg.from;
        way.push(leg);
    }
    way.reverse();
    way
}

/// What a cycle lacks.
struct Missing {
    marks: u64,
    /// Who could always act and never did; nobody where that does not matter.
    starving: Agents,
}

impl Missing {
    fn after<M: Model>(model: &M, cycle: &[Leg<M::Action>], wanted: Requirements) -> Self {
        let met = cycle.iter().fold(0, |met, leg| met | leg.edge.marks);
        let mut starving = Agents::default();
        if let (Fairness::Weak, Some(first)) = (wanted.fairness, cycle.first()) {
            starving = first.able.clone();
            for leg in cycle {
                starving.keep(&leg.able);
            }
            starving.drop(&acting(model, cycle.iter().map(|leg| &leg.edge)));
        }
        Self { marks: wanted.marks & !met, starving }
    }

    fn is_nothing(&self) -> bool {
        self.marks == 0 && self.starving.is_empty()
    }

    /// Whether a step has something that is missing: a mark, an act of who starves, or a state in
    /// which one of them cannot act.
    fn is_served_by<M: Model>(&self, model: &M, able: &Agents, edge: &Edge<M::Action>) -> bool {
        let mut left = self.starving.clone();
        left.drop(&acting(model, std::iter::once(edge)));
        left.keep(able);
        edge.marks & self.marks != 0 || left != self.starving
    }
}

fn acting<'e, M: Model>(model: &M, edges: impl Iterator<Item = &'e Edge<M::Action>>) -> Agents
where
    M::Action: 'e,
{
    edges.filter_map(|edge| edge.action).map(|action| model.agent(action)).collect()
}
