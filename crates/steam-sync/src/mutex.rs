//! Mutexes: normal, recursive and error-checking ones, robust or not.
//!
//! A normal mutex that its owner locks again blocks for good; that this is a deadlock is seen
//! elsewhere. A normal mutex that is not robust does not know who holds it, and a bad unlock is a
//! misuse; the others answer it by `EPERM`. glibc leaves a mutex that is not recoverable locked after a failed `trylock`;
//! here it stays free, as POSIX has it.

use crate::choices::{Choices, Patience};
use crate::errno::{EAGAIN, EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, EOWNERDEAD, EPERM, ETIMEDOUT};
use crate::misuse::{Misuse, MisuseKind};
use crate::object::{Address, Family, Object, Objects, State, Thread};
use crate::operation::Done;

/// What a thread gets that locks a mutex twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MutexKind {
    /// It waits for itself; adaptive mutexes are of this kind too.
    #[default]
    Normal,
    /// One level more.
    Recursive,
    /// An error.
    ErrorChecking,
}

/// The attributes of a mutex that change the meaning of its operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutexType {
    /// What locking twice means.
    pub kind: MutexKind,
    /// Whether the next owner is notified if the last one ended with the mutex.
    pub robust: bool,
    /// Whether its bytes say where it lies: those of each one that is held do, and of each that `pthread_mutex_init` made.
    pub marked: bool,
}

/// Whether the data under a robust mutex can be relied on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Health {
    /// They can.
    #[default]
    Consistent,
    /// An owner ended in the midst; the next one has to repair them.
    OwnerDied,
    /// They were not repaired; the mutex cannot be locked any more.
    NotRecoverable,
}

/// Who holds a mutex, and in which condition it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutexState {
    pub(crate) owner: Option<Thread>,
    count: u32,
    /// As they were when it was locked.
    attributes: MutexType,
    health: Health,
}

/// An operation on a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MutexCall {
    /// `pthread_mutex_init`.
    Initialise,
    /// `pthread_mutex_destroy`.
    Destroy,
    /// `pthread_mutex_lock`, `timedlock` and `trylock`.
    Lock(MutexType, Patience),
    /// `pthread_mutex_unlock`.
    Unlock(MutexType),
    /// `pthread_mutex_consistent`.
    Consistent(MutexType),
}

impl State for MutexState {
    const FAMILY: Family = Family::Mutex;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::Mutex(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self == Self::default() { Object::Idle } else { Object::Mutex(self) }
    }
}

impl MutexState {
    /// The thread that holds the mutex.
    pub fn owner(&self) -> Option<Thread> {
        self.owner
    }

    /// How often the owner has locked the mutex without unlocking it.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether the next owner is notified if this one ends with the mutex.
    pub fn is_robust(&self) -> bool {
        self.attributes.robust
    }

    /// Whether the data under the mutex can be relied on.
    pub fn health(&self) -> Health {
        self.health
    }

    /// The result of locking if that needs no waiting.
    fn result_at_once(&self, mutex: MutexType, thread: Thread, patience: Patience) -> Option<i32> {
        match self.owner {
            None => Some(match self.health {
                Health::Consistent => 0,
                Health::OwnerDied => EOWNERDEAD,
                Health::NotRecoverable => ENOTRECOVERABLE,
            }),
            Some(owner) if owner != thread => None,
            Some(_) => match mutex.kind {
                MutexKind::Normal => None,
                MutexKind::Recursive => Some(if self.count == u32::MAX { EAGAIN } else { 0 }),
                // glibc compares owners in `trylock` for robust mutexes only.
                MutexKind::ErrorChecking if patience == Patience::Never && !mutex.robust => None,
                MutexKind::ErrorChecking => Some(EDEADLK),
            },
        }
    }

    /// Whether locking needs no waiting.
    pub(crate) fn at_once(&self, mutex: MutexType, thread: Thread) -> bool {
        self.result_at_once(mutex, thread, Patience::Endless).is_some()
    }

