//! Synchronisation objects as pure values: what an operation may do now, and what it does.
//!
//! The meaning of pthread mutexes, condition variables, read-write locks, barriers, spin locks,
//! POSIX semaphores and of StEAM's `VLOCK`, as POSIX states it and glibc 2.36 implements it. No
//! guest memory and no processor: the caller decodes a call into an [`Operation`], asks
//! [`choices()`] how it can be done now (none: the thread is blocked), and lets
//! [`perform`] do it on its [`Objects`].
//!
//! Three decisions shape all families:
//!
//! * **No queues.** Whoever waits is either blocked in front of its operation or in a sorted set;
//!   any of them may be next. Histories that differ only in the order of arrival give equal
//!   objects.
//! * **Nothing to say is [`Object::Idle`].** An unlocked mutex, a condition without waiters and a
//!   semaphore at 0 are the same value, so that equal states are equal vectors.
//! * **Who was woken is not stored.** A thread at the second half of a wait that is no longer
//!   among the waiters has been woken; the condition or barrier itself may be gone by then.
//!
//! One file for each family. What glibc reports by a result (`EBUSY`, `EDEADLK`, `EPERM`) is a
//! result here; what POSIX leaves undefined is a [`Misuse`].

mod barrier;
mod choices;
mod condition;
mod dependence;
mod errno;
mod inherit;
mod lock;
mod misuse;
mod mutex;
mod object;
mod operation;
mod rwlock;
mod semaphore;
mod spin;

pub use barrier::{BarrierCall, BarrierState, SERIAL_THREAD};
pub use choices::{Faults, Patience, SyncChoice};
pub use condition::{ConditionCall, ConditionState, Wait, Waiter};
pub use errno::{
    EAGAIN, EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, ENOTSUP, EOVERFLOW, EOWNERDEAD, EPERM,
    ETIMEDOUT,
};
pub use lock::{LockCall, LockState};
pub use misuse::{Misuse, MisuseKind};
pub use mutex::{Health, MutexCall, MutexKind, MutexState, MutexType, owner_ended};
pub use object::{Address, Family, Object, Objects, Thread};
pub use operation::{Call, Done, Operation, choices, enabled, perform};
pub use rwlock::{ReadWriteCall, ReadWriteState};
pub use semaphore::{SemaphoreCall, SemaphoreState, VALUE_LIMIT};
pub use spin::{SpinCall, SpinState};

#[cfg(test)]
mod table;
