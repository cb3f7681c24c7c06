//! A system whose schedules are bounded: those with few preemptions (Musuvathi, Qadeer: Iterative
//! context bounding, PLDI 2007) or few delays (Emmi, Qadeer, Rakamarić: Delay-bounded scheduling, POPL
//! 2011).
//!
//! The bound is made part of the system: a state knows who acted last and what the way to it cost, and
//! what would cost too much is not enabled. So every search keeps to the bound without knowing of it,
//! and a state that is reached again for less is another state. A cycle costs nothing: its switches are those that
//! have to be. Whether it is fair is judged by what could happen without the bound, so that no cycle is reported that
//! exists only because of the bound. Since what an agent may do now depends
//! on all steps before, no two steps are independent: reductions have nothing to leave out.

use std::sync::atomic::{AtomicBool, Ordering};

use steam_model::{
    Change, Delta, Dependence, Learns, Livelocks, Model, Observer, Property, SharedAccess, Step,
    StepOf, Tally, ThreadFacts, Threads,
};

/// What schedules may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So many times an agent may act although the last one could have gone on.
    Preemptions(u32),
    /// So many agents may be passed over. Whose turn it is: the last one's, and when that can do
    /// nothing, the next one's, round the end.
    Delays(u32),
}

impl Bound {
    fn most(self) -> u32 {
        match self {
            Self::Preemptions(most) | Self::Delays(most) => most,
        }
    }

    /// What it costs that an agent acts. `able` are the agents that can act, ascending, and with
    /// repetitions; `last` is who acted last.
    fn cost(self, agent: u32, last: Option<u32>, able: impl Iterator<Item = u32>) -> u32 {
        let Some(last) = last else { return 0 };
        // How far behind the last one an agent comes.
        let behind = |agent: u32| agent.wrapping_sub(last);
        match self {
            Self::Preemptions(_) => {
                let mut able = able;
                u32::from(agent != last && able.any(|other| other == last))
            }
            Self::Delays(_) => {
                let mut before = None;
                let passed = able.filter(|&other| {
                    let again = before.replace(other) == Some(other);
                    !again && behind(other) < behind(agent)
                });
                passed.count() as u32
            }
        }
    }
}

/// Slots before those of the system itself: who acted last, and the cost.
const OWN_SLOTS: u32 = 2;

/// A system within a bound.
pub struct Bounded<'a, M> {
    model: &'a M,
    bound: Bound,
    /// Whether the bound left something out in this round.
    cut: AtomicBool,
}

impl<'a, M: Model> Bounded<'a, M> {
    /// Bounds a system.
    pub fn new(model: &'a M, bound: Bound) -> Self {
        Self { model, bound, cut: AtomicBool::new(false) }
    }

    /// Whether the bound left something out since the round began.
    pub fn was_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }

    fn cost(&self, state: &Within<M::State>, actions: &[M::Action], action: M::Action) -> u32 {
        let able = actions.iter().map(|action| self.model.agent(*action));
        self.bound.cost(self.model.agent(action), state.last.checked_sub(1), able)
    }
}

/// A state and the way to it, as far as that matters.
#[derive(Clone)]
pub struct Within<S> {
    state: S,
    /// One more than the number of who acted last; 0 in the beginning.
    last: u32,
    cost: u32,
}

/// What a worker needs.
pub struct Hand<M: Model> {
    worker: M::Worker,
    delta: Delta,
    actions: Vec<M::Action>,
}

