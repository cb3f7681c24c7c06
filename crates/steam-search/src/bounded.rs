//! A system whose schedules are bounded: those with few preemptions (Musuvathi, Qadeer: Iterative
//! context bounding, PLDI 2007) or few delays (Emmi, Qadeer, Rakamarić: Delay-bounded scheduling, POPL
//! 2011).
//!
//! The bound is made part of the system: a state knows who acted last and what the way to it cost, and
//! what would cost too much is not enabled. So every search keeps to the bound without knowing of it,
//! and a state that is reached again for less is another state. A cycle costs nothing: its switches are those that
//! have to be. Whether it is fair is judged by what could happen without the bound, so that no cycle is reported that
//! exists only because of the bound.
//!
//! A switch away from a process that can only wait costs nothing: one that has yielded, stands at a join, or waits in a
//! loop ([`Livelocks::gives_way`]). That it could go on says no more than that it could have waited on. Costs only become
//! less by that: what a bound finds by plain counting it finds so, too.
//!
//! Since what a process may do now depends
//! on all steps before, no two steps are independent: reductions have nothing to leave out.

use std::sync::atomic::{AtomicBool, Ordering};

use steam_model::{
    Change, Delta, Dependence, Layer, LayerOperations, Livelocks, Model, Observer, Property, Step,
    StepOf,
};

/// What schedules may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So many times a process may act although the last one could have gone on.
    Preemptions(u32),
    /// So many processes may be passed over. Whose turn it is: the last one's, and when that can do
    /// nothing, the next one's, round the end.
    Delays(u32),
}

impl Bound {
    fn most(self) -> u32 {
        match self {
            Self::Preemptions(most) | Self::Delays(most) => most,
        }
    }

    /// What it costs that a process acts. `able` are the processes that can act, ascending, and with
    /// repetitions; `last` is who acted last.
    fn cost(self, process: u32, last: Option<Last>, able: impl Iterator<Item = u32>) -> u32 {
        let Some(last) = last else { return 0 };
        // How far behind the last one a process comes.
        let behind = |process: u32| process.wrapping_sub(last.process);
        match self {
            Self::Preemptions(_) => {
                let mut able = able;
                let switches = process != last.process && !last.gave_way;
                u32::from(switches && able.any(|other| other == last.process))
            }
            Self::Delays(_) => {
                let mut before = None;
                let passed = able.filter(|&other| {
                    let again = before.replace(other) == Some(other);
                    let free = last.gave_way && other == last.process;
                    !again && !free && behind(other) < behind(process)
                });
                passed.count() as u32
            }
        }
    }
}

/// Who acted last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Last {
    process: u32,
    /// Whether it can only wait now, so that it costs nothing to leave it.
    gave_way: bool,
}

impl Last {
    /// As a number of a slot, where 0 is no process.
    fn number(last: Option<Self>) -> u32 {
        last.map_or(0, |last| (last.process + 1) << 1 | u32::from(last.gave_way))
    }

    fn of_number(number: u32) -> Option<Self> {
        let process = (number >> 1).checked_sub(1)?;
        Some(Self { process, gave_way: number & 1 == 1 })
    }
}

/// A system within a bound.
pub struct Bounded<'a, M> {
    model: &'a M,
    bound: Bound,
    /// Whether the bound left something out in this round.
    truncated: AtomicBool,
}

impl<'a, M: Livelocks> Bounded<'a, M> {
    /// Bounds a system.
    pub fn new(model: &'a M, bound: Bound) -> Self {
        Self { model, bound, truncated: AtomicBool::new(false) }
    }

    /// Whether the bound left something out since the round began.
    pub fn was_cut(&self) -> bool {
        self.truncated.load(Ordering::Relaxed)
    }

    fn cost(&self, state: &Within<M::State>, actions: &[M::Action], action: M::Action) -> u32 {
        let able = actions.iter().map(|action| self.model.process(*action));
        self.bound.cost(self.model.process(action), state.last, able)
    }
}

/// A state and the way to it, as far as that matters.
#[derive(Clone)]
pub struct Within<S> {
    state: S,
    /// Who acted last; no process in the beginning.
    last: Option<Last>,
    cost: u32,
}

/// What a worker needs.
pub struct Hand<M: Model> {
    worker: M::Worker,
    delta: Delta,
    actions: Vec<M::Action>,
}

