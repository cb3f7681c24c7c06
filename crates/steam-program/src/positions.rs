//! Where threads stand, for stubborn sets, and which states these may be used in.
//!
//! A thread's position is a function of its own component alone: the instruction, the stack pointer and what is pending. So
//! no other thread changes it without changing the component.
//!
//! A state is *covered* if all that may happen next is what is pending, of the threads of one process. Where signals,
//! handlers, timers, cancellation, limits of time, other processes, or what only a property observes may interfere, it is not, and
//! all of its actions are explored. The same holds where a thread may touch anything.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use steam_linux::kernel::{AtomicBlock, Cancellation};
use steam_linux::threads::ThreadState;
use steam_model::{Delta, Dependence, Positions, Standing};
use steam_state::{Component, Context, Key, Reading, Space, Table, ThreadId};
use steam_sync::{
    Call, ConditionCall, LockCall, MutexCall, Object, Objects, Operation, ReadWriteCall,
    SemaphoreCall, SpinCall, SyncChoice,
};
use steam_visibility::{Discipline, Fact, OthersFact};

use super::action::Choice;
use super::choices::Frozen;
use super::races::EIP;
use super::{Action, Granularity, Program, Touch, Worker};

/// What makes it matter in other ways than by what is pending when a thread does something.
const UNCOVERED: &[Fact] = &[
    Fact::Others(OthersFact::ObservesThreadEnd),
    Fact::Others(OthersFact::ObservesProcessEnd),
    Fact::Others(OthersFact::EndsProcess),
    Fact::Others(OthersFact::SendsSignals),
    Fact::Others(OthersFact::ChangesInHandler),
    Fact::Others(OthersFact::AbandonsInHandler),
    Fact::Others(OthersFact::RunsHandlers),
    Fact::Others(OthersFact::CancelsThreads),
    Fact::Others(OthersFact::ReadsClock),
    Fact::Others(OthersFact::Withdraws),
    Fact::Others(OthersFact::DetachesJoined),
];

/// The position of a thread.
fn position(thread: &ThreadState) -> u64 {
    let mut hasher = DefaultHasher::new();
    let [eip, esp] = [EIP, Context::ESP].map(|register| thread.registers[register]);
    (eip, esp, &thread.pending).hash(&mut hasher);
    hasher.finish()
}

/// The operation on synchronisation objects that a step does.
fn operation_of(touch: &Touch) -> Option<&Operation> {
    match touch {
        Touch::Object(operation) => Some(operation),
        Touch::AtomicBlock(atomic_block) => Some(&atomic_block.operation),
        _ => None,
    }
}

/// The mutex that an operation has to get before it can be done.
fn mutex_of(operation: &Operation) -> Option<steam_sync::Address> {
    match operation.call {
        Call::Mutex(MutexCall::Lock(..)) => Some(operation.address),
        Call::Condition(ConditionCall::Return(wait) | ConditionCall::Relock(wait, _)) => {
            Some(wait.mutex)
        }
        _ => None,
    }
}

/// Whether an operation takes something or waits, so that it makes nothing possible for those who wait for anything but
/// the mutex that it gives up meanwhile.
fn only_takes(call: &Call) -> bool {
    match call {
        Call::Mutex(call) => matches!(call, MutexCall::Lock(..)),
        Call::Condition(call) => matches!(
            call,
            ConditionCall::Wait(_) | ConditionCall::Return(_) | ConditionCall::Relock(..)
        ),
        Call::ReadWrite(call) => matches!(call, ReadWriteCall::Read(_) | ReadWriteCall::Write(_)),
        Call::Spin(call) => matches!(call, SpinCall::Lock | SpinCall::Try),
        Call::Semaphore(call) => matches!(call, SemaphoreCall::Wait(_) | SemaphoreCall::Value),
        Call::Lock(call) => matches!(call, LockCall::Lock),
        Call::Barrier(_) => false,
    }
}