    /// Locks, as far as that is possible now, and gives the result.
    pub(crate) fn lock(&mut self, mutex: MutexType, thread: Thread, patience: Patience) -> i32 {
        let Some(result) = self.result_at_once(mutex, thread, patience) else {
            return if patience == Patience::Never { EBUSY } else { ETIMEDOUT };
        };
        if result == 0 || result == EOWNERDEAD {
            self.owner = Some(thread);
            self.count += 1;
            self.attributes = mutex;
        }
        result
    }

    /// Gives up one level; gives the result, or `None` if the mutex is not the thread's to unlock
    /// and does not check that itself.
    pub(crate) fn unlock(&mut self, mutex: MutexType, thread: Thread) -> Option<i32> {
        if self.owner != Some(thread) {
            let checks = mutex.robust || mutex.kind != MutexKind::Normal;
            return checks.then_some(EPERM);
        }
        self.count -= 1;
        if self.count > 0 {
            return Some(if self.health == Health::Consistent { 0 } else { ENOTRECOVERABLE });
        }
        *self = match self.health {
            Health::Consistent => Self::default(),
            _ => Self { health: Health::NotRecoverable, ..Self::default() },
        };
        Some(0)
    }

    /// Whether its bytes are known to say where it lies, if a thread holds it.
    pub(crate) fn held_mark(&self) -> Option<bool> {
        self.owner.map(|_| self.attributes.marked)
    }

    /// From now on its bytes say where it lies.
    pub(crate) fn mark(&mut self) {
        self.attributes.marked = true;
    }

    /// Whether the attributes of a mutex that a thread holds are others than when it was locked.
    pub fn is_changed(&self, mutex: MutexType) -> bool {
        self.owner.is_some() && self.attributes != mutex
    }

    fn renew(&mut self, thread: Thread, kind: MisuseKind) -> Result<i32, Misuse> {
        if self.owner.is_some() {
            return Err(self.misuse(kind, thread));
        }
        *self = Self::default();
        Ok(0)
    }

    fn make_consistent(&mut self, mutex: MutexType, thread: Thread) -> Result<i32, Misuse> {
        if !mutex.robust || self.health != Health::OwnerDied {
            return Ok(EINVAL);
        }
        if self.owner != Some(thread) {
            return Err(self.misuse(MisuseKind::BadConsistent, thread));
        }
        self.health = Health::Consistent;
        Ok(0)
    }

    pub(crate) fn misuse(&self, kind: MisuseKind, thread: Thread) -> Misuse {
        Misuse { kind, family: Family::Mutex, thread, other: self.owner }
    }
}

impl MutexCall {
    pub(crate) fn choices(self, state: &MutexState, thread: Thread) -> Choices {
        match self {
            Self::Lock(mutex, patience) => {
                let at_once = state.result_at_once(mutex, thread, patience).is_some();
                Choices::of_request(at_once, patience)
            }
            _ => Choices::USUAL,
        }
    }

    pub(crate) fn perform(self, state: &mut MutexState, thread: Thread) -> Result<Done, Misuse> {
        let result = match self {
            Self::Initialise => state.renew(thread, MisuseKind::InitLocked)?,
            Self::Destroy => state.renew(thread, MisuseKind::DestroyLocked)?,
            Self::Lock(mutex, patience) => state.lock(mutex, thread, patience),
            Self::Unlock(mutex) if state.owner == Some(thread) && state.is_changed(mutex) => {
                return Err(state.misuse(MisuseKind::Overwritten, thread));
            }
            Self::Unlock(mutex) => state
                .unlock(mutex, thread)
                .ok_or_else(|| state.misuse(MisuseKind::BadUnlock, thread))?,
            Self::Consistent(mutex) => state.make_consistent(mutex, thread)?,
        };
        Ok(Done::Returns(result))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Initialise => "pthread_mutex_init",
            Self::Destroy => "pthread_mutex_destroy",
            Self::Lock(_, Patience::Endless) => "pthread_mutex_lock",
            Self::Lock(_, Patience::Timed) => "pthread_mutex_timedlock",
            Self::Lock(_, Patience::Never) => "pthread_mutex_trylock",
            Self::Unlock(_) => "pthread_mutex_unlock",
            Self::Consistent(_) => "pthread_mutex_consistent",
        }
    }

    /// Whether it sees if the mutex is free without waiting until it is.
    pub(crate) fn observes(self) -> bool {
        match self {
            Self::Lock(_, patience) => patience != Patience::Endless,
            Self::Initialise | Self::Destroy => true,
            Self::Unlock(_) | Self::Consistent(_) => false,
        }
    }
}

