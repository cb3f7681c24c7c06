//! With which choices a thread can go on: look-ups in its pending operation.
//!
//! Nothing is thawed for it, but where a thread waits in a system call.

use std::ops::ControlFlow;

use steam_linux::kernel::{
    AtomicBlock, Cancellation, Disposition, Pending, Reason, SignalInfo, ThreadRecord,
};
use steam_linux::objects::place_of;
use steam_linux::signals;
use steam_linux::stores::GuestStores;
use steam_linux::system::Viewer;
use steam_linux::threads::ThreadState;
use steam_state::{Component, Key, Part, Reading, Space, Table, ThreadId};
use steam_sync::{Address, Call, ConditionCall, Object, Objects, SyncChoice, Thread};
use vm_isa::request::Request;

use super::action::Choice;
use super::cancel;
use super::{Program, Worker, toss};

/// The synchronisation objects of a frozen state, to be looked at. They are borrowed: at a reference
/// count of their own workers would wait for each other.
pub(super) struct FrozenObjects<'a> {
    stores: &'a GuestStores,
    state: Reading<'a>,
}

impl Objects for FrozenObjects<'_> {
    type Reading<'b>
        = &'b Object
    where
        Self: 'b;

    fn get(&self, address: Address) -> &Object {
        let key = Key::Object(place_of(address));
        self.stores.objects.get(self.stores.state.component(self.state, key))
    }

    fn set(&mut self, _: Address, _: Object) {}
}

/// Whether this choice is an unfair action: a wait may end without a signal, and need not.
pub(super) fn is_unfair(choice: Choice) -> bool {
    choice == Choice::SPURIOUS
}

/// Whether a thread that has these choices does not depend on others.
pub(super) fn can_go_on(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| !is_unfair(*choice))
}

/// Whether a thread does what it has pending before a handler can come: after a request nothing would be met
/// again after the handler, nor would an instruction that has stored something.
pub(super) fn is_halfway(pending: &Pending, partial: &[Part]) -> bool {
    match pending {
        Pending::Request { .. } => true,
        Pending::Access { .. } => partial.contains(&Part::Wrote),
        _ => false,
    }
}

/// A thread of a frozen state.
pub(super) struct Frozen<'a> {
    pub(super) thread: ThreadId,
    pub(super) state: &'a ThreadState,
    pub(super) record: &'a ThreadRecord,
}

impl Frozen<'_> {
    /// Whether what the thread has pending may end because its time is over.
    pub(super) fn is_timed(&self) -> bool {
        match &self.state.pending {
            Pending::Sync { operation, .. } => operation.is_timed(),
            Pending::Waiting => {
                self.record.waiting().is_some_and(|waiting| waiting.deadline.is_some())
            }
            _ => false,
        }
    }

    /// Whether the thread waits in a system call that Linux may end although no thread woke it.
    fn waits_at_futex(&self) -> bool {
        let waiting = self.record.waiting();
        waiting.is_some_and(|waiting| matches!(waiting.reason, Reason::Futex { .. }))
    }

    /// Whether the thread stands within what runs as a whole, only because there are several choices
    /// to go on: no other thread may come between.
    pub(super) fn is_midway(&self) -> bool {
        if self.state.atomic_block == AtomicBlock::None {
            return false;
        }
        match &self.state.pending {
            Pending::Request { number, .. } => Request::from_number(*number) == Some(Request::Toss),
            Pending::Sync { operation, .. } => {
                matches!(operation.call, Call::Condition(ConditionCall::Signal))
            }
            _ => false,
        }
    }
}

impl Program {
    /// The synchronisation objects of a state.
    pub(super) fn objects_of<'a>(&'a self, state: Reading<'a>) -> FrozenObjects<'a> {
        FrozenObjects { stores: &self.stores, state }
    }

    /// The component that a state has for a key, for what is part of no step.
    pub(super) fn unrecorded(&self, state: &Table, key: Key) -> Component {
        self.stores.state.component(Reading::unrecorded(state), key)
    }

