//! Condition variables: a wait is two operations, and a signal chooses any waiter.
//!
//! The first half of a wait releases the mutex and enters the set of waiters. The second half can
//! go on once the thread is no longer in that set and the mutex is free. A time-out and a spurious
//! wake-up take the thread out of the set in a step of their own, before it has the mutex again:
//! from then on no signal is spent on it.

use crate::choices::{Choices, Patience, SyncChoice};
use crate::errno::ETIMEDOUT;
use crate::misuse::{Misuse, MisuseKind};
use crate::mutex::{MutexState, MutexType};
use crate::object::{Address, Family, Object, Objects, State, Thread, change, look};
use crate::operation::{Done, Operation};

/// A thread that waits for a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Waiter {
    /// The thread.
    pub thread: Thread,
    /// The address of the mutex that it has given up.
    pub mutex: Address,
}

/// Who waits for a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConditionState {
    waiters: Vec<Waiter>,
}

/// The arguments of a wait, as both of its halves need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The address of the mutex.
    pub mutex: Address,
    /// The attributes of the mutex.
    pub attributes: MutexType,
    /// Whether the wait may time out.
    pub timed: bool,
}

/// An operation on a condition variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionCall {
    /// `pthread_cond_init`.
    Initialise,
    /// `pthread_cond_destroy`.
    Destroy,
    /// The first half of `pthread_cond_wait` and `timedwait`: gives up the mutex.
    Wait(Wait),
    /// The second half: to be woken and to get the mutex.
    Return(Wait),
    /// The second half of a thread that woke up by itself: to get the mutex, and then to return
    /// the given result unless the mutex has trouble of its own.
    Relock(Wait, i32),
    /// `pthread_cond_signal`; choice `i` wakes the `i`-th waiter.
    Signal,
    /// `pthread_cond_broadcast`.
    Broadcast,
}

impl State for ConditionState {
    const FAMILY: Family = Family::Condition;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::Condition(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self.waiters.is_empty() { Object::Idle } else { Object::Condition(self) }
    }
}

impl ConditionState {
    /// The waiters, ascending by thread.
    pub fn waiters(&self) -> &[Waiter] {
        &self.waiters
    }

    fn position(&self, thread: Thread) -> Result<usize, usize> {
        self.waiters.binary_search_by_key(&thread, |waiter| waiter.thread)
    }

    fn enter(&mut self, waiter: Waiter) -> Result<(), Misuse> {
        if let Some(other) = self.waiters.iter().find(|other| other.mutex != waiter.mutex) {
            return Err(misuse(MisuseKind::MixedMutexes, waiter.thread, Some(other.thread)));
        }
        if let Err(position) = self.position(waiter.thread) {
            self.waiters.insert(position, waiter);
        }
        Ok(())
    }

    fn leave(&mut self, thread: Thread) {
        if let Ok(position) = self.position(thread) {
            self.waiters.remove(position);
        }
    }

    fn wake(&mut self, choice: SyncChoice) {
        match choice {
            // Where no thread waits, a signal is lost.
            SyncChoice::Usual(_) if self.waiters.is_empty() => {}
            SyncChoice::Usual(position) => drop(self.waiters.remove(position as usize)),
            SyncChoice::TimeOver | SyncChoice::Spurious => unreachable!("a signal does not wait"),
        }
    }

    fn unused(&self, thread: Thread, kind: MisuseKind) -> Result<(), Misuse> {
        match self.waiters.first() {
            Some(waiter) => Err(misuse(kind, thread, Some(waiter.thread))),
            None => Ok(()),
        }
    }
}

fn misuse(kind: MisuseKind, thread: Thread, other: Option<Thread>) -> Misuse {
    Misuse { kind, family: Family::Condition, thread, other }
}

/// Whether a thread at the second half of its wait has not been woken yet.
///
/// Whatever else lies at the address by now, the thread is not among its waiters.
fn still_waits<O: Objects>(condition: Address, thread: Thread, objects: &O) -> bool {
    ConditionState::of(&objects.get(condition)).is_some_and(|state| state.position(thread).is_ok())
}

fn leave<O: Objects>(condition: Address, thread: Thread, objects: &mut O) -> Result<(), Misuse> {
    change(objects, condition, thread, |state: &mut ConditionState| {
        state.leave(thread);
        Ok(())
    })
}

