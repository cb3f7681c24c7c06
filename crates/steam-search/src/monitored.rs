//! A system with somebody who reads its states along: what is wrong with a way is then seen in a state.
//!
//! What the reader knows is made part of the system, so every search finds ways that are wrong after
//! finitely many states as it finds states that are wrong, with the same trails. A state that is reached
//! on ways of which the reader knows different things is several states.

use steam_model::{
    Change, Delta, Dependence, Learns, Livelocks, Model, Monitor, Observer, Property, SharedAccess,
    Step, StepOf, Tally, ThreadFacts, Threads,
};

/// Slots before those of the system itself: where the reader is.
const OWN_SLOTS: u32 = 1;

/// A system and who reads along.
pub struct Monitored<'a, M: Model> {
    model: &'a M,
    monitor: &'a dyn Monitor<M>,
}

impl<'a, M: Model> Monitored<'a, M> {
    /// Lets somebody read along.
    pub fn new(model: &'a M, monitor: &'a dyn Monitor<M>) -> Self {
        Self { model, monitor }
    }
}

/// A state, and where the reader is when it has read it.
#[derive(Clone)]
pub struct Read<S> {
    state: S,
    at: u32,
}

/// What a worker needs.
pub struct ReadingWorker<M: Model> {
    worker: M::Worker,
    delta: Delta,
    actions: Vec<M::Action>,
}

/// The changes of the system itself.
fn own(changes: &[Change]) -> impl Iterator<Item = Change> + '_ {
    changes.iter().filter_map(|change| {
        let slot = change.slot.checked_sub(OWN_SLOTS)?;
        Some(Change { slot, ..*change })
    })
}

impl<M: Model> Model for Monitored<'_, M> {
    type State = Read<M::State>;
    type Action = M::Action;
    type Event = M::Event;
    type Violation = M::Violation;
    type Unknown = M::Unknown;
    type Worker = ReadingWorker<M>;

    fn worker(&self) -> ReadingWorker<M> {
        ReadingWorker { worker: self.model.worker(), delta: Delta::new(), actions: Vec::new() }
    }

    fn initial(&self, hand: &mut ReadingWorker<M>) -> Self::State {
        let state = self.model.initial(&mut hand.worker);
        let before = self.monitor.initial();
        let at = self.monitor.next(self.model, &mut hand.worker, before, &state);
        Read { state, at }
    }

    fn describe(&self, state: &Self::State, vector: &mut Vec<u32>) {
        let mut own = Vec::new();
        self.model.describe(&state.state, &mut own);
        vector.push(state.at);
        vector.append(&mut own);
    }

    fn patch(
        &self,
        hand: &mut ReadingWorker<M>,
        base: &Self::State,
        changes: &[Change],
    ) -> Self::State {
        let at = changes.iter().find(|change| change.slot < OWN_SLOTS);
        let at = at.map_or(base.at, |change| change.new);
        let own: Vec<Change> = own(changes).collect();
        Read { state: self.model.patch(&mut hand.worker, &base.state, &own), at }
    }

    fn enabled(
        &self,
        hand: &mut ReadingWorker<M>,
        state: &Self::State,
        actions: &mut Vec<M::Action>,
    ) {
        self.model.enabled(&mut hand.worker, &state.state, actions);
    }

    fn step<O: Observer<M::Event>>(
        &self,
        hand: &mut ReadingWorker<M>,
        state: &Self::State,
        action: M::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self> {
        let ReadingWorker { worker, delta: own, .. } = hand;
        own.clear();
        let step = self.model.step(worker, &state.state, action, own, observer);
        if matches!(step, Step::Next) {
            own.normalise();
            let next = (&state.state, own.changes());
            let at = self.monitor.next_after(self.model, worker, state.at, next);
            delta.record(0, state.at, at);
            for change in own.changes() {
                delta.record(change.slot + OWN_SLOTS, change.old, change.new);
            }
        }
        step
    }

    fn is_grave(&self, violation: &M::Violation) -> bool {
        self.model.is_grave(violation)
    }

    fn is_in_the_way(&self, unknown: &M::Unknown) -> bool {
        self.model.is_in_the_way(unknown)
    }

    fn unhurry(&self, hand: &mut Self::Worker) {
        self.model.unhurry(&mut hand.worker);
    }

    fn effort(&self, hand: &Self::Worker) -> u64 {
        self.model.effort(&hand.worker)
    }

    fn agent(&self, action: M::Action) -> u32 {
        self.model.agent(action)
    }

    fn is_chance(&self, action: M::Action) -> bool {
        self.model.is_chance(action)
    }

    fn bytes(&self) -> u64 {
        self.model.bytes()
    }

    fn bytes_beside(&self, changes: usize) -> u64 {
        self.model.bytes_beside(changes)
    }
}