/// Hands on the robust mutexes that a thread held when it ended.
///
/// `addresses` names the objects that may be its own; what is not a robust mutex of it stays as it
/// is: other mutexes stay locked for ever, and whoever waits for them is deadlocked.
pub fn owner_ended<O: Objects>(
    thread: Thread,
    addresses: impl IntoIterator<Item = Address>,
    objects: &mut O,
) {
    for address in addresses {
        let state = MutexState::of(&objects.get(address)).copied();
        if state.is_some_and(|state| state.owner == Some(thread) && state.is_robust()) {
            let health = Health::OwnerDied;
            objects.set(address, Object::Mutex(MutexState { health, ..MutexState::default() }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SyncChoice;
    use crate::table::Table;

    const KINDS: [MutexKind; 3] =
        [MutexKind::Normal, MutexKind::Recursive, MutexKind::ErrorChecking];

    fn plain(kind: MutexKind) -> MutexType {
        MutexType { kind, ..MutexType::default() }
    }

    fn robust(kind: MutexKind) -> MutexType {
        MutexType { kind, robust: true, marked: false }
    }

    fn lock(mutex: MutexType) -> MutexCall {
        MutexCall::Lock(mutex, Patience::Endless)
    }

    #[test]
    fn a_held_mutex_that_becomes_another_was_overwritten() {
        let mut table = Table::default();
        let marked = MutexType { marked: true, ..MutexType::default() };
        table.result(1, 8, MutexCall::Lock(marked, Patience::Endless));
        let misuse = table.misuse(1, 8, MutexCall::Unlock(MutexType::default()));
        assert_eq!(misuse.0, "overwritten");
        assert_eq!(table.result(1, 8, MutexCall::Unlock(marked)), 0);
        assert!(table.is_idle());
    }

    #[test]
    fn one_thread_holds_it_and_the_others_wait_for_that_one() {
        for kind in KINDS {
            let (mut table, mutex) = (Table::default(), plain(kind));
            assert_eq!(table.result(1, 8, lock(mutex)), 0);
            assert!(table.choices(2, 8, lock(mutex)).is_empty());
            assert_eq!(table.choose(SyncChoice::USUAL, 2, 8, lock(mutex)), Ok(Done::Blocked));
            assert_eq!(table.blockers(2, 8, lock(mutex)), [1]);
            let timed = MutexCall::Lock(mutex, Patience::Timed);
            assert_eq!(table.choices(2, 8, timed), [SyncChoice::TimeOver]);
            assert_eq!(table.result(2, 8, timed), ETIMEDOUT);
            assert_eq!(table.result(2, 8, MutexCall::Lock(mutex, Patience::Never)), EBUSY);
            assert_eq!(table.holders(8), [1]);
            assert_eq!(table.result(1, 8, MutexCall::Unlock(mutex)), 0);
            assert!(table.is_idle());
        }
    }

    #[test]
    fn locking_twice_is_what_the_kind_says() {
        let again = |kind| {
            let (mut table, mutex) = (Table::default(), plain(kind));
            table.result(1, 8, lock(mutex));
            let tried = table.result(1, 8, MutexCall::Lock(mutex, Patience::Never));
            let timed = table.result(1, 8, MutexCall::Lock(mutex, Patience::Timed));
            let blockers = table.blockers(1, 8, lock(mutex));
            (tried, timed, blockers, table.0[&8].held_count(Thread(1)))
        };
        assert_eq!(again(MutexKind::Normal), (EBUSY, ETIMEDOUT, vec![1], 1));
        assert_eq!(again(MutexKind::Recursive), (0, 0, vec![], 3));
        assert_eq!(again(MutexKind::ErrorChecking), (EBUSY, EDEADLK, vec![], 1));
    }

    #[test]
    fn who_may_not_unlock_learns_it_or_is_reported() {
        for kind in KINDS {
            for mutex in [plain(kind), robust(kind)] {
                let mut table = Table::default();
                let checks = mutex.robust || kind != MutexKind::Normal;
                if checks {
                    assert_eq!(table.result(2, 8, MutexCall::Unlock(mutex)), EPERM);
                    continue;
                }
                let unlocked = "thread 2 unlocks a mutex that no thread holds";
                let misuse = table.misuse(2, 8, MutexCall::Unlock(mutex));
                assert_eq!(misuse, ("bad-unlock", unlocked.into()));
                table.result(3, 8, lock(mutex));
                let third = "thread 2 unlocks a mutex that thread 3 holds";
                assert_eq!(table.misuse(2, 8, MutexCall::Unlock(mutex)).1, third);
            }
        }
    }

    #[test]
    fn a_held_mutex_is_neither_destroyed_nor_initialised() {
        let (mut table, mutex) = (Table::default(), MutexType::default());
        assert_eq!(table.result(1, 8, MutexCall::Initialise), 0);
        table.result(1, 8, lock(mutex));
        assert_eq!(table.misuse(2, 8, MutexCall::Destroy).0, "destroy-locked");
        assert_eq!(table.misuse(2, 8, MutexCall::Initialise).0, "init-locked");
        table.result(1, 8, MutexCall::Unlock(mutex));
        assert_eq!(table.result(2, 8, MutexCall::Destroy), 0);
    }

    /// The results are those that glibc 2.36 gave for the same calls.
    #[test]
    fn a_robust_mutex_outlives_its_owner() {
        let mutex = robust(MutexKind::Normal);
        let dead = || {
            let mut table = Table::default();
            table.result(1, 8, lock(mutex));
            owner_ended(Thread(1), [8, 16], &mut table.0);
            table
        };
        let mut table = dead();
        // glibc answers this by EINVAL, or by 0 once a second owner has ended.
        let text = "thread 2 declares a mutex consistent that no thread holds";
        let misuse = table.misuse(2, 8, MutexCall::Consistent(mutex));
        assert_eq!(misuse, ("bad-consistent", text.into()));
        assert_eq!(table.result(2, 8, lock(mutex)), EOWNERDEAD);
        assert_eq!(table.misuse(3, 8, MutexCall::Consistent(mutex)).0, "bad-consistent");
        assert_eq!(table.result(2, 8, MutexCall::Consistent(mutex)), 0);
        assert_eq!(table.result(2, 8, MutexCall::Consistent(mutex)), EINVAL);
        assert_eq!(table.result(2, 8, MutexCall::Unlock(mutex)), 0);
        assert!(table.is_idle());

        let mut table = dead();
        assert_eq!(table.result(2, 8, MutexCall::Lock(mutex, Patience::Never)), EOWNERDEAD);
        assert_eq!(table.result(2, 8, MutexCall::Unlock(mutex)), 0);
        assert_eq!(table.result(3, 8, lock(mutex)), ENOTRECOVERABLE);
        assert_eq!(table.result(3, 8, MutexCall::Unlock(mutex)), EPERM);
        assert_eq!(table.result(3, 8, MutexCall::Destroy), 0);
        assert!(table.is_idle());
    }

    #[test]
    fn a_recursive_robust_mutex_stays_broken_level_by_level() {
        let (mut table, mutex) = (Table::default(), robust(MutexKind::Recursive));
        table.result(1, 8, lock(mutex));
        table.result(1, 8, lock(mutex));
        owner_ended(Thread(1), [8], &mut table.0);
        assert_eq!(table.result(2, 8, lock(mutex)), EOWNERDEAD);
        assert_eq!(table.result(2, 8, lock(mutex)), 0);
        assert_eq!(table.result(2, 8, MutexCall::Unlock(mutex)), ENOTRECOVERABLE);
        assert_eq!(table.result(2, 8, MutexCall::Unlock(mutex)), 0);
        assert_eq!(table.result(2, 8, lock(mutex)), ENOTRECOVERABLE);
    }

    #[test]
    fn a_mutex_that_is_not_robust_stays_with_its_ended_owner() {
        let (mut table, mutex) = (Table::default(), MutexType::default());
        table.result(1, 8, lock(mutex));
        owner_ended(Thread(1), [8], &mut table.0);
        assert_eq!(table.blockers(2, 8, lock(mutex)), [1]);
    }
}
