//! Models that are made of another model: the same system with a bound on its schedules, with a monitor, or with some
//! errors left out.
//!
//! A layer says what it adds. All else is forwarded to the model within it, here and nowhere else: a method that is
//! added to one of the traits cannot be forgotten in one of the layers.

use crate::dependence::Dependence;
use crate::learns::Learns;
use crate::livelocks::Livelocks;
use crate::model::{Model, StepOf};
use crate::observer::Observer;
use crate::positions::{Positions, Standing};
use crate::tally::Tally;
use crate::threads::{SharedAccess, ThreadFacts, Threads};
use crate::vector::{Change, Delta};

/// The state of the model within a layer.
pub type StateWithin<L> = <<L as Layer>::Inner as Model>::State;
/// The worker of the model within a layer.
pub type WorkerWithin<L> = <<L as Layer>::Inner as Model>::Worker;
/// The action of a layer, which is that of the model within it.
pub type ActionOf<L> = <<L as Layer>::Inner as Model>::Action;
/// The error of a layer, which is that of the model within it.
pub type ViolationOf<L> = <<L as Layer>::Inner as Model>::Violation;
/// What comes of a step of a layer.
pub type LayerStep<L> = StepOf<<L as Layer>::Inner>;

/// A model that adds something to another one. It is a [`Model`] by what it says here.
pub trait Layer: Sync + Sized {
    /// The model within.
    type Inner: Model;
    /// How many slots of the vector are the layer's own; they come before those of the model within.
    const SLOTS: u32;
    /// A state of the model within, and what the layer knows beside it.
    type State: Clone + Send + Sync;
    /// A worker of the model within, and what the layer needs beside it.
    type Worker: Send;

    /// The model within.
    fn inner(&self) -> &Self::Inner;

    /// The state of the model within.
    fn state_within(state: &Self::State) -> &StateWithin<Self>;

    /// The worker of the model within.
    fn worker_within(worker: &Self::Worker) -> &WorkerWithin<Self>;

    /// The worker of the model within, to work with.
    fn worker_within_mut(worker: &mut Self::Worker) -> &mut WorkerWithin<Self>;

    /// [`Model::worker`].
    fn new_worker(&self) -> Self::Worker;

    /// [`Model::initial`].
    fn first_state(&self, worker: &mut Self::Worker) -> Self::State;

    /// [`Model::describe`].
    fn describe_state(&self, state: &Self::State, vector: &mut Vec<u32>);

    /// [`Model::patch`].
    fn patch_state(
        &self,
        worker: &mut Self::Worker,
        base: &Self::State,
        changes: &[Change],
    ) -> Self::State;

    /// [`Model::step`].
    fn make_step<O: Observer<<Self::Inner as Model>::Event>>(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        action: ActionOf<Self>,
        delta: &mut Delta,
        observer: &mut O,
    ) -> LayerStep<Self>;

    /// [`Model::enabled`]: unless the layer says otherwise, what the model within can do.
    fn enabled_actions(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        actions: &mut Vec<ActionOf<Self>>,
    ) {
        self.inner().enabled(Self::worker_within_mut(worker), Self::state_within(state), actions);
    }

    /// Whether the layer itself keeps actions from being done that the model within could do.
    fn bounds_actions(&self) -> bool {
        false
    }

    /// Whether a hang that the model within reports is looked for.
    fn reports_hang(&self, _: &ViolationOf<Self>) -> bool {
        true
    }

    /// A refinement iteration begins.
    fn iteration_begins(&self) {}

    /// Whether the layer has left nothing out since the iteration began.
    fn went_everywhere(&self) -> bool {
        true
    }
}

/// A layer whose steps do to what processes have in common what the steps of the model within do.
pub trait LayerOperations: Layer<Inner: Dependence> {
    /// Whether what a process may do depends on all steps before, so that no two steps are independent.
    const ALL_DEPEND: bool;
}