    /// A thread of a state.
    pub(super) fn frozen(&self, state: Reading<'_>, thread: ThreadId) -> Option<Frozen<'_>> {
        let id = self.stores.state.component(state, Key::Thread(thread));
        (id != Component(0)).then(|| {
            let state = self.stores.threads.get(id);
            Frozen { thread, state, record: self.stores.records.get(state.record) }
        })
    }

    /// A thread that lives in a state: who asks, which is no part of a step, has it from there.
    #[track_caller]
    pub(super) fn living(&self, state: &Table, thread: ThreadId) -> Frozen<'_> {
        self.frozen(Reading::unrecorded(state), thread)
            .expect("a thread that is to do something lives")
    }

    /// What lies in a slot of a state.
    pub(super) fn key_of(&self, slot: u32) -> Key {
        self.stores.state.slots.key(slot).expect("what lies in a slot has registered it")
    }

    /// Goes through the threads of a state, ascending, until it is enough.
    pub(super) fn each_thread<'a>(
        &'a self,
        state: Reading<'_>,
        mut visit: impl FnMut(Frozen<'a>) -> ControlFlow<()>,
    ) {
        for thread in 1..=self.stores.state.slots.highest_thread() {
            if let Some(frozen) = self.frozen(state, ThreadId(thread))
                && visit(frozen).is_break()
            {
                return;
            }
        }
    }

    /// Whether signals of a state wait for whoever takes them.
    pub(super) fn has_shared_signals(&self, state: &Table) -> bool {
        let mut processes = self.stores.state.slots.processes();
        processes.any(|space| !self.shared_signals(state, space).is_empty())
    }

    /// The signals of a state that wait for whoever takes them in a process. That is not noted as
    /// something that a thread depends on: who keeps what threads can do looks at this for all of
    /// them.
    pub(super) fn shared_signals(&self, state: &Table, space: Space) -> &[SignalInfo] {
        let slot = self.stores.state.slots.find(Key::Process(space));
        let id = slot.map_or(Component(0), |slot| state.get(slot));
        &self.stores.processes.get(id).pending
    }

    /// Whether a thread takes its next signal before it does anything else.
    fn is_signal_due(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        let space = frozen.state.space;
        let threads = || {
            let threads = 1..=self.stores.state.slots.highest_thread();
            let threads = threads.filter_map(|thread| self.frozen(state, ThreadId(thread)));
            threads.filter(|it| it.state.space == space).map(|it| (it.thread, it.record))
        };
        let shared = self.shared_signals(state.table(), space);
        signals::is_due(frozen.thread, frozen.record, shared, threads)
    }

    /// Whether it makes a difference which thread of a process takes the next signal of this one: a handler
    /// of the program runs.
    fn is_signal_handled(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        let process = self.stores.state.component(state, Key::Process(frozen.state.space));
        let process = self.stores.processes.get(process);
        let signal = signals::next_of(frozen.record, &process.pending);
        let action = signal.map(|signal| process.action(signal).disposition);
        matches!(action, Some(Disposition::Handler(_)))
    }

    /// Whether a signal waits for a thread.
    pub(super) fn has_signal(&self, state: &Table, frozen: &Frozen<'_>) -> bool {
        let record = frozen.record;
        let shared = self.shared_signals(state, frozen.state.space);
        let mut pending = record.pending.iter().chain(shared);
        pending.any(|info| signals::bit(info.number) & signals::taken(record) != 0)
    }

    /// Appends the choices with which a thread can go on, ascending.
    pub(super) fn choices(
        &self,
        worker: &mut Worker,
        state: &Table,
        frozen: &Frozen<'_>,
        choices: &mut Vec<Choice>,
    ) {
        if frozen.record.stopped {
            if self.has_signal(state, frozen) && self.is_signal_due(worker.reading(state), frozen) {
                choices.push(Choice::Delivery);
            }
            return;
        }
        self.own_choices(worker, state, frozen, choices);
        let (waits, state) = (!can_go_on(choices), worker.reading(state));
        self.offer_timers(state, frozen, waits, choices);
        self.offer_expirations(state, frozen, choices);
    }

