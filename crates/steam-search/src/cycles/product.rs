//! The graph that is searched: states of the system together with states of the automaton that reads
//! along.

use steam_model::{
    Automaton, Delta, Insert, Model, Move, Property, Reading, Silent, StateId, Step, Visited,
};

use super::processes::Processes;
use crate::watch::{Deadline, Glance};

/// A state of the system with one of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) state: StateId,
    pub(super) automaton: u32,
}

/// A step of both.
pub(super) struct Edge<A> {
    /// The position of the action among the enabled ones; none where the run has ended.
    pub(super) choice: Option<u32>,
    pub(super) action: Option<A>,
    pub(super) to: Node,
    pub(super) marks: u64,
    /// Whether no wrong cycle leads over it.
    pub(super) onward: bool,
}

/// Something that a step, or the state after it, shows.
pub(super) enum Shown<M: Model> {
    Violation(M::Violation),
    Unknown(M::Unknown),
}

/// What can be done in a node.
pub(super) struct Expansion<M: Model> {
    pub(super) edges: Vec<Edge<M::Action>>,
    /// Who can act.
    pub(super) able: Processes,
    /// What was met on the way, with the choice that led to it.
    pub(super) shown: Vec<(u32, Shown<M>)>,
    pub(super) steps: u64,
    pub(super) effort: u64,
}

/// Where everything begins.
pub(super) struct Beginning<M: Model> {
    pub(super) node: Node,
    pub(super) state: M::State,
    /// The errors that it shows.
    pub(super) errors: Vec<M::Violation>,
}

/// Why a node is not expanded to its end.
pub(super) enum Stop {
    /// The store has no room.
    Full,
    /// There is no time.
    Late,
}

/// The product of a system and an automaton.
pub(super) struct Product<'a, M: Model, V: Visited, P: ?Sized, A: ?Sized> {
    pub(super) model: &'a M,
    pub(super) automaton: &'a A,
    property: &'a P,
    store: &'a V,
    worker: M::Worker,
    scratch: V::Scratch,
    delta: Delta,
    enabled: Vec<M::Action>,
    deadline: Deadline<'a>,
    /// Whether there may be no time for a step.
    hurries: bool,
    glance: Glance,
}