impl<M: Threads> Threads for Monitored<'_, M> {
    fn threads(&self, state: &Self::State, visit: &mut dyn FnMut(ThreadFacts)) {
        self.model.threads(&state.state, visit);
    }

    fn tally(&self, hand: &mut ReadingWorker<M>, state: &Self::State) -> Tally {
        self.model.tally(&mut hand.worker, &state.state)
    }

    fn access(&self, state: &Self::State, action: M::Action) -> Option<SharedAccess> {
        self.model.access(&state.state, action)
    }
}

impl<M: Dependence> Dependence for Monitored<'_, M> {
    type Operation = M::Operation;

    fn pending(
        &self,
        hand: &mut ReadingWorker<M>,
        state: &Self::State,
        visit: &mut dyn FnMut(u32, M::Operation),
    ) {
        self.model.pending(&mut hand.worker, &state.state, visit);
    }

    fn performed(
        &self,
        pending: &M::Operation,
        before: &Self::State,
        action: M::Action,
        delta: &Delta,
        operations: &mut Vec<M::Operation>,
    ) {
        let mut inner = Delta::new();
        for change in own(delta.changes()) {
            inner.record(change.slot, change.old, change.new);
        }
        self.model.performed(pending, &before.state, action, &inner, operations);
    }

    fn dependent(&self, one: &M::Operation, other: &M::Operation) -> bool {
        self.model.dependent(one, other)
    }

    fn clash(&self, one: &M::Operation, other: &M::Operation) -> Option<(u32, u32)> {
        self.model.clash(one, other)
    }

    fn may_meet(&self, one: &M::Operation, other: &M::Operation) -> bool {
        self.model.may_meet(one, other)
    }
}

impl<M: Livelocks> Livelocks for Monitored<'_, M> {
    fn livelock(&self, state: &Self::State, agent: u32, states: u32) -> M::Violation {
        self.model.livelock(&state.state, agent, states)
    }

    fn progressed(&self, worker: &Self::Worker) -> bool {
        self.model.progressed(&worker.worker)
    }

    fn yields(&self, before: &Self::State, action: Self::Action) -> bool {
        self.model.yields(&before.state, action)
    }

    fn circling(&self, cycle: &[(Self::State, Self::Action)]) -> M::Violation {
        let cycle: Vec<_> =
            cycle.iter().map(|(state, action)| (state.state.clone(), *action)).collect();
        self.model.circling(&cycle)
    }

    fn hang(&self, worker: &mut Self::Worker, state: &Self::State) -> Option<M::Violation> {
        self.model.hang(&mut worker.worker, &state.state)
    }
}

impl<M: Model + Learns> Learns for Monitored<'_, M> {
    fn begin_round(&self) {
        self.model.begin_round();
    }

    fn conclude_round(&self) {
        self.model.conclude_round();
    }

    fn learned(&self) -> bool {
        self.model.learned()
    }
}

/// A property of the states of a system, and what the reader says of the way to them.
pub struct OfWays<'a, P: ?Sized>(pub &'a P);

impl<M: Model, P: Property<M> + ?Sized> Property<Monitored<'_, M>> for OfWays<'_, P> {
    fn check(
        &self,
        monitored: &Monitored<'_, M>,
        hand: &mut ReadingWorker<M>,
        state: &Read<M::State>,
        last: Option<M::Action>,
        tell: &mut dyn FnMut(M::Violation),
    ) {
        let Monitored { model, monitor } = *monitored;
        self.0.check(model, &mut hand.worker, &state.state, last, tell);
        let mut told = false;
        monitor.errors(model, state.at, &mut |error| {
            told = true;
            tell(error);
        });
        // A run that may end here stays as it is, and the reader goes on reading. Mostly it comes to nothing
        // new by that, and then it does not matter whether the run may end.
        let mut at = monitor.next(model, &mut hand.worker, state.at, &state.state);
        if told || at == state.at {
            return;
        }
        hand.actions.clear();
        model.enabled(&mut hand.worker, &state.state, &mut hand.actions);
        if hand.actions.iter().any(|action| !model.is_chance(*action)) {
            return;
        }
        let mut seen = vec![state.at];
        while !told && !seen.contains(&at) {
            seen.push(at);
            monitor.errors(model, at, &mut |error| {
                told = true;
                tell(error);
            });
            at = monitor.next(model, &mut hand.worker, at, &state.state);
        }
    }
}
