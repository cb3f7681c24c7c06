//! Operations of all families: the choices of one that can be done now, doing it, and what is known of
//! it without doing it.

use crate::barrier::BarrierCall;
use crate::choices::{Choices, Faults, Patience, SyncChoice};
use crate::condition::ConditionCall;
use crate::lock::LockCall;
use crate::misuse::Misuse;
use crate::mutex::MutexCall;
use crate::object::{Address, Objects, Thread, change, look};
use crate::rwlock::ReadWriteCall;
use crate::semaphore::SemaphoreCall;
use crate::spin::SpinCall;

/// What glibc gives a mutex, in bytes.
const MUTEX_SIZE: u32 = 24;

/// An operation on the synchronisation object at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The address of the object; for waits the condition's.
    pub address: Address,
    /// What is done to it.
    pub call: Call,
}

/// What is done to an object, by family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// To a mutex.
    Mutex(MutexCall),
    /// To a condition variable.
    Condition(ConditionCall),
    /// To a read-write lock.
    ReadWrite(ReadWriteCall),
    /// To a barrier.
    Barrier(BarrierCall),
    /// To a spin lock.
    Spin(SpinCall),
    /// To a semaphore.
    Semaphore(SemaphoreCall),
    /// To a `VLOCK` lock.
    Lock(LockCall),
}

/// What became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Done {
    /// The function returns: 0, an error number, or [`SERIAL_THREAD`](crate::SERIAL_THREAD).
    Returns(i32),
    /// `sem_getvalue` returns 0 and stores this value.
    Value(u32),
    /// The function goes on: this operation is the thread's next.
    Continues(Operation),
    /// The choice is not possible now, and nothing has changed.
    Blocked,
}

macro_rules! call_from {
    ($($family:ident: $call:ty),*) => {
        $(impl From<$call> for Call {
            fn from(call: $call) -> Self {
                Self::$family(call)
            }
        })*
    };
}

call_from!(
    Mutex: MutexCall,
    Condition: ConditionCall,
    ReadWrite: ReadWriteCall,
    Barrier: BarrierCall,
    Spin: SpinCall,
    Semaphore: SemaphoreCall,
    Lock: LockCall
);

/// Appends the choices that are possible now, ascending; none if the thread is blocked.
///
/// A misuse is a choice too: performing it reports it.
pub fn choices<O: Objects>(
    operation: &Operation,
    thread: Thread,
    objects: &O,
    faults: &Faults,
    choices: &mut Vec<SyncChoice>,
) {
    operation.choices(thread, objects).list(faults, choices);
}

/// Whether anything is possible now without a fault, at the cost of a look at the objects.
///
/// A thread that only a spurious wake-up could free counts as blocked: no program may rely on one.
pub fn enabled<O: Objects>(operation: &Operation, thread: Thread, objects: &O) -> bool {
    operation.choices(thread, objects).any()
}

/// Does the operation as chosen. After a misuse the objects are as before.
pub fn perform<O: Objects>(
    operation: &Operation,
    choice: SyncChoice,
    thread: Thread,
    objects: &mut O,
) -> Result<Done, Misuse> {
    if !operation.choices(thread, objects).contains(choice) {
        return Ok(Done::Blocked);
    }
    let address = operation.address;
    match operation.call {
        Call::Mutex(call) => change(objects, address, thread, |state| call.perform(state, thread)),
        Call::Condition(call) => call.perform(address, choice, thread, objects),
        Call::ReadWrite(call) => {
            change(objects, address, thread, |state| call.perform(state, thread))
        }
        Call::Barrier(call) => call.perform(address, thread, objects),
        Call::Spin(call) => change(objects, address, thread, |state| call.perform(state, thread)),
        Call::Semaphore(call) => change(objects, address, thread, |state| Ok(call.perform(state))),
        Call::Lock(call) => change(objects, address, thread, |state| call.perform(state, thread)),
    }
}

impl Operation {
    /// An operation on the object at an address.
    pub fn new(address: Address, call: impl Into<Call>) -> Self {
        Self { address, call: call.into() }
    }