impl Wait {
    /// Enters the set of waiters and releases the mutex.
    fn begin<O: Objects>(
        self,
        condition: Address,
        thread: Thread,
        objects: &mut O,
    ) -> Result<Done, Misuse> {
        change(objects, condition, thread, |state: &mut ConditionState| {
            state.enter(Waiter { thread, mutex: self.mutex })
        })?;
        let released = change(objects, self.mutex, thread, |state: &mut MutexState| {
            state
                .unlock(self.attributes, thread)
                .ok_or_else(|| misuse(MisuseKind::WaitWithoutMutex, thread, state.owner()))
        });
        if released == Ok(0) {
            return Ok(Done::Continues(Operation::new(condition, ConditionCall::Return(self))));
        }
        leave(condition, thread, objects)?;
        released.map(Done::Returns)
    }

    /// Whether the mutex can be had back at once. An object of another family in its place is a
    /// misuse, which performing reports.
    fn ends_at_once<O: Objects>(self, thread: Thread, objects: &O) -> bool {
        let at_once = |state: &MutexState| state.at_once(self.attributes, thread);
        look(objects, self.mutex, at_once).unwrap_or(true)
    }

    /// Gets the mutex back; trouble with it counts for more than a time-out.
    fn end<O: Objects>(self, result: i32, thread: Thread, objects: &mut O) -> Result<Done, Misuse> {
        let locked = change(objects, self.mutex, thread, |state: &mut MutexState| {
            Ok(state.lock(self.attributes, thread, Patience::Endless))
        })?;
        Ok(Done::Returns(if locked != 0 { locked } else { result }))
    }
}

impl ConditionCall {
    pub(crate) fn choices<O: Objects>(
        self,
        condition: Address,
        thread: Thread,
        objects: &O,
    ) -> Choices {
        match self {
            Self::Return(wait) if still_waits(condition, thread, objects) => {
                Choices { usual: 0, timeout: wait.timed, spurious: true }
            }
            Self::Return(wait) | Self::Relock(wait, _) => {
                Choices::usual_if(wait.ends_at_once(thread, objects))
            }
            Self::Signal => {
                let count = |state: &ConditionState| state.waiters.len().max(1) as u32;
                Choices { usual: look(objects, condition, count).unwrap_or(1), ..Choices::BLOCKED }
            }
            Self::Initialise | Self::Destroy | Self::Wait(_) | Self::Broadcast => Choices::USUAL,
        }
    }

    pub(crate) fn perform<O: Objects>(
        self,
        condition: Address,
        choice: SyncChoice,
        thread: Thread,
        objects: &mut O,
    ) -> Result<Done, Misuse> {
        match self {
            Self::Wait(wait) => wait.begin(condition, thread, objects),
            Self::Return(wait) => {
                let result = match choice {
                    SyncChoice::Usual(_) => return wait.end(0, thread, objects),
                    SyncChoice::TimeOver => ETIMEDOUT,
                    SyncChoice::Spurious => 0,
                };
                leave(condition, thread, objects)?;
                Ok(Done::Continues(Operation::new(condition, Self::Relock(wait, result))))
            }
            Self::Relock(wait, result) => wait.end(result, thread, objects),
            Self::Initialise | Self::Destroy | Self::Signal | Self::Broadcast => {
                change(objects, condition, thread, |state: &mut ConditionState| {
                    self.perform_alone(state, choice, thread)
                })
            }
        }
    }

    /// Performs what concerns the condition and no mutex.
    fn perform_alone(
        self,
        state: &mut ConditionState,
        choice: SyncChoice,
        thread: Thread,
    ) -> Result<Done, Misuse> {
        match self {
            Self::Initialise => state.unused(thread, MisuseKind::InitWaited)?,
            Self::Destroy => state.unused(thread, MisuseKind::DestroyWaited)?,
            Self::Signal => state.wake(choice),
            Self::Broadcast => state.waiters.clear(),
            Self::Wait(_) | Self::Return(_) | Self::Relock(..) => {
                unreachable!("a wait concerns its mutex too")
            }
        }
        Ok(Done::Returns(0))
    }

    pub(crate) fn abandon<O: Objects>(
        self,
        condition: Address,
        thread: Thread,
        objects: &mut O,
    ) -> Option<Operation> {
        let Self::Return(wait) = self else { return None };
        if still_waits(condition, thread, objects) {
            leave(condition, thread, objects).ok()?;
        }
        Some(Operation::new(condition, Self::Relock(wait, 0)))
    }

