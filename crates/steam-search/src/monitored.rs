//! A system with a monitor that reads its states along: what is wrong with a path is then seen in a state.
//!
//! What the reader knows is made part of the system, so every search finds paths that are wrong after
//! finitely many states as it finds states that are wrong, with the same trails. A state that is reached
//! on paths of which the reader knows different things is several states.

use steam_model::{
    Change, Delta, Dependence, Layer, LayerOperations, Model, Monitor, Observer, Property, Step,
    StepOf,
};

/// A system and who reads along.
pub struct Monitored<'a, M: Model> {
    model: &'a M,
    monitor: &'a dyn Monitor<M>,
}

impl<'a, M: Model> Monitored<'a, M> {
    /// Takes a monitor that reads along.
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

impl<M: Model> Layer for Monitored<'_, M> {
    type Inner = M;
    // Where the reader is.
    const SLOTS: u32 = 1;
    type State = Read<M::State>;
    type Worker = ReadingWorker<M>;

    fn inner(&self) -> &M {
        self.model
    }

    fn state_within(state: &Read<M::State>) -> &M::State {
        &state.state
    }

    fn worker_within(hand: &ReadingWorker<M>) -> &M::Worker {
        &hand.worker
    }

    fn worker_within_mut(hand: &mut ReadingWorker<M>) -> &mut M::Worker {
        &mut hand.worker
    }

    fn new_worker(&self) -> ReadingWorker<M> {
        ReadingWorker { worker: self.model.worker(), delta: Delta::new(), actions: Vec::new() }
    }

    fn first_state(&self, hand: &mut ReadingWorker<M>) -> Read<M::State> {
        let state = self.model.initial(&mut hand.worker);
        let before = self.monitor.initial();
        let at = self.monitor.next(self.model, &mut hand.worker, before, &state);
        Read { state, at }
    }

    fn describe_state(&self, state: &Read<M::State>, vector: &mut Vec<u32>) {
        let mut own = Vec::new();
        self.model.describe(&state.state, &mut own);
        vector.push(state.at);
        vector.append(&mut own);
    }

    fn patch_state(
        &self,
        hand: &mut ReadingWorker<M>,
        base: &Read<M::State>,
        changes: &[Change],
    ) -> Read<M::State> {
        let at = changes.iter().find(|change| change.slot < Self::SLOTS);
        let at = at.map_or(base.at, |change| change.new);
        let own: Vec<Change> = Delta::changes_without_first(changes, Self::SLOTS).collect();
        Read { state: self.model.patch(&mut hand.worker, &base.state, &own), at }
    }

    fn make_step<O: Observer<M::Event>>(
        &self,
        hand: &mut ReadingWorker<M>,
        state: &Read<M::State>,
        action: M::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<M> {
        let ReadingWorker { worker, delta: own, .. } = hand;
        own.clear();
        let step = self.model.step(worker, &state.state, action, own, observer);
        if matches!(step, Step::Next) {
            own.normalise();
            let next = (&state.state, own.changes());
            let at = self.monitor.next_after(self.model, worker, state.at, next);
            delta.record(0, state.at, at);
            delta.record_shifted(own, Self::SLOTS);
        }
        step
    }
}

impl<M: Dependence> LayerOperations for Monitored<'_, M> {
    const ALL_DEPEND: bool = false;
}

/// A property of the states of a system, and what the reader says of the path to them.
pub struct OfPaths<'a, P: ?Sized>(pub &'a P);

impl<M: Model, P: Property<M> + ?Sized> Property<Monitored<'_, M>> for OfPaths<'_, P> {
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
        if hand.actions.iter().any(|action| !model.is_unfair(*action)) {
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
