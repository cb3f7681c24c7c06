//! POSIX semaphores: a number that waits while it is 0.
//!
//! Results are error numbers; that `sem_*` functions return -1 and set `errno` is the caller's
//! business. Who waits is not known here, so that destroying a semaphore is never a misuse.

use crate::choices::{Choices, Patience};
use crate::errno::{EAGAIN, EINVAL, EOVERFLOW, ETIMEDOUT};
use crate::object::{Family, Object, State};
use crate::operation::Done;

/// The greatest value of a semaphore.
pub const VALUE_LIMIT: u32 = 0x7fff_ffff;

/// The value of a semaphore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemaphoreState {
    value: u32,
}

/// An operation on a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SemaphoreCall {
    /// `sem_init`, or `sem_open` of a new semaphore, with the value.
    Initialise(u32),
    /// `sem_destroy`.
    Destroy,
    /// `sem_wait`, `timedwait` and `trywait`.
    Wait(Patience),
    /// `sem_post`.
    Post,
    /// `sem_getvalue`.
    Value,
}

impl State for SemaphoreState {
    const FAMILY: Family = Family::Semaphore;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::Semaphore(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self.value == 0 { Object::Idle } else { Object::Semaphore(self) }
    }
}

impl SemaphoreState {
    /// The value.
    pub fn value(&self) -> u32 {
        self.value
    }

    fn initialise(&mut self, value: u32) -> i32 {
        if value > VALUE_LIMIT {
            return EINVAL;
        }
        self.value = value;
        0
    }

    fn take(&mut self, patience: Patience) -> i32 {
        match self.value.checked_sub(1) {
            Some(value) => {
                self.value = value;
                0
            }
            None if patience == Patience::Never => EAGAIN,
            None => ETIMEDOUT,
        }
    }

    fn post(&mut self) -> i32 {
        if self.value >= VALUE_LIMIT {
            return EOVERFLOW;
        }
        self.value += 1;
        0
    }
}

impl SemaphoreCall {
    pub(crate) fn choices(self, state: &SemaphoreState) -> Choices {
        match self {
            Self::Wait(patience) => Choices::of_request(state.value > 0, patience),
            Self::Initialise(_) | Self::Destroy | Self::Post | Self::Value => Choices::USUAL,
        }
    }

    pub(crate) fn perform(self, state: &mut SemaphoreState) -> Done {
        Done::Returns(match self {
            Self::Initialise(value) => state.initialise(value),
            Self::Destroy => state.initialise(0),
            Self::Wait(patience) => state.take(patience),
            Self::Post => state.post(),
            Self::Value => return Done::Value(state.value),
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Initialise(_) => "sem_init",
            Self::Destroy => "sem_destroy",
            Self::Wait(Patience::Endless) => "sem_wait",
            Self::Wait(Patience::Timed) => "sem_timedwait",
            Self::Wait(Patience::Never) => "sem_trywait",
            Self::Post => "sem_post",
            Self::Value => "sem_getvalue",
        }
    }

    /// Whether it sees the value without waiting until it is above 0.
    pub(crate) fn observes(self) -> bool {
        matches!(self, Self::Wait(Patience::Timed | Patience::Never) | Self::Value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SyncChoice;
    use crate::table::Table;

    const WAIT: SemaphoreCall = SemaphoreCall::Wait(Patience::Endless);

    #[test]
    fn a_semaphore_lets_through_as_many_as_were_posted() {
        let mut table = Table::default();
        assert_eq!(table.result(1, 8, SemaphoreCall::Initialise(1)), 0);
        assert_eq!(table.result(1, 8, SemaphoreCall::Post), 0);
        assert_eq!(table.choose(SyncChoice::USUAL, 1, 8, SemaphoreCall::Value), Ok(Done::Value(2)));
        assert_eq!(table.result(2, 8, WAIT), 0);
        assert_eq!(table.result(3, 8, SemaphoreCall::Wait(Patience::Never)), 0);
        assert!(table.is_idle());
        assert!(table.choices(2, 8, WAIT).is_empty());
        assert!(table.blockers(2, 8, WAIT).is_empty());
        assert_eq!(
            table.choices(2, 8, SemaphoreCall::Wait(Patience::Timed)),
            [SyncChoice::TimeOver]
        );
        assert_eq!(table.result(2, 8, SemaphoreCall::Wait(Patience::Timed)), ETIMEDOUT);
        assert_eq!(table.result(2, 8, SemaphoreCall::Wait(Patience::Never)), EAGAIN);
    }

    #[test]
    fn a_semaphore_has_a_greatest_value() {
        let mut table = Table::default();
        assert_eq!(table.result(1, 8, SemaphoreCall::Initialise(VALUE_LIMIT + 1)), EINVAL);
        assert_eq!(table.result(1, 8, SemaphoreCall::Initialise(VALUE_LIMIT)), 0);
        assert_eq!(table.result(1, 8, SemaphoreCall::Post), EOVERFLOW);
        assert_eq!(
            table.choose(SyncChoice::USUAL, 1, 8, SemaphoreCall::Value),
            Ok(Done::Value(VALUE_LIMIT))
        );
        assert_eq!(table.result(1, 8, SemaphoreCall::Destroy), 0);
        assert!(table.is_idle());
    }

    #[test]
    fn what_nobody_uses_may_become_something_else() {
        let mut table = Table::default();
        table.result(1, 8, SemaphoreCall::Initialise(3));
        assert_eq!(table.result(1, 8, crate::SpinCall::Lock), 0);
        let text = "thread 2 uses as a semaphore what is a spin lock that thread 1 uses";
        assert_eq!(table.misuse(2, 8, WAIT), ("wrong-object", text.into()));
    }
}