    /// The arguments of the wait that it is a half of.
    pub(crate) fn wait(self) -> Option<Wait> {
        match self {
            Self::Wait(wait) | Self::Return(wait) | Self::Relock(wait, _) => Some(wait),
            Self::Initialise | Self::Destroy | Self::Signal | Self::Broadcast => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Initialise => "pthread_cond_init",
            Self::Destroy => "pthread_cond_destroy",
            Self::Signal => "pthread_cond_signal",
            Self::Broadcast => "pthread_cond_broadcast",
            Self::Wait(wait) | Self::Return(wait) | Self::Relock(wait, _) => {
                if wait.timed {
                    "pthread_cond_timedwait"
                } else {
                    "pthread_cond_wait"
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutex::{MutexCall, MutexKind};
    use crate::table::Table;
    use crate::{EPERM, owner_ended};

    const MUTEX: Address = 8;
    const CONDITION: Address = 16;

    fn wait(timed: bool) -> Wait {
        Wait { mutex: MUTEX, attributes: MutexType::default(), timed }
    }

    fn lock() -> MutexCall {
        MutexCall::Lock(MutexType::default(), Patience::Endless)
    }

    fn unlock() -> MutexCall {
        MutexCall::Unlock(MutexType::default())
    }

    /// Threads that wait, one after the other.
    fn waiting(threads: &[u32], timed: bool) -> Table {
        let mut table = Table::default();
        for &thread in threads {
            table.result(thread, MUTEX, lock());
            let next = Operation::new(CONDITION, ConditionCall::Return(wait(timed)));
            let begun = table.choose(
                SyncChoice::USUAL,
                thread,
                CONDITION,
                ConditionCall::Wait(wait(timed)),
            );
            assert_eq!(begun, Ok(Done::Continues(next)));
        }
        table
    }

    fn returns(timed: bool) -> ConditionCall {
        ConditionCall::Return(wait(timed))
    }

    #[test]
    fn a_waiter_needs_the_signal_and_the_mutex() {
        let mut table = waiting(&[1], false);
        assert_eq!(table.choices(1, CONDITION, returns(false)), [SyncChoice::Spurious]);
        assert!(table.blockers(1, CONDITION, returns(false)).is_empty());
        table.result(2, MUTEX, lock());
        table.result(2, CONDITION, ConditionCall::Signal);
        assert!(table.choices(1, CONDITION, returns(false)).is_empty());
        assert_eq!(table.blockers(1, CONDITION, returns(false)), [2]);
        table.result(2, MUTEX, unlock());
        assert_eq!(table.result(1, CONDITION, returns(false)), 0);
        assert_eq!(table.holders(MUTEX), [1]);
    }

    #[test]
    fn a_signal_chooses_any_waiter_and_a_broadcast_wakes_all() {
        for choice in 0..3 {
            let mut table = waiting(&[7, 1, 4], false);
            assert_eq!(
                table.choices(2, CONDITION, ConditionCall::Signal),
                [0, 1, 2].map(SyncChoice::Usual)
            );
            table
                .choose(SyncChoice::Usual(choice), 2, CONDITION, ConditionCall::Signal)
                .expect("no misuse");
            let woken: Vec<_> = [1, 4, 7]
                .into_iter()
                .filter(|&thread| {
                    table.choices(thread, CONDITION, returns(false)) == [SyncChoice::USUAL]
                })
                .collect();
            assert_eq!(woken, [[1, 4, 7][choice as usize]]);
        }
        let mut table = waiting(&[7, 1, 4], false);
        table.result(2, CONDITION, ConditionCall::Broadcast);
        assert!(table.is_idle());
        assert_eq!(table.choices(2, CONDITION, ConditionCall::Signal), [SyncChoice::USUAL]);
    }

    #[test]
    fn the_order_of_arrival_is_forgotten() {
        assert_eq!(waiting(&[3, 1, 2], false).0, waiting(&[1, 2, 3], false).0);
    }

    #[test]
    fn no_signal_is_spent_on_who_has_timed_out() {
        let mut table = waiting(&[1], true);
        table.result(2, MUTEX, lock());
        assert_eq!(
            table.choices(1, CONDITION, returns(true)),
            [SyncChoice::TimeOver, SyncChoice::Spurious]
        );
        let relock = ConditionCall::Relock(wait(true), ETIMEDOUT);
        let next = Operation::new(CONDITION, relock);
        let timed_out = table.choose(SyncChoice::TimeOver, 1, CONDITION, returns(true));
        assert_eq!(timed_out, Ok(Done::Continues(next)));
        assert!(!table.0.contains_key(&CONDITION), "nobody waits any more");
        assert_eq!(table.result(2, CONDITION, ConditionCall::Signal), 0);
        assert_eq!(table.blockers(1, CONDITION, relock), [2]);
        table.result(2, MUTEX, unlock());
        assert_eq!(table.result(1, CONDITION, relock), ETIMEDOUT);
    }

    #[test]
    fn a_woken_thread_returns_though_the_condition_is_gone() {
        let mut table = waiting(&[1], true);
        assert_eq!(table.misuse(2, CONDITION, ConditionCall::Destroy).0, "destroy-waited");
        assert_eq!(table.misuse(2, CONDITION, ConditionCall::Initialise).0, "init-waited");
        table.result(2, CONDITION, ConditionCall::Signal);
        table.result(2, CONDITION, ConditionCall::Destroy);
        table.result(2, CONDITION, lock());
        assert_eq!(table.choices(1, CONDITION, returns(true)), [SyncChoice::USUAL]);
        assert_eq!(table.result(1, CONDITION, returns(true)), 0);
    }

    #[test]
    fn a_wait_needs_the_one_mutex_of_all_waiters() {
        let mut table = Table::default();
        let alone = table.misuse(2, CONDITION, ConditionCall::Wait(wait(false)));
        let text = "thread 2 waits for a condition with a mutex that no thread holds";
        assert_eq!(alone, ("wait-without-mutex", text.into()));
        let attributes = MutexType { kind: MutexKind::ErrorChecking, robust: false, marked: false };
        let checked = ConditionCall::Wait(Wait { attributes, ..wait(false) });
        assert_eq!(table.result(2, CONDITION, checked), EPERM);
        assert!(table.is_idle());

        let mut table = waiting(&[1], false);
        table.result(2, 24, lock());
        let other = ConditionCall::Wait(Wait { mutex: 24, ..wait(false) });
        let text = "thread 2 waits for a condition with another mutex than thread 1";
        assert_eq!(table.misuse(2, CONDITION, other), ("mixed-mutexes", text.into()));
    }

    #[test]
    fn a_recursive_mutex_loses_one_level() {
        let attributes = MutexType { kind: MutexKind::Recursive, robust: false, marked: false };
        let wait = Wait { attributes, ..wait(false) };
        let lock = MutexCall::Lock(attributes, Patience::Endless);
        let mut table = Table::default();
        table.result(1, MUTEX, lock);
        table.result(1, MUTEX, lock);
        table
            .choose(SyncChoice::USUAL, 1, CONDITION, ConditionCall::Wait(wait))
            .expect("no misuse");
        assert_eq!(table.blockers(2, MUTEX, lock), [1]);
        table.result(2, CONDITION, ConditionCall::Signal);
        assert_eq!(table.result(1, CONDITION, ConditionCall::Return(wait)), 0);
        assert_eq!(table.0[&MUTEX].held_count(Thread(1)), 2);
    }

    #[test]
    fn the_death_of_an_owner_counts_for_more_than_a_timeout() {
        let attributes = MutexType { kind: MutexKind::Normal, robust: true, marked: false };
        let wait = Wait { attributes, ..wait(true) };
        let lock = MutexCall::Lock(attributes, Patience::Endless);
        let mut table = Table::default();
        table.result(1, MUTEX, lock);
        table
            .choose(SyncChoice::USUAL, 1, CONDITION, ConditionCall::Wait(wait))
            .expect("no misuse");
        table.result(2, MUTEX, lock);
        owner_ended(Thread(2), [MUTEX], &mut table.0);
        let returns = ConditionCall::Return(wait);
        table.choose(SyncChoice::TimeOver, 1, CONDITION, returns).expect("no misuse");
        let relock = ConditionCall::Relock(wait, ETIMEDOUT);
        assert_eq!(table.result(1, CONDITION, relock), crate::EOWNERDEAD);
    }

    #[test]
    fn a_cancelled_waiter_only_wants_the_mutex() {
        let mut table = waiting(&[1], false);
        let pending = Operation::new(CONDITION, returns(false));
        let relock = Operation::new(CONDITION, ConditionCall::Relock(wait(false), 0));
        assert_eq!(pending.abandon(Thread(1), &mut table.0), Some(relock));
        assert!(table.is_idle());
        assert_eq!(relock.abandon(Thread(1), &mut table.0), None);
    }
}