impl<M: Model> Model for Bounded<'_, M> {
    type State = Within<M::State>;
    type Action = M::Action;
    type Event = M::Event;
    type Violation = M::Violation;
    type Unknown = M::Unknown;
    type Worker = Hand<M>;

    fn worker(&self) -> Hand<M> {
        Hand { worker: self.model.worker(), delta: Delta::new(), actions: Vec::new() }
    }

    fn initial(&self, hand: &mut Hand<M>) -> Self::State {
        Within { state: self.model.initial(&mut hand.worker), last: 0, cost: 0 }
    }

    fn describe(&self, state: &Self::State, vector: &mut Vec<u32>) {
        let mut own = Vec::new();
        self.model.describe(&state.state, &mut own);
        vector.extend([state.last, state.cost]);
        vector.append(&mut own);
    }

    fn patch(&self, hand: &mut Hand<M>, base: &Self::State, changes: &[Change]) -> Self::State {
        let (mut last, mut cost) = (base.last, base.cost);
        let mut own = Vec::with_capacity(changes.len());
        for change in changes {
            match change.slot.checked_sub(OWN_SLOTS) {
                Some(slot) => own.push(Change { slot, ..*change }),
                None if change.slot == 0 => last = change.new,
                None => cost = change.new,
            }
        }
        Within { state: self.model.patch(&mut hand.worker, &base.state, &own), last, cost }
    }

    fn enabled(&self, hand: &mut Hand<M>, state: &Self::State, actions: &mut Vec<M::Action>) {
        hand.actions.clear();
        self.model.enabled(&mut hand.worker, &state.state, &mut hand.actions);
        let most = self.bound.most();
        let before = actions.len();
        let affordable = |action: &M::Action| {
            state.cost.saturating_add(self.cost(state, &hand.actions, *action)) <= most
        };
        actions.extend(hand.actions.iter().copied().filter(affordable));
        if actions.len() - before < hand.actions.len() {
            self.cut.store(true, Ordering::Relaxed);
        }
    }

    fn possible(&self, hand: &mut Hand<M>, state: &Self::State, actions: &mut Vec<M::Action>) {
        self.model.enabled(&mut hand.worker, &state.state, actions);
    }

    fn is_bounded(&self) -> bool {
        true
    }

    fn step<O: Observer<M::Event>>(
        &self,
        hand: &mut Hand<M>,
        state: &Self::State,
        action: M::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self> {
        hand.actions.clear();
        self.model.enabled(&mut hand.worker, &state.state, &mut hand.actions);
        let cost = self.cost(state, &hand.actions, action);
        hand.delta.clear();
        let Hand { worker, delta: own, .. } = hand;
        let step = self.model.step(worker, &state.state, action, own, observer);
        if matches!(step, Step::Next) {
            own.normalise();
            delta.record(0, state.last, self.model.agent(action) + 1);
            delta.record(1, state.cost, state.cost + cost);
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

impl<M: Threads> Threads for Bounded<'_, M> {
    fn threads(&self, state: &Self::State, visit: &mut dyn FnMut(ThreadFacts)) {
        self.model.threads(&state.state, visit);
    }

    fn tally(&self, hand: &mut Hand<M>, state: &Self::State) -> Tally {
        self.model.tally(&mut hand.worker, &state.state)
    }

    fn access(&self, state: &Self::State, action: M::Action) -> Option<SharedAccess> {
        self.model.access(&state.state, action)
    }
}

impl<M: Dependence> Dependence for Bounded<'_, M> {
    type Operation = M::Operation;

    fn pending(
        &self,
        hand: &mut Hand<M>,
        state: &Self::State,
        visit: &mut dyn FnMut(u32, M::Operation),
    ) {
        self.model.pending(&mut hand.worker, &state.state, visit);
    }

    fn performed(
        &self,
        pending: &M::Operation,
        _: &Self::State,
        _: M::Action,
        _: &Delta,
        operations: &mut Vec<M::Operation>,
    ) {
        operations.push(pending.clone());
    }

    fn dependent(&self, _: &M::Operation, _: &M::Operation) -> bool {
        true
    }

    fn may_meet(&self, _: &M::Operation, _: &M::Operation) -> bool {
        true
    }
}

impl<M: Livelocks> Livelocks for Bounded<'_, M> {
    fn livelock(&self, state: &Self::State, agent: u32, states: u32) -> M::Violation {
        self.model.livelock(&state.state, agent, states)
    }

    fn progressed(&self, worker: &Self::Worker) -> bool {
        self.model.progressed(&worker.worker)
    }

    fn yields(&self, before: &Self::State, action: M::Action) -> bool {
        self.model.yields(&before.state, action)
    }

    fn circling(&self, cycle: &[(Self::State, Self::Action)]) -> M::Violation {
        let cycle: Vec<_> =
            cycle.iter().map(|(state, action)| (state.state.clone(), *action)).collect();
        self.model.circling(&cycle)
    }
}

impl<M: Learns> Learns for Bounded<'_, M> {
    fn begin_round(&self) {
        self.cut.store(false, Ordering::Relaxed);
        self.model.begin_round();
    }

    fn conclude_round(&self) {
        if !self.cut.load(Ordering::Relaxed) {
            self.model.conclude_round();
        }
    }

    fn learned(&self) -> bool {
        self.model.learned()
    }
}

/// A property of the states of a system, asked of the system within a bound.
pub struct OfStates<'a, P: ?Sized>(pub &'a P);

impl<M: Model, P: Property<M> + ?Sized> Property<Bounded<'_, M>> for OfStates<'_, P> {
    fn check(
        &self,
        model: &Bounded<'_, M>,
        hand: &mut Hand<M>,
        state: &Within<M::State>,
        last: Option<M::Action>,
        tell: &mut dyn FnMut(M::Violation),
    ) {
        self.0.check(model.model, &mut hand.worker, &state.state, last, tell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preemption_is_a_switch_that_need_not_be() {
        let cost = |agent, last, able: &[u32]| {
            Bound::Preemptions(9).cost(agent, last, able.iter().copied())
        };
        assert_eq!(cost(2, None, &[1, 2, 3]), 0);
        assert_eq!(cost(2, Some(2), &[1, 2, 2, 3]), 0);
        assert_eq!(cost(3, Some(2), &[1, 2, 2, 3]), 1);
        assert_eq!(cost(3, Some(2), &[1, 3]), 0);
    }

    #[test]
    fn a_delay_passes_over_one_agent() {
        let cost =
            |agent, last, able: &[u32]| Bound::Delays(9).cost(agent, last, able.iter().copied());
        assert_eq!(cost(3, None, &[1, 2, 3]), 0);
        assert_eq!(cost(2, Some(2), &[1, 2, 2, 3]), 0);
        assert_eq!(cost(3, Some(2), &[1, 2, 2, 3]), 1);
        // Round the end.
        assert_eq!(cost(1, Some(2), &[1, 2, 2, 3]), 2);
        assert_eq!((cost(1, Some(2), &[1, 3]), cost(3, Some(2), &[1, 3])), (1, 0));
    }
}
