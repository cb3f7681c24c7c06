//! A system in which steps that may change a proposition depend on each other.
//!
//! Why that is enough for formulas without `X`. A reduced search goes along one order of each maximal
//! execution, up to orders of independent steps that follow each other. Let a and b be two such steps; at
//! most one of them may change what holds, say a. Then in both orders what held before holds up to a, and
//! what holds after a holds from there on: the two executions differ in how often they repeat a
//! valuation, and a formula without `X` cannot distinguish them. So all orders of an execution have the same value.
//! Source sets, persistent sets and sleep sets all go along one order of each execution that comes to an
//! end: they do so for every dependence that keeps the laws of [`Dependence`], and this one does, because
//! whether an operation may change something follows from the operation alone. (To ask whether it *does*, in
//! the state at hand, would not do: of two steps that each write one half of what a proposition reads,
//! perhaps neither changes it first and each changes it second.)
//!
//! A violation that is seen before the end stays one however the execution goes on; so it is seen on
//! whichever order is gone along. An execution that is cut by a limit has no value: the end says so.

use steam_model::{Change, Changes, Delta, Dependence, Layer, Model, Observer, Property, StepOf};

/// A model and what is said of its states.
pub(super) struct Marked<'a, M, P: ?Sized> {
    pub(super) model: &'a M,
    pub(super) propositions: &'a P,
}

/// An operation, and whether it may change a proposition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark<O> {
    operation: O,
    pub(super) visible: bool,
}

impl<M: Model, P: Sync + ?Sized> Layer for Marked<'_, M, P> {
    type Inner = M;
    const SLOTS: u32 = 0;
    type State = M::State;
    type Worker = M::Worker;

    fn inner(&self) -> &M {
        self.model
    }

    fn state_within(state: &M::State) -> &M::State {
        state
    }

    fn worker_within(worker: &M::Worker) -> &M::Worker {
        worker
    }

    fn worker_within_mut(worker: &mut M::Worker) -> &mut M::Worker {
        worker
    }

    fn new_worker(&self) -> M::Worker {
        self.model.worker()
    }

    fn first_state(&self, worker: &mut M::Worker) -> M::State {
        self.model.initial(worker)
    }

    fn describe_state(&self, state: &M::State, vector: &mut Vec<u32>) {
        self.model.describe(state, vector);
    }

    fn patch_state(&self, worker: &mut M::Worker, base: &M::State, changes: &[Change]) -> M::State {
        self.model.patch(worker, base, changes)
    }

    fn make_step<O: Observer<M::Event>>(
        &self,
        worker: &mut M::Worker,
        state: &M::State,
        action: M::Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<M> {
        self.model.step(worker, state, action, delta, observer)
    }
}

impl<M: Dependence, P: Changes<M> + ?Sized> Marked<'_, M, P> {
    fn mark(&self, operation: M::Operation) -> Mark<M::Operation> {
        let visible = self.propositions.may_change(self.model, &operation);
        Mark { operation, visible }
    }
}

impl<M: Dependence, P: Changes<M> + ?Sized> Dependence for Marked<'_, M, P> {
    type Operation = Mark<M::Operation>;

    fn pending(
        &self,
        worker: &mut M::Worker,
        state: &M::State,
        visit: &mut dyn FnMut(u32, Self::Operation),
    ) {
        let mark = &mut |process, operation| visit(process, self.mark(operation));
        self.model.pending(worker, state, mark);
    }

    fn performed(
        &self,
        pending: &Self::Operation,
        before: &M::State,
        action: M::Action,
        delta: &Delta,
        operations: &mut Vec<Self::Operation>,
    ) {
        let mut own = Vec::new();
        self.model.performed(&pending.operation, before, action, delta, &mut own);
        operations.extend(own.into_iter().map(|operation| self.mark(operation)));
    }

    fn dependent(&self, one: &Self::Operation, other: &Self::Operation) -> bool {
        one.visible && other.visible || self.model.dependent(&one.operation, &other.operation)
    }

    fn clash(&self, one: &Self::Operation, other: &Self::Operation) -> Option<(u32, u32)> {
        self.model.clash(&one.operation, &other.operation)
    }

    fn may_meet(&self, one: &Self::Operation, other: &Self::Operation) -> bool {
        self.model.may_meet(&one.operation, &other.operation)
    }
}

/// A property of the states of a model, asked of the marked one.
pub(super) struct OfModel<'a, P: ?Sized>(pub(super) &'a P);

impl<M, Q, P> Property<Marked<'_, M, Q>> for OfModel<'_, P>
where
    M: Model,
    Q: Sync + ?Sized,
    P: Property<M> + ?Sized,
{
    fn check(
        &self,
        marked: &Marked<'_, M, Q>,
        worker: &mut M::Worker,
        state: &M::State,
        last: Option<M::Action>,
        tell: &mut dyn FnMut(M::Violation),
    ) {
        self.0.check(marked.model, worker, state, last, tell);
    }
}
