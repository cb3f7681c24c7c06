//! The values of synchronisation objects, and where they are kept.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use crate::barrier::BarrierState;
use crate::condition::ConditionState;
use crate::lock::LockState;
use crate::misuse::{Misuse, MisuseKind};
use crate::mutex::MutexState;
use crate::rwlock::ReadWriteState;
use crate::semaphore::SemaphoreState;
use crate::spin::SpinState;

/// Where an object lies: a number for each place of memory, of all processes.
pub type Address = u64;

/// A thread of the program, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thread(pub u32);

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {}", self.0)
    }
}

/// The kinds of synchronisation objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// `pthread_mutex_t`.
    Mutex,
    /// `pthread_cond_t`.
    Condition,
    /// `pthread_rwlock_t`.
    ReadWrite,
    /// `pthread_barrier_t`.
    Barrier,
    /// `pthread_spinlock_t`.
    Spin,
    /// `sem_t`.
    Semaphore,
    /// An address locked by `VLOCK`.
    Lock,
}

impl Family {
    /// Whether its operations are requests of `steam.h`.
    pub fn is_requested(self) -> bool {
        match self {
            Self::Lock => true,
            Self::Mutex
            | Self::Condition
            | Self::ReadWrite
            | Self::Barrier
            | Self::Spin
            | Self::Semaphore => false,
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mutex => "mutex",
            Self::Condition => "condition variable",
            Self::ReadWrite => "read-write lock",
            Self::Barrier => "barrier",
            Self::Spin => "spin lock",
            Self::Semaphore => "semaphore",
            Self::Lock => "VLOCK lock",
        })
    }
}

/// The state of one synchronisation object.
///
/// Invariant of all objects that [`perform`](crate::perform) stores: one that differs in nothing
/// from a fresh one is `Idle`, whatever its family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Object {
    /// Nothing to say: not locked, no thread waits, counts nothing.
    #[default]
    Idle,
    /// A mutex that is locked, or robust and in need of repair.
    Mutex(MutexState),
    /// A condition variable for which threads wait.
    Condition(ConditionState),
    /// A read-write lock that is held.
    ReadWrite(ReadWriteState),
    /// An initialised barrier.
    Barrier(BarrierState),
    /// A spin lock that is held.
    Spin(SpinState),
    /// A semaphore above 0.
    Semaphore(SemaphoreState),
    /// A `VLOCK` lock that is held.
    Lock(LockState),
}

impl Object {
    /// The family of the object, as far as it is known.
    pub fn family(&self) -> Option<Family> {
        Some(match self {
            Self::Idle => return None,
            Self::Mutex(_) => Family::Mutex,
            Self::Condition(_) => Family::Condition,
            Self::ReadWrite(_) => Family::ReadWrite,
            Self::Barrier(_) => Family::Barrier,
            Self::Spin(_) => Family::Spin,
            Self::Semaphore(_) => Family::Semaphore,
            Self::Lock(_) => Family::Lock,
        })
    }

    /// The threads that hold the object, ascending, each once.
    pub fn holders(&self) -> Vec<Thread> {
        let mut holders = match self {
            Self::ReadWrite(state) => state.readers().to_vec(),
            _ => Vec::new(),
        };
        holders.extend(self.owner());
        holders.dedup();
        holders
    }

    /// How often a thread holds the object: levels of a recursive mutex, read locks.
    pub fn held_count(&self, thread: Thread) -> u32 {
        match self {
            Self::Mutex(state) if state.owner() == Some(thread) => state.count(),
            Self::ReadWrite(state) if state.writer() != Some(thread) => {
                state.readers().iter().filter(|&&reader| reader == thread).count() as u32
            }
            _ => u32::from(self.owner() == Some(thread)),
        }
    }

