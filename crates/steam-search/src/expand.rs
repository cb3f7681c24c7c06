//! One worker's part of a search: takes a node, does its actions, puts the successors into the
//! store, and reports what arrived. It decides nothing: see `explore`.

use steam_model::{
    Delta, Full, Heuristic, Insert, Model, Property, Reduction, Silent, Step, Support, Visited,
};
use steam_store::Costs;

use crate::node::Node;
use crate::watch::{Deadline, Glance};

/// What is searched, and for what.
pub struct Problem<'a, M, H, P: ?Sized, R: ?Sized> {
    /// The system.
    pub model: &'a M,
    /// Which states look near to an error.
    pub heuristic: &'a H,
    /// Which states are errors.
    pub property: &'a P,
    /// Which actions are enough.
    pub reduction: &'a R,
}

/// The node of a search of this model, with this store and heuristic.
pub(crate) type NodeOf<M, V, H> =
    Node<<V as Visited>::Key, <H as Heuristic<M>>::Path, <M as Model>::State>;

/// What is found out about a state when it is reached.
pub(crate) struct Discovery<M: Model> {
    pub(crate) estimate: i64,
    pub(crate) state: Option<Box<M::State>>,
    pub(crate) errors: Vec<M::Violation>,
}

/// What a step led to.
pub(crate) enum Arrival<M: Model, V: Visited, P> {
    /// A state that was new at the beginning of the batch, or one that was reached cheaper. Where
    /// discoveries are shared, only who inserted it finds out about it.
    State { key: V::Key, path: P, discovery: Option<Discovery<M>> },
    /// An error of the step itself.
    Violation(M::Violation),
    /// Something that the model does not know.
    Unknown(M::Unknown),
}

/// An arrival, and whether it is a state that is new.
type Noted<M, V, P> = (Arrival<M, V, P>, bool);

/// An arrival with the choice that led to it and the number of steps done by then.
pub(crate) struct Reached<M: Model, V: Visited, P> {
    pub(crate) choice: u32,
    pub(crate) steps: u32,
    pub(crate) arrival: Arrival<M, V, P>,
}

/// What came of expanding one node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Report {
    /// Where the node's arrivals end in the harvest.
    pub(crate) end: usize,
    pub(crate) steps: u32,
    pub(crate) effort: u64,
    /// Whether the depth limit kept it from being expanded.
    pub(crate) truncated: bool,
}

/// What came of expanding some nodes, in their order.
pub(crate) struct Harvest<M: Model, V: Visited, P> {
    /// The position of the first of them in the batch.
    pub(crate) first: usize,
    pub(crate) reached: Vec<Reached<M, V, P>>,
    pub(crate) reports: Vec<Report>,
    pub(crate) full: bool,
    /// Whether there was no time for all of it.
    pub(crate) late: bool,
}

impl<M: Model, V: Visited, P> Harvest<M, V, P> {
    pub(crate) fn new() -> Self {
        Self { first: 0, reached: Vec::new(), reports: Vec::new(), full: false, late: false }
    }

    pub(crate) fn clear(&mut self) {
        self.reached.clear();
        self.reports.clear();
        (self.full, self.late) = (false, false);
    }
}

/// What one worker has for itself.
pub(crate) struct Equipment<M: Model, V: Visited, N> {
    worker: M::Worker,
    scratch: V::Scratch,
    /// The state that was expanded last: the next one is rebuilt from it, which is cheap if they
    /// are neighbours.
    last: (V::Key, M::State),
    delta: Delta,
    actions: Vec<M::Action>,
    chosen: Vec<usize>,
    /// What a reduction keeps of its choice.
    notes: N,
    glance: Glance,
}

impl<M: Model, V: Visited, N: Default> Equipment<M, V, N> {
    /// What a worker begins with. Its states descend from an initial one of its own: states share
    /// parts, and workers that share them wait for each other at the reference counts.
    pub(crate) fn new(model: &M, store: &V, initial: V::Key) -> Self {
        let mut worker = model.worker();
        let last = (initial, model.initial(&mut worker));
        Self {
            worker,
            scratch: store.scratch(),
            last,
            delta: Delta::new(),
            actions: Vec::new(),
            chosen: Vec::new(),
            notes: N::default(),
            glance: Glance::default(),
        }
    }

