//! Which operations of different threads depend on each other: the order of two that do not can be
//! changed without any thread observing it.
//!
//! One table for all families. An operation has a *part* in each object that it touches; two
//! operations are independent if on every common object their parts are. The table does not look at
//! values, so what it calls independent is so in every state.
//!
//! What does depend on values are the conditions of Figure 3 in Stoller's paper on multi-threaded
//! distributed systems, as far as they matter to operations that can be done: an operation may be *idle*
//! as its object is now, a level more of a lock that the thread has, or a signal for which no thread waits.
//! Only steps that an idle operation depends on can end that, so that it is as good as unconditional, also
//! for searches that look at races of steps that are far from each other.

use crate::barrier::BarrierCall;
use crate::choices::Patience;
use crate::condition::ConditionCall;
use crate::lock::LockCall;
use crate::mutex::{MutexCall, MutexKind};
use crate::object::{Address, Object, Objects, Thread};
use crate::operation::{Call, Operation};
use crate::rwlock::ReadWriteCall;
use crate::semaphore::SemaphoreCall;
use crate::spin::SpinCall;

/// What an operation does to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Waits until no thread has the object, and then has it alone.
    Take,
    /// Waits until no thread has it alone, and then has it with others.
    Share,
    /// Like `Take` or `Share`, but goes on without it where it must.
    Try {
        /// Whether it would have it with others.
        shared: bool,
    },
    /// Gives up what the thread has.
    Give,
    /// Counts one more.
    Raise,
    /// Looks at the value.
    Look,
    /// Leaves, once it may: nothing changes.
    Leave,
    /// Joins those who wait, having the given mutex until then.
    Enter(Address),
    /// Wakes all who wait.
    WakeAll,
    /// Anything else, such as to initialise, to wake, or to arrive.
    Other,
}

impl Part {
    /// Whether two threads' parts in an object can change places in every state.
    fn commutes(self, other: Self) -> bool {
        match (self, other) {
            (
                Self::Share | Self::Try { shared: true },
                Self::Share | Self::Try { shared: true },
            ) => true,
            // But for a semaphore at its greatest value, which only an error reaches.
            (Self::Raise, Self::Raise) => true,
            (Self::Look | Self::Leave, Self::Look | Self::Leave) => true,
            // Who does not have it is in error whatever comes first.
            (Self::Give, Self::Give) => true,
            // Another mutex would be an error of the second.
            (Self::Enter(mutex), Self::Enter(other)) => mutex == other,
            (Self::WakeAll, Self::WakeAll) => true,
            _ => false,
        }
    }

    /// Whether there may be a state in which two threads can do their parts. Who gives something
    /// up has it, so that no other thread can take it; who does not have it is in error whatever comes first.
    fn meets(self, other: Self) -> bool {
        !matches!((self, other), (Self::Take, Self::Give) | (Self::Give, Self::Take))
    }
}

/// A lock that is taken alone.
fn taking(patience: Patience) -> Part {
    match patience {
        Patience::Endless => Part::Take,
        Patience::Timed | Patience::Never => Part::Try { shared: false },
    }
}

fn sharing(patience: Patience) -> Part {
    match patience {
        Patience::Endless => Part::Share,
        Patience::Timed | Patience::Never => Part::Try { shared: true },
    }
}