impl<L: Layer> Model for L {
    type State = L::State;
    type Action = ActionOf<L>;
    type Event = <L::Inner as Model>::Event;
    type Violation = ViolationOf<L>;
    type Unknown = <L::Inner as Model>::Unknown;
    type Worker = L::Worker;

    fn worker(&self) -> Self::Worker {
        self.new_worker()
    }

    fn initial(&self, worker: &mut Self::Worker) -> Self::State {
        self.first_state(worker)
    }

    fn describe(&self, state: &Self::State, vector: &mut Vec<u32>) {
        self.describe_state(state, vector);
    }

    fn patch(
        &self,
        worker: &mut Self::Worker,
        base: &Self::State,
        changes: &[Change],
    ) -> Self::State {
        self.patch_state(worker, base, changes)
    }

    fn enabled(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        actions: &mut Vec<Self::Action>,
    ) {
        self.enabled_actions(worker, state, actions);
    }

    fn possible(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        actions: &mut Vec<Self::Action>,
    ) {
        self.inner().possible(L::worker_within_mut(worker), L::state_within(state), actions);
    }

    fn is_bounded(&self) -> bool {
        self.bounds_actions() || self.inner().is_bounded()
    }

    fn step<O: Observer<Self::Event>>(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        action: Self::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self> {
        self.make_step(worker, state, action, delta, observer)
    }

    fn process(&self, action: Self::Action) -> u32 {
        self.inner().process(action)
    }

    fn justice(&self, action: Self::Action) -> u32 {
        self.inner().justice(action)
    }

    fn is_unfair(&self, action: Self::Action) -> bool {
        self.inner().is_unfair(action)
    }

    fn ignore_deadline(&self, worker: &mut Self::Worker) {
        self.inner().ignore_deadline(L::worker_within_mut(worker));
    }

    fn effort(&self, worker: &Self::Worker) -> u64 {
        self.inner().effort(L::worker_within(worker))
    }

    fn is_fatal(&self, violation: &Self::Violation) -> bool {
        self.inner().is_fatal(violation)
    }

    fn ends_search(&self, unknown: &Self::Unknown) -> bool {
        self.inner().ends_search(unknown)
    }

    fn bytes(&self) -> u64 {
        self.inner().bytes()
    }

    fn bytes_beside(&self, changes: usize) -> u64 {
        self.inner().bytes_beside(changes)
    }
}

impl<L: Layer<Inner: Threads>> Threads for L {
    fn threads(&self, state: &Self::State, visit: &mut dyn FnMut(ThreadFacts)) {
        self.inner().threads(L::state_within(state), visit);
    }

    fn tally(&self, worker: &mut Self::Worker, state: &Self::State) -> Tally {
        self.inner().tally(L::worker_within_mut(worker), L::state_within(state))
    }

    fn access(&self, state: &Self::State, action: Self::Action) -> Option<SharedAccess> {
        self.inner().access(L::state_within(state), action)
    }
}

impl<L: LayerOperations> Dependence for L {
    type Operation = <L::Inner as Dependence>::Operation;

    fn pending(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        visit: &mut dyn FnMut(u32, Self::Operation),
    ) {
        self.inner().pending(L::worker_within_mut(worker), L::state_within(state), visit);
    }

    fn performed(
        &self,
        pending: &Self::Operation,
        before: &Self::State,
        action: Self::Action,
        delta: &Delta,
        operations: &mut Vec<Self::Operation>,
    ) {
        if L::ALL_DEPEND {
            operations.push(pending.clone());
            return;
        }
        let before = L::state_within(before);
        if L::SLOTS == 0 {
            self.inner().performed(pending, before, action, delta, operations);
        } else {
            let delta = delta.without_first(L::SLOTS);
            self.inner().performed(pending, before, action, &delta, operations);
        }
    }

    fn dependent(&self, one: &Self::Operation, other: &Self::Operation) -> bool {
        L::ALL_DEPEND || self.inner().dependent(one, other)
    }