    /// Makes a node's state the last one, and its enabled actions the current ones.
    fn load<P>(&mut self, model: &M, store: &V, node: &mut Node<V::Key, P, M::State>) {
        let state = match node.state.take() {
            Some(state) => *state,
            None => {
                store.difference(Some(self.last.0), node.key, &mut self.delta);
                model.patch(&mut self.worker, &self.last.1, self.delta.changes())
            }
        };
        self.last = (node.key, state);
        self.actions.clear();
        model.enabled(&mut self.worker, &self.last.1, &mut self.actions);
    }
}

/// Whether the steps that were chosen in a state are enough.
struct Justified {
    reopened: bool,
    all_new: bool,
    by_store: bool,
    supported: bool,
    opposed: bool,
}

impl Justified {
    fn new(reopened: bool) -> Self {
        Self { reopened, all_new: true, by_store: false, supported: false, opposed: false }
    }

    /// Adds a step: whether it led to a new state, and what it says itself.
    fn add(&mut self, (new, support): (bool, Support)) {
        self.all_new &= new;
        match support {
            Support::IfNew => self.by_store = true,
            Support::For => self.supported = true,
            Support::Neutral => {}
            Support::Against => self.opposed = true,
        }
    }

    fn holds(&self) -> bool {
        let supported = if self.by_store { self.all_new && !self.reopened } else { self.supported };
        supported && !self.opposed
    }
}

/// What all workers share while a batch of nodes is expanded.
pub(crate) struct Batch<'a, M, V, H, P: ?Sized, R: ?Sized> {
    pub(crate) problem: &'a Problem<'a, M, H, P, R>,
    pub(crate) store: &'a V,
    /// The number of states when the batch began: those from here on are new.
    pub(crate) known: u32,
    pub(crate) depth_limit: u32,
    /// The cheapest ways so far, where cheaper ones matter.
    pub(crate) costs: Option<&'a Costs>,
    pub(crate) deadline: Deadline<'a>,
}

