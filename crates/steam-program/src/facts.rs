//! What is known of the threads in a state, without running anything: for heuristics, properties
//! and reports.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use steam_linux::kernel::Pending;
use steam_linux::objects::{LockPool, place_of};
use steam_linux::threads::ThreadState;
use steam_model::{Learns, Model, SharedAccess, Tally, ThreadFacts, Threads};
use steam_state::{Key, Notes, Place, Reading, Recorder, Space, Table, ThreadId};
use steam_sync::{Address, Objects, Operation, Thread};

use super::choices::Frozen;
use super::{Action, Program, Worker};

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wait {
    /// An operation that others must make possible.
    Operation(Operation),
    /// The end of a thread.
    Thread(ThreadId),
    /// A system call that waits.
    SystemCall,
    /// A signal that lets it go on: another one has stopped it.
    Stopped,
}

/// One thread of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadView {
    /// Its number.
    pub thread: ThreadId,
    /// Its next instruction.
    pub eip: u32,
    /// What it waits for, if it cannot go on by itself.
    pub waits: Option<Wait>,
    /// How many locks it holds.
    pub locks: u32,
    /// The address space of its process.
    pub space: Space,
}

impl Program {
    /// The threads of a state, ascending.
    pub fn view(&self, state: &Table) -> Vec<ThreadView> {
        let numbers = self.stores.state.slots.threads(Notes::Unrecorded);
        numbers.into_iter().filter_map(|thread| self.view_of(state, thread)).collect()
    }

    /// One thread of a state.
    pub fn view_of(&self, state: &Table, thread: ThreadId) -> Option<ThreadView> {
        let frozen = self.thread(state, thread)?;
        let waits = self.wait(state, thread, frozen);
        let (eip, locks, space) = (frozen.registers[8], frozen.locks, frozen.space);
        Some(ThreadView { thread, eip, waits, locks, space })
    }

    /// What a thread does next in a state.
    pub fn pending(&self, state: &Table, thread: ThreadId) -> Option<&Pending> {
        self.thread(state, thread).map(|frozen| &frozen.pending)
    }

    /// The objects that a thread holds in a state.
    pub fn held(&self, state: &Table, thread: ThreadId) -> Vec<Address> {
        let pool = LockPool::new(Arc::clone(&self.stores), state.clone(), Recorder::default());
        let mut objects = pool.all();
        objects.retain(|&place| pool.at(place).held_count(Thread(thread.0)) > 0);
        objects.into_iter().map(Place::number).collect()
    }

    /// The threads that hold the object at an address; they may have ended.
    pub fn holders(&self, state: &Table, object: Address) -> Vec<ThreadId> {
        let holders = self.objects_of(Reading::unrecorded(state)).get(object).holders();
        holders.into_iter().map(|thread| ThreadId(thread.0)).collect()
    }

    /// Whether a thread holds the object at a place.
    pub fn holds(&self, state: &Table, thread: ThreadId, place: Place) -> bool {
        let objects = self.objects_of(Reading::unrecorded(state));
        objects.get(place.number()).held_count(Thread(thread.0)) > 0
    }

    /// Whether threads have synchronised by an object at a place, in any state that was met.
    pub fn had_object(&self, place: Place) -> bool {
        let slots = &self.stores.state.slots;
        let end = place.space().at(place.address().saturating_add(1));
        !slots.objects_within(Notes::Unrecorded, place, end).is_empty()
    }

    /// The names of the objects on which threads of a state are about to operate, and of those that they hold.
    pub(super) fn object_names(&self, state: &Table, threads: &[ThreadId]) -> Vec<String> {
        let mut objects: Vec<Address> = Vec::new();
        for &thread in threads {
            objects.extend(self.held(state, thread));
            if let Some(Pending::Sync { operation, .. }) = self.pending(state, thread) {
                objects.extend(operation.objects().into_iter().flatten());
            }
        }
        objects.sort_unstable();
        objects.dedup();
        let own = objects.into_iter().map(place_of).filter(|it| it.space() != Space::SHARED);
        own.filter_map(|place| self.plain_name(place.address())).collect()
    }

    fn thread(&self, state: &Table, thread: ThreadId) -> Option<&ThreadState> {
        let id = self.unrecorded(state, Key::Thread(thread));
        (id.0 != 0).then(|| self.stores.threads.get(id))
    }

    fn wait(&self, state: &Table, thread: ThreadId, frozen: &ThreadState) -> Option<Wait> {
        if self.stores.records.get(frozen.record).stopped {
            return Some(Wait::Stopped);
        }
        match &frozen.pending {
            Pending::Sync { operation, .. } => {
                let objects = self.objects_of(Reading::unrecorded(state));
                let enabled = steam_sync::enabled(operation, Thread(thread.0), &objects);
                (!enabled).then_some(Wait::Operation(*operation))
            }
            &Pending::Join { thread, storage, .. } => {
                let target = self.thread(state, ThreadId(thread))?;
                let record = self.stores.records.get(target.record);
                record.holds_up_join(storage).then_some(Wait::Thread(ThreadId(thread)))
            }
            Pending::Waiting => {
                let record = self.stores.records.get(frozen.record);
                let endless = record.waiting().is_some_and(|waiting| waiting.deadline.is_none());
                let looker = self.looker.get_or_init(|| Mutex::new(self.worker()));
                let mut looker = looker.lock().unwrap_or_else(PoisonError::into_inner);
                let waits = endless && !self.is_enabled(&mut looker, state, thread);
                waits.then_some(Wait::SystemCall)
            }
            _ => None,
        }
    }

    /// The threads without which a thread cannot go on.
    pub fn blockers(&self, state: &Table, view: &ThreadView) -> Vec<ThreadId> {
        match &view.waits {
            Some(Wait::Operation(operation)) => {
                let objects = self.objects_of(Reading::unrecorded(state));
                let blockers = operation.blocks_on(Thread(view.thread.0), &objects);
                blockers.into_iter().map(|thread| ThreadId(thread.0)).collect()
            }
            Some(Wait::Thread(thread)) => vec![*thread],
            Some(Wait::SystemCall | Wait::Stopped) | None => Vec::new(),
        }
    }
}

impl Threads for Program {
    fn threads(&self, state: &Table, visit: &mut dyn FnMut(ThreadFacts)) {
        let mut worker = self.worker();
        self.each_thread(Reading::unrecorded(state), |frozen| {
            let able = self.is_enabled(&mut worker, state, frozen.thread);
            visit(facts(&frozen, able));
            ControlFlow::Continue(())
        });
    }

    fn tally(&self, worker: &mut Worker, state: &Table) -> Tally {
        self.kept_tally(worker, state)
    }

    fn access(&self, state: &Table, action: Action) -> Option<SharedAccess> {
        match self.pending(state, action.thread)? {
            Pending::Access { access, .. } if access.write => Some(SharedAccess::Write),
            Pending::Access { .. } => Some(SharedAccess::Read),
            _ => None,
        }
    }
}

/// What a heuristic asks about a thread that can go on or not.
pub(super) fn facts(frozen: &Frozen<'_>, able: bool) -> ThreadFacts {
    let wants = match &frozen.state.pending {
        Pending::Sync { operation, .. } => operation.acquires(),
        _ => None,
    };
    let (number, locks) = (frozen.thread.0, frozen.state.locks);
    ThreadFacts { number, alive: true, blocked: !able, locks, wants }
}

impl Learns for Program {
    fn begin_iteration(&self) {
        Program::begin_iteration(self);
    }

    fn conclude_iteration(&self) {
        Program::conclude_iteration(self);
    }

    fn learned(&self) -> bool {
        Program::learned(self)
    }
}