    fn choices<O: Objects>(&self, thread: Thread, objects: &O) -> Choices {
        let address = self.address;
        let choices = match self.call {
            Call::Mutex(call) => look(objects, address, |state| call.choices(state, thread)),
            Call::Condition(call) => Some(call.choices(address, thread, objects)),
            Call::ReadWrite(call) => look(objects, address, |state| call.choices(state, thread)),
            Call::Barrier(call) => Some(call.choices(address, thread, objects)),
            Call::Spin(call) => look(objects, address, |state| call.choices(state)),
            Call::Semaphore(call) => look(objects, address, |state| call.choices(state)),
            Call::Lock(call) => look(objects, address, |state| call.choices(state)),
        };
        // An object of another family in its place is a misuse, which performing reports.
        choices.unwrap_or(Choices::USUAL)
    }

    /// Takes a cancelled thread out of the second half of its wait for a condition; what is left
    /// for it to do before it unwinds is to get the mutex back.
    pub fn abandon<O: Objects>(&self, thread: Thread, objects: &mut O) -> Option<Self> {
        match self.call {
            Call::Condition(call) => call.abandon(self.address, thread, objects),
            _ => None,
        }
    }

    /// Whether a request of `steam.h` asks for it: its thread then stands after an instruction, not at a function.
    pub fn is_request(&self) -> bool {
        match self.call {
            Call::Lock(_) => true,
            Call::Mutex(_)
            | Call::Condition(_)
            | Call::ReadWrite(_)
            | Call::Barrier(_)
            | Call::Spin(_)
            | Call::Semaphore(_) => false,
        }
    }