    /// The same without a timer.
    fn own_choices(
        &self,
        worker: &mut Worker,
        state: &Table,
        frozen: &Frozen<'_>,
        choices: &mut Vec<Choice>,
    ) {
        let pending = &frozen.state.pending;
        let takes = !is_halfway(pending, &frozen.state.partial) && self.has_signal(state, frozen);
        let due = takes && self.is_signal_due(worker.reading(state), frozen);
        // A signal may come late (`postponed.rs`).
        self.choices_without_signals(worker, state, frozen, choices);
        let state = worker.reading(state);
        if due || takes && self.is_signal_handled(state, frozen) {
            choices.push(Choice::Delivery);
            if self.ends_wait(state, frozen) {
                choices.push(Choice::Interruption);
            }
            choices.sort_unstable();
        }
    }

    /// The same without signals too.
    fn choices_without_signals(
        &self,
        worker: &mut Worker,
        state: &Table,
        frozen: &Frozen<'_>,
        choices: &mut Vec<Choice>,
    ) {
        let thread = frozen.thread;
        let mut offer = |choice| choices.push(choice);
        let usual = |number| Choice::Operation(SyncChoice::Usual(number));
        match &frozen.state.pending {
            Pending::Continue | Pending::Cut | Pending::Access { .. } | Pending::Function(_) => {
                offer(Choice::USUAL)
            }
            Pending::SystemCall => {
                offer(Choice::USUAL);
                if self.may_leap(worker.reading(state), frozen) {
                    offer(Choice::Leap);
                }
            }
            Pending::Sync { operation, second_half, .. } => {
                let state = Reading::recorded(state, &worker.machine.system.recorder);
                let objects = self.objects_of(state);
                let faults = &self.options.faults;
                worker.sync_choices.clear();
                steam_sync::choices(
                    operation,
                    Thread(thread.0),
                    &objects,
                    faults,
                    &mut worker.sync_choices,
                );
                worker.sync_choices.iter().copied().map(Choice::Operation).for_each(&mut offer);
                let asked = frozen.record.cancellation == Cancellation::Asked;
                if asked
                    && cancel::is_point(operation)
                    && (*second_half || worker.sync_choices.is_empty())
                {
                    offer(Choice::Cancellation);
                }
            }
            &Pending::Join { thread, storage, .. } => {
                if !self.holds_up_join(worker.reading(state), ThreadId(thread), storage) {
                    offer(Choice::USUAL);
                } else if frozen.record.cancellation == Cancellation::Asked {
                    offer(Choice::Cancellation);
                }
            }
            Pending::Waiting => {
                let timed =
                    frozen.record.waiting().is_some_and(|waiting| waiting.deadline.is_some());
                let space = frozen.state.space;
                worker.attach(state, space);
                let system = &worker.machine.system;
                let viewer = Viewer::new(space, frozen.record);
                if system.can_go_on(space, frozen.record) {
                    let ends = frozen
                        .record
                        .waiting()
                        .map_or(1, |waiting| system.wait_ends(viewer, waiting));
                    (0..ends).map(usual).for_each(offer);
                } else {
                    if timed {
                        offer(Choice::TIME_OVER);
                    }
                    if self.options.faults.spurious_wakeups && frozen.waits_at_futex() {
                        offer(Choice::SPURIOUS);
                    }
                }
            }
            &Pending::Request { number, argument } => match Request::from_number(number) {
                Some(Request::Toss) => {
                    (0..=toss::last_choice(argument)).map(usual).for_each(offer);
                }
                _ => offer(Choice::USUAL),
            },
        }
    }

    /// Whether a thread can do something in a state, on which it can count; not if there is no such thread.
    pub fn is_enabled(&self, worker: &mut Worker, state: &Table, thread: ThreadId) -> bool {
        let Some(frozen) = self.frozen(worker.reading(state), thread) else { return false };
        let mut choices = std::mem::take(&mut worker.choices);
        choices.clear();
        self.choices(worker, state, &frozen, &mut choices);
        let enabled = can_go_on(&choices);
        worker.choices = choices;
        enabled
    }

    /// Whether a join of the thread whose thread-local storage lies at an address has to wait.
    pub(super) fn holds_up_join(&self, state: Reading<'_>, thread: ThreadId, storage: u32) -> bool {
        let frozen = self.frozen(state, thread);
        frozen.is_some_and(|it| it.record.holds_up_join(storage))
    }
}
