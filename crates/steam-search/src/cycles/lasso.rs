//! The run that shows a wrong cycle: a path to it, and once around.

use std::collections::{HashMap, HashSet, VecDeque};

use steam_model::{Automaton, Model, Property, StateId, Visited};

use super::nodes::{Nodes, Status};
use super::processes::Processes;
use super::product::{Edge, Product, Stop};
use super::{Fairness, Requirements};

/// A run that loops forever.
pub(super) struct Lasso<M: Model> {
    /// The steps up to the cycle.
    pub(super) prefix: Vec<M::Action>,
    /// The cycle: states, and the step from each to the next.
    pub(super) cycle: Vec<(M::State, Option<M::Action>)>,
}

/// A step of a path.
struct Leg<A> {
    from: u32,
    edge: Edge<A>,
    /// Who could act where it began.
    able: Processes,
}

/// Nodes that all reach each other.
pub(super) enum Members {
    /// Those of components that are not complete, from this position on.
    From(u32),
    /// These.
    Only(HashSet<u32>),
}

/// Looks for paths among the nodes that were met.
pub(super) struct Finder<'f, 'a, M: Model, V: Visited, P: ?Sized, A: ?Sized> {
    pub(super) product: &'f mut Product<'a, M, V, P, A>,
    pub(super) nodes: &'f Nodes,
    /// The nodes that the cycle may have.
    pub(super) members: Members,
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
    /// A short path to the component, and round all that makes its cycles wrong.
    pub(super) fn lasso(mut self, initial: u32, wanted: Requirements) -> Result<Lasso<M>, Stop> {
        // Only over nodes that were expanded: what others show would be lost here.
        let expanded = |it: &Self, to, _: &Edge<M::Action>| it.nodes.status(to) != Status::Met;
        let prefix = match self.is_member(initial) {
            true => Vec::new(),
            false => self.path(initial, expanded, |it, _, to, _| it.is_member(to))?,
        };
        let entry = prefix.last().map_or(Some(initial), |leg| self.nodes.number(leg.edge.to));
        let entry = entry.unwrap_or(initial);
        let cycle = self.around(entry, wanted)?;
        let prefix = prefix.into_iter().filter_map(|leg| leg.edge.action).collect();
        let states = cycle.into_iter().map(|leg| (self.load(leg.from), leg.edge.action));
        Ok(Lasso { prefix, cycle: states.collect() })
    }

    fn is_member(&self, number: u32) -> bool {
        match &self.members {
            Members::From(first) => {
                matches!(self.nodes.status(number), Status::Live(position) if position >= *first)
            }
            Members::Only(members) => members.contains(&number),
        }
    }

    /// A cycle through a node of the component that has all that is wanted.
    fn around(&mut self, entry: u32, wanted: Requirements) -> Result<Vec<Leg<M::Action>>, Stop> {
        let mut cycle: Vec<Leg<M::Action>> = Vec::new();
        let mut at = entry;
        loop {
            let missing = Missing::after(self.product.model, &cycle, wanted);
            let done = missing.is_nothing();
            if done && at == entry && !cycle.is_empty() {
                return Ok(cycle);
            }
            let inside = |it: &Self, to, edge: &Edge<M::Action>| it.is_member(to) && !edge.onward;
            let more = self.path(at, inside, |it, able, to, edge| match done {
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

    /// A shortest path, of at least one step, that ends with a step that is wanted, over steps that may
    /// be taken to nodes of which something is known; empty if there is none.
    fn path(
        &mut self,
        from: u32,
        over: impl Fn(&Self, u32, &Edge<M::Action>) -> bool,
        wanted: impl Fn(&Self, &Processes, u32, &Edge<M::Action>) -> bool,
    ) -> Result<Vec<Leg<M::Action>>, Stop> {
        let mut reached: HashMap<u32, Leg<M::Action>> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(number) = queue.pop_front() {
            let state = self.load(number);
            let expansion = self.product.expand(self.nodes.get(number), &state)?;
            for edge in expansion.edges {
                let Some(to) = self.nodes.number(edge.to) else { continue };
                if !over(self, to, &edge) {
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

/// The path whose last step this is.
fn back<A>(from: u32, last: Leg<A>, mut reached: HashMap<u32, Leg<A>>) -> Vec<Leg<A>> {
    let mut at = last.from;
    let mut path = vec![last];
    while at != from
        && let Some(leg) = reached.remove(&at)
    {
        at = leg.from;
        path.push(leg);
    }
    path.reverse();
    path
}

/// What a cycle lacks.
struct Missing {
    marks: u64,
    /// Who could act, always or at least once, and never did; none where that does not matter.
    starving: Processes,
    fairness: Fairness,
}

impl Missing {
    fn after<M: Model>(model: &M, cycle: &[Leg<M::Action>], wanted: Requirements) -> Self {
        let met = cycle.iter().fold(0, |met, leg| met | leg.edge.marks);
        let mut starving = Processes::default();
        if let (Fairness::Weak, Some(first)) = (wanted.fairness, cycle.first()) {
            starving = first.able.clone();
            cycle.iter().for_each(|leg| starving.keep(&leg.able));
        }
        if wanted.fairness == Fairness::Strong {
            cycle.iter().for_each(|leg| starving.add(&leg.able));
        }
        starving.drop(&acting(model, cycle.iter().map(|leg| &leg.edge)));
        Self { marks: wanted.marks & !met, starving, fairness: wanted.fairness }
    }

    fn is_nothing(&self) -> bool {
        self.marks == 0 && self.starving.is_empty()
    }

    /// Whether a step has something that is missing: a mark, an act of who starves, or (where that is
    /// enough) a state in which one of them cannot act.
    fn is_served_by<M: Model>(&self, model: &M, able: &Processes, edge: &Edge<M::Action>) -> bool {
        let mut left = self.starving.clone();
        left.drop(&acting(model, std::iter::once(edge)));
        if self.fairness == Fairness::Weak {
            left.keep(able);
        }
        edge.marks & self.marks != 0 || left != self.starving
    }
}

fn acting<'e, M: Model>(model: &M, edges: impl Iterator<Item = &'e Edge<M::Action>>) -> Processes
where
    M::Action: 'e,
{
    edges.filter_map(|edge| edge.action).map(|action| model.justice(action)).collect()
}