impl Operation {
    /// Its parts in the objects that it touches.
    fn parts(&self) -> [Option<(Address, Part)>; 2] {
        let own = |part| [Some((self.address, part)), None];
        match self.call {
            Call::Mutex(MutexCall::Lock(_, patience)) => own(taking(patience)),
            Call::Mutex(MutexCall::Unlock(_)) => own(Part::Give),
            Call::ReadWrite(ReadWriteCall::Read(patience)) => own(sharing(patience)),
            Call::ReadWrite(ReadWriteCall::Write(patience)) => own(taking(patience)),
            Call::ReadWrite(ReadWriteCall::Unlock) => own(Part::Give),
            Call::Spin(SpinCall::Lock) | Call::Lock(LockCall::Lock) => own(Part::Take),
            Call::Spin(SpinCall::Try) => own(Part::Try { shared: false }),
            Call::Spin(SpinCall::Unlock) | Call::Lock(LockCall::Unlock) => own(Part::Give),
            Call::Semaphore(SemaphoreCall::Wait(_)) => own(Part::Try { shared: false }),
            Call::Semaphore(SemaphoreCall::Post) => own(Part::Raise),
            Call::Semaphore(SemaphoreCall::Value) => own(Part::Look),
            Call::Barrier(BarrierCall::Leave) => own(Part::Leave),
            Call::Condition(ConditionCall::Wait(wait)) => {
                [Some((self.address, Part::Enter(wait.mutex))), Some((wait.mutex, Part::Give))]
            }
            Call::Condition(ConditionCall::Broadcast) => own(Part::WakeAll),
            Call::Condition(ConditionCall::Return(wait)) => {
                [Some((self.address, Part::Other)), Some((wait.mutex, Part::Take))]
            }
            Call::Condition(ConditionCall::Relock(wait, _)) => {
                [Some((wait.mutex, Part::Take)), None]
            }
            _ => own(Part::Other),
        }
    }

    /// Whether the order of two operations of different threads can matter.
    pub fn depends_on(&self, other: &Self) -> bool {
        common_parts(self, other).any(|(one, two)| !one.commutes(two))
    }

    /// Whether there may be a state in which both can be done, so that their order is a choice.
    pub fn may_meet(&self, other: &Self) -> bool {
        common_parts(self, other).all(|(one, two)| one.meets(two))
    }

    /// Whether it changes nothing for others, as the objects are now: it takes or gives up a further level
    /// of a mutex that the thread has, or wakes none.
    pub fn is_idle<O: Objects>(&self, thread: Thread, objects: &O) -> bool {
        let object = objects.get(self.address);
        match self.call {
            Call::Mutex(MutexCall::Lock(attributes, _)) => {
                attributes.kind != MutexKind::Normal && object.owner() == Some(thread)
            }
            Call::Mutex(MutexCall::Unlock(_)) => {
                object.owner() == Some(thread) && object.held_count(thread) > 1
            }
            Call::Condition(ConditionCall::Signal | ConditionCall::Broadcast) => {
                matches!(&*object, Object::Idle)
            }
            _ => false,
        }
    }

    /// Whether the order of an operation that is idle and of another thread's operation can matter.
    pub fn idle_depends_on(&self, other: &Self) -> bool {
        common_parts(self, other)
            .any(|(_, part)| matches!(part, Part::Other | Part::Enter(_)) && !other.only_wakes())
    }

    /// Whether it is a signal to those who wait for a condition.
    fn only_wakes(&self) -> bool {
        matches!(self.call, Call::Condition(ConditionCall::Signal))
    }

    /// Whether it touches the object at an address.
    pub fn touches(&self, address: Address) -> bool {
        self.part(address).is_some()
    }

    /// Whether it only wants to have the object at an address together with others.
    pub fn shares(&self, address: Address) -> bool {
        matches!(self.part(address), Some(Part::Share | Part::Try { shared: true }))
    }

    /// The object, if all that it does is to wait for one and to have it then.
    pub fn takes(&self) -> Option<Address> {
        match self.parts() {
            [Some((object, Part::Take | Part::Share)), None] => Some(object),
            _ => None,
        }
    }

    fn part(&self, address: Address) -> Option<Part> {
        let mut parts = self.parts().into_iter().flatten();
        parts.find(|(object, _)| *object == address).map(|(_, part)| part)
    }
}