impl<'a, M, V, P, A> Product<'a, M, V, P, A>
where
    M: Model,
    V: Visited<Key = StateId>,
    P: Property<M> + ?Sized,
    A: Automaton<M> + ?Sized,
{
    pub(super) fn new(
        (model, property): (&'a M, &'a P),
        automaton: &'a A,
        store: &'a V,
        deadline: Deadline<'a>,
    ) -> Self {
        Self {
            model,
            automaton,
            property,
            store,
            worker: model.worker(),
            scratch: store.scratch(),
            delta: Delta::new(),
            enabled: Vec::new(),
            deadline,
            hurries: false,
            glance: Glance::default(),
        }
    }

    /// Where everything begins.
    pub(super) fn initial(&mut self) -> Result<Beginning<M>, Stop> {
        let state = self.model.initial(&mut self.worker);
        let mut vector = Vec::new();
        self.model.describe(&state, &mut vector);
        self.delta = Delta::from_empty(&vector);
        let (id, _) = self.insert(None)?;
        let mut errors = Vec::new();
        self.property.check(self.model, &mut self.worker, &state, None, &mut |it| errors.push(it));
        let node = Node { state: id, automaton: self.automaton.initial() };
        Ok(Beginning { node, state, errors })
    }

    /// Rebuilds a state from another one.
    pub(super) fn state(&mut self, base: (StateId, &M::State), id: StateId) -> M::State {
        self.store.difference(Some(base.0), id, &mut self.delta);
        self.model.patch(&mut self.worker, base.1, self.delta.changes())
    }

    fn insert(&mut self, base: Option<StateId>) -> Result<(StateId, bool), Stop> {
        match self.store.insert(&mut self.scratch, base, self.delta.changes()) {
            Ok(Insert::New(id)) => Ok((id, true)),
            Ok(Insert::Seen(Some(id))) => Ok((id, false)),
            Ok(Insert::Seen(None)) | Err(_) => Err(Stop::Full),
        }
    }

    /// Does all that can be done in a node, whose state this is, if there is time for it.
    pub(super) fn expand_in_time(
        &mut self,
        node: Node,
        state: &M::State,
    ) -> Result<Expansion<M>, Stop> {
        self.hurries = true;
        let expansion = self.expand(node, state);
        self.hurries = false;
        expansion
    }

    /// Does all that can be done in a node, whose state this is.
    pub(super) fn expand(&mut self, node: Node, state: &M::State) -> Result<Expansion<M>, Stop> {
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        self.model.enabled(&mut self.worker, state, &mut enabled);
        let mut expansion = Expansion {
            edges: Vec::with_capacity(enabled.len()),
            able: self.able(state, &enabled),
            shown: Vec::new(),
            steps: enabled.len() as u64,
            effort: 0,
        };
        let letter = self.automaton.letter(self.model, &mut self.worker, state);
        let done = self.follow(node, (state, letter), &enabled, &mut expansion);
        self.enabled = enabled;
        done.map(|()| expansion)
    }

    /// Who can act, and can count on it, whether or not a bound on schedules allows it.
    fn able(&mut self, state: &M::State, enabled: &[M::Action]) -> Processes {
        let Self { model, worker, .. } = self;
        let processes = |actions: &[M::Action]| {
            let sure = actions.iter().filter(|action| !model.is_unfair(**action));
            sure.map(|action| model.justice(*action)).collect()
        };
        if !model.is_bounded() {
            return processes(enabled);
        }
        let mut possible = Vec::new();
        model.possible(worker, state, &mut possible);
        processes(&possible)
    }

    fn follow(
        &mut self,
        node: Node,
        (state, letter): (&M::State, u64),
        enabled: &[M::Action],
        expansion: &mut Expansion<M>,
    ) -> Result<(), Stop> {
        for (choice, &action) in (0..).zip(enabled) {
            if self.hurries && self.glance.is_late(&self.deadline) {
                return Err(Stop::Late);
            }
            self.delta.clear();
            let Self { model, worker, delta, .. } = self;
            let step = model.step(worker, state, action, delta, &mut Silent);
            expansion.effort += model.effort(worker);
            let shown = match step {
                Step::Next => {
                    let reading = Reading { before: state, letter, step: Some(action) };
                    self.arrive(node, &reading, choice, expansion)?;
                    continue;
                }
                Step::Violation(violation) => Shown::Violation(violation),
                Step::Unknown(unknown) => Shown::Unknown(unknown),
                Step::Infeasible => continue,
            };
            expansion.shown.push((choice, shown));
        }
        if enabled.iter().all(|action| self.model.is_unfair(*action)) {
            let Self { model, automaton, worker, .. } = self;
            let reading = Reading { before: state, letter, step: None };
            automaton.moves(model, worker, node.automaton, &reading, &mut |next| {
                expansion.edges.push(edge(None, None, node.state, next));
            });
        }
        Ok(())
    }

    /// A step has led to a state, which shows its errors if it is a new one.
    fn arrive(
        &mut self,
        node: Node,
        reading: &Reading<'_, M>,
        choice: u32,
        expansion: &mut Expansion<M>,
    ) -> Result<(), Stop> {
        self.delta.normalise();
        let (id, new) = self.insert(Some(node.state))?;
        let Self { model, automaton, worker, property, .. } = self;
        automaton.moves(model, worker, node.automaton, reading, &mut |next| {
            expansion.edges.push(edge(Some(choice), reading.step, id, next));
        });
        if !new {
            return Ok(());
        }
        let next = model.patch(worker, reading.before, self.delta.changes());
        property.check(model, worker, &next, reading.step, &mut |error| {
            expansion.shown.push((choice, Shown::Violation(error)));
        });
        Ok(())
    }
}

fn edge<A>(choice: Option<u32>, action: Option<A>, state: StateId, next: Move) -> Edge<A> {
    let (automaton, marks, onward) = match next {
        Move::Within { to, marks } => (to, marks, false),
        Move::Onward { to } => (to, 0, true),
    };
    Edge { choice, action, to: Node { state, automaton }, marks, onward }
}