    /// The function's name in C.
    pub fn name(&self) -> &'static str {
        match self.call {
            Call::Mutex(call) => call.name(),
            Call::Condition(call) => call.name(),
            Call::ReadWrite(call) => call.name(),
            Call::Barrier(call) => call.name(),
            Call::Spin(call) => call.name(),
            Call::Semaphore(call) => call.name(),
            Call::Lock(call) => call.name(),
        }
    }

    /// The addresses of the objects that it touches.
    pub fn objects(&self) -> [Option<Address>; 2] {
        let second = match self.call {
            Call::Condition(call) => call.wait().map(|wait| wait.mutex),
            _ => None,
        };
        [Some(self.address), second]
    }

    /// The address of the mutex or read-write lock that it takes or gives up.
    pub fn lock(&self) -> Option<Address> {
        match self.call {
            Call::Mutex(MutexCall::Lock(..) | MutexCall::Unlock(_))
            | Call::ReadWrite(
                ReadWriteCall::Read(_) | ReadWriteCall::Write(_) | ReadWriteCall::Unlock,
            ) => Some(self.address),
            Call::Condition(call) => call.wait().map(|wait| wait.mutex),
            _ => None,
        }
    }

    /// The addresses of the objects that it touches, each with the number of bytes that glibc gives it. Who overwrites
    /// one of these makes another object of it. What `VLOCK` locks has no bytes.
    pub fn extents(&self) -> impl Iterator<Item = (Address, u32)> {
        let size = match self.call {
            Call::Mutex(_) => Some(MUTEX_SIZE),
            Call::Condition(_) => Some(48),
            Call::ReadWrite(_) => Some(32),
            Call::Barrier(_) => Some(20),
            Call::Semaphore(_) => Some(16),
            Call::Spin(_) => Some(4),
            Call::Lock(_) => None,
        };
        let [first, second] = self.objects();
        let second = second.map(|mutex| (mutex, MUTEX_SIZE));
        first.zip(size).into_iter().chain(second)
    }

    /// Whether it only gives up what the thread holds, so that it may be invisible where nothing
    /// [`observes`](Self::observes) that object.
    pub fn is_release(&self) -> bool {
        matches!(
            self.call,
            Call::Mutex(MutexCall::Unlock(_))
                | Call::ReadWrite(ReadWriteCall::Unlock)
                | Call::Spin(SpinCall::Unlock)
                | Call::Lock(LockCall::Unlock)
        )
    }

    /// The address of the object of which it sees whether it is free, without waiting for that.
    pub fn observes(&self) -> Option<Address> {
        let observes = match self.call {
            Call::Mutex(call) => call.observes(),
            Call::ReadWrite(call) => call.observes(),
            Call::Spin(call) => call.observes(),
            Call::Semaphore(call) => call.observes(),
            Call::Condition(_) | Call::Barrier(_) | Call::Lock(_) => false,
        };
        observes.then_some(self.address)
    }

    /// The same without operations that begin or end the life of an object, which is an error while
    /// a thread has it.
    pub fn tries(&self) -> Option<Address> {
        let makes = matches!(
            self.call,
            Call::Mutex(MutexCall::Initialise | MutexCall::Destroy)
                | Call::ReadWrite(ReadWriteCall::Initialise | ReadWriteCall::Destroy)
                | Call::Spin(SpinCall::Initialise | SpinCall::Destroy)
        );
        self.observes().filter(|_| !makes)
    }

    /// Whether the operation is a wait that may end because its time is over.
    pub fn is_timed(&self) -> bool {
        match self.call {
            Call::Mutex(MutexCall::Lock(_, patience))
            | Call::ReadWrite(ReadWriteCall::Read(patience) | ReadWriteCall::Write(patience))
            | Call::Semaphore(SemaphoreCall::Wait(patience)) => patience == Patience::Timed,
            Call::Condition(ConditionCall::Wait(wait) | ConditionCall::Return(wait)) => wait.timed,
            _ => false,
        }
    }

    /// The object that the operation waits for, as long as it takes, and then has.
    pub fn acquires(&self) -> Option<Address> {
        match self.call {
            Call::Mutex(MutexCall::Lock(_, Patience::Endless))
            | Call::ReadWrite(
                ReadWriteCall::Read(Patience::Endless) | ReadWriteCall::Write(Patience::Endless),
            )
            | Call::Spin(SpinCall::Lock)
            | Call::Semaphore(SemaphoreCall::Wait(Patience::Endless))
            | Call::Lock(LockCall::Lock) => Some(self.address),
            Call::Condition(ConditionCall::Relock(wait, _)) => Some(wait.mutex),
            _ => None,
        }
    }

    /// The threads all of which must give something up before this operation can be done.
    ///
    /// None if it can be done now, or if it waits for what any thread might do: a signal, a
    /// post, an arrival. A thread that waits for itself is its own blocker.
    pub fn blocks_on<O: Objects>(&self, thread: Thread, objects: &O) -> Vec<Thread> {
        let choices = self.choices(thread, objects);
        if choices.any() || choices.spurious {
            return Vec::new();
        }
        let held = match self.call {
            Call::Condition(call) => call.wait().map_or(self.address, |wait| wait.mutex),
            _ => self.address,
        };
        objects.get(held).holders()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Patience;
    use crate::condition::Wait;
    use crate::mutex::MutexType;

    fn operation(call: impl Into<Call>) -> Operation {
        Operation::new(8, call)
    }

    fn lock(patience: Patience) -> Operation {
        operation(MutexCall::Lock(MutexType::default(), patience))
    }

    #[test]
    fn names_are_those_of_c() {
        assert_eq!(lock(Patience::Endless).name(), "pthread_mutex_lock");
        assert_eq!(lock(Patience::Never).name(), "pthread_mutex_trylock");
        assert_eq!(operation(ReadWriteCall::Write(Patience::Timed)).name(), {
            "pthread_rwlock_timedwrlock"
        });
        assert_eq!(operation(BarrierCall::Leave).name(), "pthread_barrier_wait");
        assert_eq!(operation(SemaphoreCall::Value).name(), "sem_getvalue");
        assert_eq!(operation(LockCall::Unlock).name(), "VUNLOCK");
    }

    #[test]
    fn a_wait_touches_two_objects() {
        let wait = Wait { mutex: 24, attributes: MutexType::default(), timed: false };
        for call in
            [ConditionCall::Wait(wait), ConditionCall::Return(wait), ConditionCall::Relock(wait, 0)]
        {
            assert_eq!(operation(call).objects(), [Some(8), Some(24)]);
        }
        assert_eq!(operation(ConditionCall::Signal).objects(), [Some(8), None]);
    }

    #[test]
    fn releases_and_observers_are_told_apart() {
        let unlock = operation(MutexCall::Unlock(MutexType::default()));
        assert!(unlock.is_release());
        assert_eq!(unlock.observes(), None);
        assert_eq!(lock(Patience::Endless).observes(), None);
        for observer in [
            lock(Patience::Never),
            lock(Patience::Timed),
            operation(MutexCall::Destroy),
            operation(ReadWriteCall::Read(Patience::Never)),
            operation(SpinCall::Try),
            operation(SemaphoreCall::Value),
        ] {
            assert!(!observer.is_release());
            assert_eq!(observer.observes(), Some(8), "{}", observer.name());
        }
        assert!(!operation(SemaphoreCall::Post).is_release());
    }

    #[test]
    fn an_operation_is_small() {
        assert!(size_of::<Operation>() <= 32);
        assert!(size_of::<crate::Object>() <= 40);
    }
}
