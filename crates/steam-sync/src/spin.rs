//! Spin locks: a thread that would spin is blocked, also if it waits for itself.

use crate::choices::Choices;
use crate::errno::EBUSY;
use crate::misuse::{Misuse, MisuseKind};
use crate::object::{Family, Object, State, Thread};
use crate::operation::Done;

/// Who holds a spin lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpinState {
    pub(crate) owner: Option<Thread>,
}

/// An operation on a spin lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpinCall {
    /// `pthread_spin_init`.
    Initialise,
    /// `pthread_spin_destroy`.
    Destroy,
    /// `pthread_spin_lock`.
    Lock,
    /// `pthread_spin_trylock`.
    Try,
    /// `pthread_spin_unlock`.
    Unlock,
}

impl State for SpinState {
    const FAMILY: Family = Family::Spin;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::Spin(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self.owner.is_none() { Object::Idle } else { Object::Spin(self) }
    }
}

impl SpinState {
    /// The thread that holds the lock.
    pub fn owner(&self) -> Option<Thread> {
        self.owner
    }

    fn unused(&self, thread: Thread, kind: MisuseKind) -> Result<(), Misuse> {
        if self.owner.is_some() { Err(self.misuse(kind, thread)) } else { Ok(()) }
    }

    fn misuse(&self, kind: MisuseKind, thread: Thread) -> Misuse {
        Misuse { kind, family: Family::Spin, thread, other: self.owner }
    }
}

impl SpinCall {
    /// What a call of glibc's one function for both unlocking and initialising means.
    ///
    /// On i386 `pthread_spin_init` and `pthread_spin_unlock` are two names of one address. For a
    /// thread that holds the lock it is an unlock. No other thread can change whether it does, so that
    /// this may be decided when the call is decoded.
    pub fn unlock_or_initialise(thread: Thread, object: &Object) -> Self {
        match SpinState::of(object) {
            Some(state) if state.owner == Some(thread) => Self::Unlock,
            _ => Self::Initialise,
        }
    }

    pub(crate) fn choices(self, state: &SpinState) -> Choices {
        match self {
            Self::Lock => Choices::usual_if(state.owner.is_none()),
            Self::Initialise | Self::Destroy | Self::Try | Self::Unlock => Choices::USUAL,
        }
    }

    pub(crate) fn perform(self, state: &mut SpinState, thread: Thread) -> Result<Done, Misuse> {
        match self {
            Self::Initialise => state.unused(thread, MisuseKind::InitLocked)?,
            Self::Destroy => state.unused(thread, MisuseKind::DestroyLocked)?,
            Self::Try if state.owner.is_some() => return Ok(Done::Returns(EBUSY)),
            Self::Lock | Self::Try => state.owner = Some(thread),
            Self::Unlock if state.owner != Some(thread) => {
                return Err(state.misuse(MisuseKind::BadUnlock, thread));
            }
            Self::Unlock => state.owner = None,
        }
        Ok(Done::Returns(0))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Initialise => "pthread_spin_init",
            Self::Destroy => "pthread_spin_destroy",
            Self::Lock => "pthread_spin_lock",
            Self::Try => "pthread_spin_trylock",
            Self::Unlock => "pthread_spin_unlock",
        }
    }

    /// Whether it sees if the lock is free without waiting until it is.
    pub(crate) fn observes(self) -> bool {
        matches!(self, Self::Try | Self::Initialise | Self::Destroy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn who_would_spin_is_blocked() {
        let mut table = Table::default();
        assert_eq!(table.result(1, 8, SpinCall::Lock), 0);
        assert_eq!(table.blockers(2, 8, SpinCall::Lock), [1]);
        assert_eq!(table.blockers(1, 8, SpinCall::Lock), [1]);
        assert_eq!(table.result(2, 8, SpinCall::Try), EBUSY);
        assert_eq!(table.result(1, 8, SpinCall::Unlock), 0);
        assert!(table.is_idle());
        assert_eq!(table.result(2, 8, SpinCall::Try), 0);
        assert_eq!(table.holders(8), [2]);
    }

    #[test]
    fn one_function_unlocks_and_initialises() {
        let mut table = Table::default();
        assert_eq!(SpinCall::unlock_or_initialise(Thread(1), &Object::Idle), SpinCall::Initialise);
        table.result(1, 8, SpinCall::Lock);
        assert_eq!(SpinCall::unlock_or_initialise(Thread(1), &table.0[&8]), SpinCall::Unlock);
        assert_eq!(SpinCall::unlock_or_initialise(Thread(2), &table.0[&8]), SpinCall::Initialise);
    }

    #[test]
    fn misuses_are_reported() {
        let mut table = Table::default();
        assert_eq!(table.misuse(1, 8, SpinCall::Unlock).0, "bad-unlock");
        table.result(1, 8, SpinCall::Lock);
        let text = "thread 2 unlocks a spin lock that thread 1 holds";
        assert_eq!(table.misuse(2, 8, SpinCall::Unlock).1, text);
        assert_eq!(table.misuse(2, 8, SpinCall::Initialise).0, "init-locked");
        assert_eq!(table.misuse(2, 8, SpinCall::Destroy).0, "destroy-locked");
    }
}