    /// The one thread that holds the object exclusively.
    pub fn owner(&self) -> Option<Thread> {
        match self {
            Self::Mutex(state) => state.owner(),
            Self::ReadWrite(state) => state.writer(),
            Self::Spin(state) => state.owner(),
            Self::Lock(state) => state.owner(),
            Self::Idle | Self::Condition(_) | Self::Barrier(_) | Self::Semaphore(_) => None,
        }
    }

    /// Whether the bytes of a mutex or read-write lock are known to say where it lies, if a thread holds it.
    pub fn held_mark(&self) -> Option<bool> {
        match self {
            Self::Mutex(state) => state.held_mark(),
            Self::ReadWrite(state) => state.held_mark(),
            _ => None,
        }
    }

    /// The same object, held, now that its bytes say where it lies.
    #[must_use]
    pub fn with_mark(&self) -> Self {
        let mut object = self.clone();
        match &mut object {
            Self::Mutex(state) => state.mark(),
            Self::ReadWrite(state) => state.mark(),
            _ => {}
        }
        object
    }

    /// One thread that holds the object or waits inside it.
    fn user(&self) -> Option<Thread> {
        match self {
            Self::Condition(state) => state.waiters().first().map(|waiter| waiter.thread),
            Self::ReadWrite(state) => state.writer().or(state.readers().first().copied()),
            Self::Barrier(state) => state.arrived().first().copied(),
            _ => self.owner(),
        }
    }
}

/// Where the objects of a program state are kept, by their addresses.
pub trait Objects {
    /// What reading an object gives: a plain reference, a counted one, or a guard.
    type Reading<'a>: Deref<Target = Object>
    where
        Self: 'a;

    /// The object at an address, `Idle` where nothing was ever set.
    fn get(&self, address: Address) -> Self::Reading<'_>;

    /// Replaces the object at an address.
    fn set(&mut self, address: Address, object: Object);
}

/// The plainest place: a map without the idle objects.
impl Objects for BTreeMap<Address, Object> {
    type Reading<'a> = &'a Object;

    fn get(&self, address: Address) -> &Object {
        static IDLE: Object = Object::Idle;
        BTreeMap::get(self, &address).unwrap_or(&IDLE)
    }

    fn set(&mut self, address: Address, object: Object) {
        if object == Object::Idle {
            self.remove(&address);
        } else {
            self.insert(address, object);
        }
    }
}

/// The state of one family inside [`Object`].
pub(crate) trait State: Clone + Default {
    /// The family that this is the state of.
    const FAMILY: Family;

    /// The state in an object of this family.
    fn of(object: &Object) -> Option<&Self>;

    /// The object with this state, in canonical form.
    fn into_object(self) -> Object;
}

/// Looks at the state at an address; nothing if an object of another family is in use there.
///
/// What another family left behind and no thread uses is as good as fresh memory: objects on the
/// stack are often abandoned without being destroyed.
pub(crate) fn look<S: State, O: Objects, R>(
    objects: &O,
    address: Address,
    look: impl FnOnce(&S) -> R,
) -> Option<R> {
    let object = objects.get(address);
    match S::of(&object) {
        Some(state) => Some(look(state)),
        None if object.user().is_some() => None,
        None => Some(look(&S::default())),
    }
}

/// Changes the state at an address, unless that is a misuse.
pub(crate) fn change<S: State, O: Objects, R>(
    objects: &mut O,
    address: Address,
    thread: Thread,
    change: impl FnOnce(&mut S) -> Result<R, Misuse>,
) -> Result<R, Misuse> {
    let Some(mut state) = look(objects, address, S::clone) else {
        return Err(wrong_object(S::FAMILY, thread, &objects.get(address)));
    };
    let result = change(&mut state)?;
    let object = state.into_object();
    // What stays as it was need not be stored again.
    let changed = *objects.get(address) != object;
    if changed {
        objects.set(address, object);
    }
    Ok(result)
}

fn wrong_object(family: Family, thread: Thread, found: &Object) -> Misuse {
    let kind = MisuseKind::WrongObject { found: found.family().unwrap_or(family) };
    Misuse { kind, family, thread, other: found.user() }
}