    fn clash(&self, one: &Self::Operation, other: &Self::Operation) -> Option<(u32, u32)> {
        // Where all steps depend on each other, all orders are tried, and no pair has to be asked for.
        if L::ALL_DEPEND { None } else { self.inner().clash(one, other) }
    }

    fn may_meet(&self, one: &Self::Operation, other: &Self::Operation) -> bool {
        L::ALL_DEPEND || self.inner().may_meet(one, other)
    }
}

/// A layer that keeps something of the way in its states says of none of them that it is covered.
impl<L: LayerOperations<Inner: Positions>> Positions for L {
    fn standing(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        enabled: &[Self::Action],
        standing: &mut Vec<Standing<Self::Operation>>,
    ) -> bool {
        let (worker, within) = (L::worker_within_mut(worker), L::state_within(state));
        keeps_nothing::<L>() && self.inner().standing(worker, within, enabled, standing)
    }

    fn moved(&self, before: &Self::State, delta: &Delta, visit: &mut dyn FnMut(u32, Option<u64>)) {
        if keeps_nothing::<L>() {
            self.inner().moved(L::state_within(before), delta, visit);
        }
    }

    fn awaited(&self, state: &Self::State, waiting: &Standing<Self::Operation>) -> Option<u32> {
        self.inner().awaited(L::state_within(state), waiting)
    }

    fn enables(
        &self,
        operation: &Self::Operation,
        waiting: &Self::Operation,
        awaited: bool,
    ) -> bool {
        L::ALL_DEPEND || self.inner().enables(operation, waiting, awaited)
    }
}

/// Whether the states and the order of steps of a layer are those of the model within.
fn keeps_nothing<L: LayerOperations>() -> bool {
    L::SLOTS == 0 && !L::ALL_DEPEND
}

impl<L: Layer<Inner: Livelocks>> Livelocks for L {
    fn livelock(&self, state: &Self::State, process: u32, states: u32) -> Self::Violation {
        self.inner().livelock(L::state_within(state), process, states)
    }

    fn progressed(&self, worker: &Self::Worker) -> bool {
        self.inner().progressed(L::worker_within(worker))
    }

    fn yields(&self, before: &Self::State, action: Self::Action) -> bool {
        self.inner().yields(L::state_within(before), action)
    }

    fn spins(&self, worker: &mut Self::Worker, state: &Self::State, process: u32) -> bool {
        self.inner().spins(L::worker_within_mut(worker), L::state_within(state), process)
    }

    fn gives_way(
        &self,
        worker: &mut Self::Worker,
        before: &Self::State,
        action: Self::Action,
        delta: &Delta,
    ) -> bool {
        let (worker, before) = (L::worker_within_mut(worker), L::state_within(before));
        if L::SLOTS == 0 {
            self.inner().gives_way(worker, before, action, delta)
        } else {
            self.inner().gives_way(worker, before, action, &delta.without_first(L::SLOTS))
        }
    }

    fn non_progress(&self, cycle: &[(Self::State, Self::Action)]) -> Self::Violation {
        let within = |(state, action): &(_, _)| (L::state_within(state).clone(), *action);
        let cycle: Vec<_> = cycle.iter().map(within).collect();
        self.inner().non_progress(&cycle)
    }

    fn hang(&self, worker: &mut Self::Worker, state: &Self::State) -> Option<Self::Violation> {
        let hang = self.inner().hang(L::worker_within_mut(worker), L::state_within(state));
        hang.filter(|error| self.reports_hang(error))
    }
}

impl<L: Layer<Inner: Learns>> Learns for L {
    fn begin_iteration(&self) {
        self.iteration_begins();
        self.inner().begin_iteration();
    }

    fn conclude_iteration(&self) {
        if self.went_everywhere() {
            self.inner().conclude_iteration();
        }
    }

    fn learned(&self) -> bool {
        self.inner().learned()
    }
}