/// Whether an operation of one who does not hold a mutex leaves it to its owner: all that threads usually do.
fn leaves_to_owner(call: &Call) -> bool {
    match call {
        Call::Mutex(call) => matches!(call, MutexCall::Lock(..) | MutexCall::Unlock(_)),
        Call::Condition(_) => true,
        _ => false,
    }
}

impl Program {
    /// Whether what is pending is all that matters in this program.
    fn is_covered(&self) -> bool {
        let sharing = &self.stores.sharing;
        self.options.granularity == Granularity::Shared
            && !self.options.privacy
            && !self.options.composed
            && matches!(self.options.discipline, Discipline::Ignored | Discipline::Used)
            && self.observed.is_none()
            && !self.judges_operations
            && !self.says_atomic
            && !sharing.observes()
            && !sharing.is_copied()
            && !sharing.ends_process()
            && !sharing.knows_any(UNCOVERED)
    }

    /// Whether what a thread may do next is what it has pending.
    fn stands_covered(&self, frozen: &Frozen<'_>, touch: &Touch) -> bool {
        frozen.state.space == Space::FIRST
            && frozen.state.atomic_block == AtomicBlock::None
            && frozen.record.cancellation != Cancellation::Asked
            && !frozen.record.stopped
            && !frozen.is_timed()
            && *touch != Touch::Everything
    }
}

impl Positions for Program {
    fn standing(
        &self,
        worker: &mut Worker,
        state: &Table,
        enabled: &[Action],
        standing: &mut Vec<Standing<Touch>>,
    ) -> bool {
        let usual =
            |action: &Action| matches!(action.chosen(), Choice::Operation(SyncChoice::Usual(_)));
        let mut covered = self.is_covered() && enabled.iter().all(usual);
        Dependence::pending(self, worker, state, &mut |process, touch| {
            // Whether others can observe it depends on the objects, and what a thread does at a place must not.
            let operation = match touch {
                Touch::Idle(operation) => Touch::Object(operation),
                touch => touch,
            };
            standing.push(Standing { process, position: 0, operation });
        });
        let mut own = standing.iter_mut();
        self.each_thread(Reading::unrecorded(state), |frozen| {
            if let Some(it) = own.next() {
                it.position = position(frozen.state);
                covered &= it.process == frozen.thread.0;
                covered &= self.stands_covered(&frozen, &it.operation);
            }
            ControlFlow::Continue(())
        });
        let process = self.unrecorded(state, Key::Process(Space::FIRST));
        covered && !self.stores.processes.get(process).has_own_handlers()
    }

    fn moved(&self, _: &Table, delta: &Delta, visit: &mut dyn FnMut(u32, Option<u64>)) {
        for change in delta.changes() {
            if let Key::Thread(thread) = self.key_of(change.slot) {
                let lives = change.new != 0;
                let position = || position(self.stores.threads.get(Component(change.new)));
                visit(thread.0, lives.then(position));
            }
        }
    }

    fn awaited(&self, state: &Table, waiting: &Standing<Touch>) -> Option<u32> {
        if let Touch::Join(thread) = waiting.operation {
            let lives =
                thread != ThreadId(0) && self.frozen(Reading::unrecorded(state), thread).is_some();
            return lives.then_some(thread.0);
        }
        let mutex = mutex_of(operation_of(&waiting.operation)?)?;
        let objects = self.objects_of(Reading::unrecorded(state));
        let owner = match objects.get(mutex) {
            object @ Object::Mutex(_) => object.owner()?,
            _ => return None,
        };
        // Who waits for itself is not helped by itself.
        (owner.0 != waiting.process).then_some(owner.0)
    }

    fn enables(&self, operation: &Touch, waiting: &Touch, awaited: bool) -> bool {
        if !self.dependent(operation, waiting) && !self.dependent(waiting, operation) {
            return false;
        }
        let helpless = |call: &Call| if awaited { leaves_to_owner(call) } else { only_takes(call) };
        match operation {
            Touch::Join(_) => false,
            Touch::Gave { .. } | Touch::Ended(_) => !awaited,
            it => !operation_of(it).is_some_and(|it| helpless(&it.call)),
        }
    }
}