impl<M: Livelocks> Layer for Bounded<'_, M> {
    type Inner = M;
    // Who acted last, and the cost.
    const SLOTS: u32 = 2;
    type State = Within<M::State>;
    type Worker = Hand<M>;

    fn inner(&self) -> &M {
        self.model
    }

    fn state_within(state: &Within<M::State>) -> &M::State {
        &state.state
    }

    fn worker_within(hand: &Hand<M>) -> &M::Worker {
        &hand.worker
    }

    fn worker_within_mut(hand: &mut Hand<M>) -> &mut M::Worker {
        &mut hand.worker
    }

    fn new_worker(&self) -> Hand<M> {
        Hand { worker: self.model.worker(), delta: Delta::new(), actions: Vec::new() }
    }

    fn first_state(&self, hand: &mut Hand<M>) -> Within<M::State> {
        Within { state: self.model.initial(&mut hand.worker), last: None, cost: 0 }
    }

    fn describe_state(&self, state: &Within<M::State>, vector: &mut Vec<u32>) {
        let mut own = Vec::new();
        self.model.describe(&state.state, &mut own);
        vector.extend([Last::number(state.last), state.cost]);
        vector.append(&mut own);
    }

    fn patch_state(
        &self,
        hand: &mut Hand<M>,
        base: &Within<M::State>,
        changes: &[Change],
    ) -> Within<M::State> {
        let (mut last, mut cost) = (base.last, base.cost);
        for change in changes {
            match change.slot {
                0 => last = Last::of_number(change.new),
                1 => cost = change.new,
                _ => {}
            }
        }
        let own: Vec<Change> = Delta::changes_without_first(changes, Self::SLOTS).collect();
        Within { state: self.model.patch(&mut hand.worker, &base.state, &own), last, cost }
    }

    fn enabled_actions(
        &self,
        hand: &mut Hand<M>,
        state: &Within<M::State>,
        actions: &mut Vec<M::Action>,
    ) {
        hand.actions.clear();
        self.model.enabled(&mut hand.worker, &state.state, &mut hand.actions);
        let most = self.bound.most();
        let before = actions.len();
        let affordable = |action: &M::Action| {
            state.cost.saturating_add(self.cost(state, &hand.actions, *action)) <= most
        };
        actions.extend(hand.actions.iter().copied().filter(affordable));
        if actions.len() - before < hand.actions.len() {
            self.truncated.store(true, Ordering::Relaxed);
        }
    }

    fn bounds_actions(&self) -> bool {
        true
    }

    fn make_step<O: Observer<M::Event>>(
        &self,
        hand: &mut Hand<M>,
        state: &Within<M::State>,
        action: M::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<M> {
        hand.actions.clear();
        self.model.enabled(&mut hand.worker, &state.state, &mut hand.actions);
        let cost = self.cost(state, &hand.actions, action);
        hand.delta.clear();
        let Hand { worker, delta: own, .. } = hand;
        let step = self.model.step(worker, &state.state, action, own, observer);
        if matches!(step, Step::Next) {
            own.normalise();
            let gave_way = self.model.gives_way(worker, &state.state, action, own);
            let last = Last { process: self.model.process(action), gave_way };
            delta.record(0, Last::number(state.last), Last::number(Some(last)));
            delta.record(1, state.cost, state.cost + cost);
            delta.record_shifted(own, Self::SLOTS);
        }
        step
    }

    fn iteration_begins(&self) {
        self.truncated.store(false, Ordering::Relaxed);
    }

    fn went_everywhere(&self) -> bool {
        !self.was_cut()
    }
}

impl<M: Dependence + Livelocks> LayerOperations for Bounded<'_, M> {
    const ALL_DEPEND: bool = true;
}

/// A property of the states of a system, asked of the system within a bound.
pub struct OfStates<'a, P: ?Sized>(pub &'a P);

impl<M: Livelocks, P: Property<M> + ?Sized> Property<Bounded<'_, M>> for OfStates<'_, P> {
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

    fn cost(bound: Bound, process: u32, last: Option<(u32, bool)>, able: &[u32]) -> u32 {
        let last = last.map(|(process, gave_way)| Last { process, gave_way });
        assert_eq!(Last::of_number(Last::number(last)), last);
        bound.cost(process, last, able.iter().copied())
    }

    #[test]
    fn a_preemption_is_a_switch_that_need_not_be() {
        let cost = |process, last: Option<u32>, able: &[u32]| {
            cost(Bound::Preemptions(9), process, last.map(|last| (last, false)), able)
        };
        assert_eq!(cost(2, None, &[1, 2, 3]), 0);
        assert_eq!(cost(2, Some(2), &[1, 2, 2, 3]), 0);
        assert_eq!(cost(3, Some(2), &[1, 2, 2, 3]), 1);
        assert_eq!(cost(3, Some(2), &[1, 3]), 0);
    }

    #[test]
    fn a_delay_passes_over_one_process() {
        let cost = |process, last: Option<u32>, able: &[u32]| {
            cost(Bound::Delays(9), process, last.map(|last| (last, false)), able)
        };
        assert_eq!(cost(3, None, &[1, 2, 3]), 0);
        assert_eq!(cost(2, Some(2), &[1, 2, 2, 3]), 0);
        assert_eq!(cost(3, Some(2), &[1, 2, 2, 3]), 1);
        // Round the end.
        assert_eq!(cost(1, Some(2), &[1, 2, 2, 3]), 2);
        assert_eq!((cost(1, Some(2), &[1, 3]), cost(3, Some(2), &[1, 3])), (1, 0));
    }

    #[test]
    fn who_gave_way_is_left_for_nothing() {
        let last = Some((2, true));
        for process in 1..=3 {
            assert_eq!(cost(Bound::Preemptions(9), process, last, &[1, 2, 3]), 0);
        }
        let delays = |process| cost(Bound::Delays(9), process, last, &[1, 2, 2, 3]);
        assert_eq!((delays(2), delays(3), delays(1)), (0, 0, 1), "the others have their turns");
    }
}