/// The parts of two operations in each object that both touch.
fn common_parts(one: &Operation, two: &Operation) -> impl Iterator<Item = (Part, Part)> {
    let (one, two) = (one.parts(), two.parts());
    one.into_iter().flatten().flat_map(move |(object, part)| {
        let same = two.into_iter().flatten().filter(move |(other, _)| *other == object);
        same.map(move |(_, other)| (part, other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Wait;
    use crate::mutex::MutexType;

    fn at(address: Address, call: impl Into<Call>) -> Operation {
        Operation::new(address, call)
    }

    fn lock(address: Address) -> Operation {
        at(address, MutexCall::Lock(MutexType::default(), Patience::Endless))
    }

    fn unlock(address: Address) -> Operation {
        at(address, MutexCall::Unlock(MutexType::default()))
    }

    #[test]
    fn different_objects_are_independent() {
        assert!(!lock(8).depends_on(&lock(16)));
        assert!(lock(8).depends_on(&lock(8)) && lock(8).may_meet(&lock(8)));
        assert!(lock(8).may_meet(&unlock(16)));
    }

    #[test]
    fn who_holds_a_lock_keeps_others_waiting() {
        assert!(lock(8).depends_on(&unlock(8)));
        assert!(!lock(8).may_meet(&unlock(8)) && !unlock(8).may_meet(&lock(8)));
        let try_lock = at(8, MutexCall::Lock(MutexType::default(), Patience::Never));
        assert!(try_lock.depends_on(&unlock(8)) && try_lock.may_meet(&unlock(8)));
    }

    #[test]
    fn a_wait_is_part_of_two_objects() {
        let wait = Wait { mutex: 24, attributes: MutexType::default(), timed: false };
        let first = at(8, ConditionCall::Wait(wait));
        let second = at(8, ConditionCall::Return(wait));
        assert!(first.depends_on(&lock(24)) && !first.may_meet(&lock(24)));
        assert!(second.depends_on(&lock(24)) && second.may_meet(&lock(24)));
        assert!(second.depends_on(&at(8, ConditionCall::Signal)));
        // Two conditions with one mutex: the second halves want the same.
        assert!(second.depends_on(&at(16, ConditionCall::Return(wait))));
        let again = at(8, ConditionCall::Relock(wait, 0));
        assert!(again.touches(24) && !again.touches(8));
    }

    #[test]
    fn who_waits_for_a_condition_makes_signals_matter() {
        let wait = |mutex| Wait { mutex, attributes: MutexType::default(), timed: false };
        let enter = |mutex| at(8, ConditionCall::Wait(wait(mutex)));
        let (signal, broadcast) = (at(8, ConditionCall::Signal), at(8, ConditionCall::Broadcast));
        assert!(!enter(24).depends_on(&enter(24)), "those who wait are a set");
        assert!(enter(24).depends_on(&enter(32)), "one of them mixes mutexes");
        assert!(!broadcast.depends_on(&broadcast) && broadcast.depends_on(&signal));
        assert!(signal.depends_on(&signal) && signal.depends_on(&enter(24)));
        for idle in [signal, broadcast] {
            assert!(!idle.idle_depends_on(&signal) && !idle.idle_depends_on(&broadcast));
            assert!(idle.idle_depends_on(&enter(24)));
            assert!(idle.idle_depends_on(&at(8, ConditionCall::Destroy)));
        }
    }

    #[test]
    fn further_levels_of_a_mutex_are_nobody_elses_business() {
        let recursive = MutexType { kind: MutexKind::Recursive, robust: false, marked: false };
        let again = at(8, MutexCall::Lock(recursive, Patience::Endless));
        let tried = at(8, MutexCall::Lock(recursive, Patience::Never));
        assert!(again.depends_on(&tried) && !again.idle_depends_on(&tried));
        assert!(!again.idle_depends_on(&unlock(8)) && !again.idle_depends_on(&again));
        assert!(again.idle_depends_on(&at(8, MutexCall::Destroy)));
    }

    #[test]
    fn readers_and_posts_commute() {
        let read = at(8, ReadWriteCall::Read(Patience::Endless));
        let try_read = at(8, ReadWriteCall::Read(Patience::Never));
        let write = at(8, ReadWriteCall::Write(Patience::Endless));
        assert!(!read.depends_on(&try_read) && read.depends_on(&write));
        assert!(read.shares(8) && try_read.shares(8) && !read.shares(16) && !write.shares(8));
        let (post, wait) =
            (at(8, SemaphoreCall::Post), at(8, SemaphoreCall::Wait(Patience::Endless)));
        assert!(!post.depends_on(&post) && post.depends_on(&wait) && wait.depends_on(&wait));
        assert!(wait.may_meet(&post), "a semaphore above 0 can be taken and raised");
        let value = at(8, SemaphoreCall::Value);
        assert!(!value.depends_on(&value) && value.depends_on(&post));
    }
}
