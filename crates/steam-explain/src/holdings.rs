//! Who holds what, and since which line.

use std::collections::{BTreeMap, BTreeSet};

use steam_program::{Event, Program};
use steam_report::remembered_stack;
use steam_state::{Table, ThreadId};
use steam_sync::{
    Address, Call, ConditionCall, LockCall, MutexCall, Operation, ReadWriteCall, SpinCall,
};
use steam_trail::Place;

use crate::places::users_place;

/// What all threads hold.
#[derive(Default)]
pub struct Holdings {
    /// The place at which an object was taken, by thread and address.
    taken: BTreeMap<(ThreadId, Address), Place>,
}

impl Holdings {
    /// What a thread holds, by address, and where it took it.
    pub fn of(&self, thread: ThreadId) -> impl Iterator<Item = (Address, &Place)> {
        let all = self.taken.range((thread, 0)..=(thread, Address::MAX));
        all.map(|(&(_, address), place)| (address, place))
    }

    /// Follows the events of a step that led to a state.
    pub fn follow(&mut self, program: &Program, state: &Table, events: &[Event]) {
        for (thread, operation, place) in operations(program, events) {
            self.apply(thread, &operation, place);
        }
        for thread in threads(events) {
            let held = program.held(state, thread);
            self.taken.retain(|&(holder, address), _| holder != thread || held.contains(&address));
        }
    }

    /// Follows the events of a step that led nowhere: from the operations alone, and from what
    /// others held before.
    pub fn guess(&mut self, program: &Program, before: &Table, events: &[Event]) {
        for (thread, operation, place) in operations(program, events) {
            let objects = operation.objects().into_iter().flatten();
            let elsewhere = objects.last().is_some_and(|address| {
                // Also by a thread that has ended.
                program.holders(before, address).iter().any(|holder| *holder != thread)
            });
            if !(takes(&operation) && elsewhere) {
                self.apply(thread, &operation, place);
            }
        }
    }

    /// Notes what an operation takes and gives up. Where something was taken counts, not where it
    /// was taken again.
    fn apply(&mut self, thread: ThreadId, operation: &Operation, place: Place) {
        let Some(address) = operation.objects().into_iter().flatten().last() else { return };
        if takes(operation) {
            self.taken.entry((thread, address)).or_insert(place);
        } else if gives_up(operation) {
            self.taken.remove(&(thread, address));
        }
    }
}

/// The threads that did synchronisation operations.
fn threads(events: &[Event]) -> BTreeSet<ThreadId> {
    let thread = |event: &Event| match event {
        Event::Synchronised { thread, .. } => Some(*thread),
        _ => None,
    };
    events.iter().filter_map(thread).collect()
}

/// The synchronisation operations of a step, with who did them and where.
fn operations<'a>(
    program: &'a Program,
    events: &'a [Event],
) -> impl Iterator<Item = (ThreadId, Operation, Place)> + 'a {
    events.iter().filter_map(|event| match event {
        Event::Synchronised { operation, thread, eip, callers } => {
            let stack = remembered_stack(program.image(), *eip, callers);
            Some((*thread, *operation, users_place(&stack)))
        }
        _ => None,
    })
}

/// Whether an operation takes its last object.
fn takes(operation: &Operation) -> bool {
    matches!(
        operation.call,
        Call::Mutex(MutexCall::Lock(..))
            | Call::ReadWrite(ReadWriteCall::Read(_) | ReadWriteCall::Write(_))
            | Call::Spin(SpinCall::Lock | SpinCall::Try)
            | Call::Lock(LockCall::Lock)
            | Call::Condition(ConditionCall::Return(_) | ConditionCall::Relock(..))
    )
}

/// Whether an operation gives its last object up.
fn gives_up(operation: &Operation) -> bool {
    operation.is_release() || matches!(operation.call, Call::Condition(ConditionCall::Wait(_)))
}