impl<M, V, H, P, R> Batch<'_, M, V, H, P, R>
where
    M: Model,
    V: Visited,
    H: Heuristic<M>,
    P: Property<M> + ?Sized,
    R: Reduction<M> + ?Sized,
{
    /// Whether what one worker finds out about a new state serves all ways to it: not where the
    /// estimate depends on the way, nor where a cheaper way opens the state again.
    pub(crate) fn shares_discoveries(&self) -> bool {
        !H::FOLLOWS_PATH && self.costs.is_none()
    }

    /// Expands one node and adds what came of it to the harvest.
    pub(crate) fn expand(
        &self,
        equipment: &mut Equipment<M, V, R::Notes>,
        node: &mut NodeOf<M, V, H>,
        harvest: &mut Harvest<M, V, H::Path>,
    ) {
        equipment.load(self.problem.model, self.store, node);
        let mut report = Report::default();
        if node.depth() >= self.depth_limit {
            report.truncated = !equipment.actions.is_empty();
        } else if self.expand_chosen(equipment, node, harvest, &mut report).is_err() {
            harvest.full = true;
        }
        report.end = harvest.reached.len();
        harvest.reports.push(report);
    }

    /// Does the chosen actions, and the others too if the choice cannot be justified.
    fn expand_chosen(
        &self,
        equipment: &mut Equipment<M, V, R::Notes>,
        node: &NodeOf<M, V, H>,
        harvest: &mut Harvest<M, V, H::Path>,
        report: &mut Report,
    ) -> Result<(), Full> {
        let mut chosen = std::mem::take(&mut equipment.chosen);
        chosen.clear();
        let Problem { model, reduction, .. } = self.problem;
        let Equipment { worker, last, actions, notes, .. } = equipment;
        reduction.choose((*model, worker), &last.1, actions, notes, &mut chosen);
        let mut justified = Justified::new(node.is_reopened());
        for &choice in &chosen {
            justified.add(self.act(equipment, node, choice, harvest, report)?);
        }
        if chosen.len() < equipment.actions.len() && (!justified.holds() || chosen.is_empty()) {
            let mut done = chosen.iter().copied().peekable();
            for choice in 0..equipment.actions.len() {
                if done.next_if_eq(&choice).is_none() {
                    self.act(equipment, node, choice, harvest, report)?;
                }
            }
        }
        equipment.chosen = chosen;
        Ok(())
    }

    /// Does one action; whether it led to a state that is new, and what it says of the choice.
    fn act(
        &self,
        equipment: &mut Equipment<M, V, R::Notes>,
        node: &NodeOf<M, V, H>,
        choice: usize,
        harvest: &mut Harvest<M, V, H::Path>,
        report: &mut Report,
    ) -> Result<(bool, Support), Full> {
        let Equipment { worker, last, delta, actions, glance, notes, .. } = equipment;
        harvest.late = harvest.late || glance.is_late(&self.deadline);
        if harvest.late {
            return Ok((false, Support::Neutral));
        }
        report.steps += 1;
        delta.clear();
        let model = self.problem.model;
        let step = model.step(worker, &last.1, actions[choice], delta, &mut Silent);
        report.effort += model.effort(worker);
        let leads_on = matches!(step, Step::Next);
        if leads_on {
            delta.normalise();
        }
        let changes = leads_on.then_some(&*delta);
        let reduction = self.problem.reduction;
        let support = reduction.hear(model, &last.1, actions[choice], changes, notes);
        let arrival = match step {
            Step::Next => self.arrive(equipment, node, choice)?,
            Step::Violation(violation) => Some((Arrival::Violation(violation), false)),
            Step::Unknown(unknown) => Some((Arrival::Unknown(unknown), false)),
            Step::Infeasible => None,
        };
        let Some((arrival, new)) = arrival else { return Ok((false, support)) };
        harvest.reached.push(Reached { choice: choice as u32, steps: report.steps, arrival });
        Ok((new, support))
    }

    /// Puts a successor into the store; what the search has to know of it, and whether it is new.
    fn arrive(
        &self,
        equipment: &mut Equipment<M, V, R::Notes>,
        node: &NodeOf<M, V, H>,
        choice: usize,
    ) -> Result<Option<Noted<M, V, H::Path>>, Full> {
        let Problem { model, heuristic, property, .. } = self.problem;
        let Equipment { worker, scratch, last, delta, actions, .. } = equipment;
        let (key, inserted) = match self.store.insert(scratch, Some(last.0), delta.changes())? {
            Insert::New(key) => (key, true),
            Insert::Seen(Some(key)) => (key, false),
            Insert::Seen(None) => return Ok(None),
        };
        // Of several workers that reach a state in one batch all report it, not only the one that
        // inserted it: which way counts must not depend on who was faster.
        let new = V::id(key).0 >= self.known;
        let cheaper = |costs: &Costs| node.depth() + 1 < costs.get(V::id(key));
        if !new && !self.costs.is_some_and(cheaper) {
            return Ok(None);
        }
        let action = actions[choice];
        let path = heuristic.extend(model, &node.path, &last.1, action);
        if new && !inserted && self.shares_discoveries() {
            return Ok(Some((Arrival::State { key, path, discovery: None }, new)));
        }
        let state = model.patch(worker, &last.1, delta.changes());
        let mut errors = Vec::new();
        if new {
            property.check(model, worker, &state, Some(action), &mut |error| errors.push(error));
        }
        let estimate = heuristic.estimate(model, worker, &state, &path);
        let state = (!self.store.rebuilds()).then(|| Box::new(state));
        let discovery = Some(Discovery { estimate, state, errors });
        Ok(Some((Arrival::State { key, path, discovery }, new)))
    }
}
