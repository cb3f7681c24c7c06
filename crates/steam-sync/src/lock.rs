//! StEAM's own locks: `VLOCK` and `VUNLOCK` on any address, not recursive.

use crate::choices::Choices;
use crate::misuse::{Misuse, MisuseKind};
use crate::object::{Family, Object, State, Thread};
use crate::operation::Done;

/// Who holds a `VLOCK` lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LockState {
    pub(crate) owner: Option<Thread>,
}

/// An operation on a `VLOCK` lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockCall {
    /// `VLOCK`.
    Lock,
    /// `VUNLOCK`.
    Unlock,
}

impl State for LockState {
    const FAMILY: Family = Family::Lock;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::Lock(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self.owner.is_none() { Object::Idle } else { Object::Lock(self) }
    }
}

impl LockState {
    /// The thread that holds the lock.
    pub fn owner(&self) -> Option<Thread> {
        self.owner
    }
}

impl LockCall {
    pub(crate) fn choices(self, state: &LockState) -> Choices {
        match self {
            Self::Lock => Choices::usual_if(state.owner.is_none()),
            Self::Unlock => Choices::USUAL,
        }
    }

    pub(crate) fn perform(self, state: &mut LockState, thread: Thread) -> Result<Done, Misuse> {
        match self {
            Self::Lock => state.owner = Some(thread),
            Self::Unlock if state.owner == Some(thread) => state.owner = None,
            Self::Unlock => {
                let (kind, family) = (MisuseKind::BadUnlock, Family::Lock);
                return Err(Misuse { kind, family, thread, other: state.owner });
            }
        }
        Ok(Done::Returns(0))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lock => "VLOCK",
            Self::Unlock => "VUNLOCK",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn a_lock_has_one_owner_and_is_not_recursive() {
        let mut table = Table::default();
        assert_eq!(table.result(1, 8, LockCall::Lock), 0);
        assert_eq!(table.blockers(1, 8, LockCall::Lock), [1]);
        assert_eq!(table.blockers(2, 8, LockCall::Lock), [1]);
        let text = "thread 2 unlocks a VLOCK lock that thread 1 holds";
        assert_eq!(table.misuse(2, 8, LockCall::Unlock), ("bad-unlock", text.into()));
        assert_eq!(table.result(1, 8, LockCall::Unlock), 0);
        assert!(table.is_idle());
        assert_eq!(table.misuse(1, 8, LockCall::Unlock).0, "bad-unlock");
    }
}
