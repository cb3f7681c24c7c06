//! Read-write locks: many readers or one writer.
//!
//! As in glibc's default, readers get in while readers hold the lock even if a writer waits, and
//! the writer that asks again gets `EDEADLK` (from the `try` functions `EBUSY`), whereas a reader
//! that wants to write waits for itself.

use crate::choices::{Choices, Patience};
use crate::errno::{EBUSY, EDEADLK, ETIMEDOUT};
use crate::misuse::{Misuse, MisuseKind};
use crate::object::{Family, Object, State, Thread};
use crate::operation::Done;

/// Who holds a read-write lock. At most one of `writer` and `readers` says anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadWriteState {
    pub(crate) writer: Option<Thread>,
    /// Ascending; a thread that holds several read locks occurs as often.
    pub(crate) readers: Vec<Thread>,
    /// Whether its bytes are known to say where it lies.
    marked: bool,
}

/// An operation on a read-write lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadWriteCall {
    /// `pthread_rwlock_init`.
    Initialise,
    /// `pthread_rwlock_destroy`.
    Destroy,
    /// `pthread_rwlock_rdlock`, `timedrdlock` and `tryrdlock`.
    Read(Patience),
    /// `pthread_rwlock_wrlock`, `timedwrlock` and `trywrlock`.
    Write(Patience),
    /// `pthread_rwlock_unlock`.
    Unlock,
}

impl State for ReadWriteState {
    const FAMILY: Family = Family::ReadWrite;

    fn of(object: &Object) -> Option<&Self> {
        if let Object::ReadWrite(state) = object { Some(state) } else { None }
    }

    fn into_object(self) -> Object {
        if self.holder().is_none() { Object::Idle } else { Object::ReadWrite(self) }
    }
}

impl ReadWriteState {
    /// The thread that holds the lock for writing.
    pub fn writer(&self) -> Option<Thread> {
        self.writer
    }

    /// The threads that hold the lock for reading, ascending, each as often as it holds it.
    pub fn readers(&self) -> &[Thread] {
        &self.readers
    }

    /// Whether its bytes are known to say where it lies, if a thread holds it.
    pub(crate) fn held_mark(&self) -> Option<bool> {
        self.holder().map(|_| self.marked)
    }

    /// From now on its bytes say where it lies.
    pub(crate) fn mark(&mut self) {
        self.marked = true;
    }

    fn holder(&self) -> Option<Thread> {
        self.writer.or(self.readers.first().copied())
    }

    /// The result of asking for a lock if that needs no waiting.
    fn result_at_once(&self, writes: bool, thread: Thread, patience: Patience) -> Option<i32> {
        match self.writer {
            Some(writer) if writer == thread && patience != Patience::Never => Some(EDEADLK),
            Some(_) => None,
            None if writes && !self.readers.is_empty() => None,
            None => Some(0),
        }
    }

    fn lock(&mut self, writes: bool, thread: Thread, patience: Patience) -> i32 {
        let Some(result) = self.result_at_once(writes, thread, patience) else {
            return if patience == Patience::Never { EBUSY } else { ETIMEDOUT };
        };
        if result == 0 && writes {
            self.writer = Some(thread);
        } else if result == 0 {
            let position = self.readers.partition_point(|&reader| reader < thread);
            self.readers.insert(position, thread);
        }
        result
    }

    fn unlock(&mut self, thread: Thread) -> Result<(), Misuse> {
        if self.writer == Some(thread) {
            self.writer = None;
        } else if let Ok(position) = self.readers.binary_search(&thread) {
            self.readers.remove(position);
        } else {
            return Err(self.misuse(MisuseKind::BadUnlock, thread));
        }
        Ok(())
    }

    fn unused(&self, thread: Thread, kind: MisuseKind) -> Result<(), Misuse> {
        if self.holder().is_some() { Err(self.misuse(kind, thread)) } else { Ok(()) }
    }

    fn misuse(&self, kind: MisuseKind, thread: Thread) -> Misuse {
        Misuse { kind, family: Family::ReadWrite, thread, other: self.holder() }
    }
}

impl ReadWriteCall {
    pub(crate) fn choices(self, state: &ReadWriteState, thread: Thread) -> Choices {
        let (writes, patience) = match self {
            Self::Read(patience) => (false, patience),
            Self::Write(patience) => (true, patience),
            Self::Initialise | Self::Destroy | Self::Unlock => return Choices::USUAL,
        };
        Choices::of_request(state.result_at_once(writes, thread, patience).is_some(), patience)
    }

    pub(crate) fn perform(
        self,
        state: &mut ReadWriteState,
        thread: Thread,
    ) -> Result<Done, Misuse> {
        match self {
            Self::Initialise => state.unused(thread, MisuseKind::InitLocked)?,
            Self::Destroy => state.unused(thread, MisuseKind::DestroyLocked)?,
            Self::Read(patience) => return Ok(Done::Returns(state.lock(false, thread, patience))),
            Self::Write(patience) => return Ok(Done::Returns(state.lock(true, thread, patience))),
            Self::Unlock => state.unlock(thread)?,
        }
        Ok(Done::Returns(0))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Initialise => "pthread_rwlock_init",
            Self::Destroy => "pthread_rwlock_destroy",
            Self::Read(Patience::Endless) => "pthread_rwlock_rdlock",
            Self::Read(Patience::Timed) => "pthread_rwlock_timedrdlock",
            Self::Read(Patience::Never) => "pthread_rwlock_tryrdlock",
            Self::Write(Patience::Endless) => "pthread_rwlock_wrlock",
            Self::Write(Patience::Timed) => "pthread_rwlock_timedwrlock",
            Self::Write(Patience::Never) => "pthread_rwlock_trywrlock",
            Self::Unlock => "pthread_rwlock_unlock",
        }
    }

    /// Whether it sees if the lock is free without waiting until it is.
    pub(crate) fn observes(self) -> bool {
        match self {
            Self::Read(patience) | Self::Write(patience) => patience != Patience::Endless,
            Self::Initialise | Self::Destroy => true,
            Self::Unlock => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SyncChoice;
    use crate::table::Table;

    const READ: ReadWriteCall = ReadWriteCall::Read(Patience::Endless);
    const WRITE: ReadWriteCall = ReadWriteCall::Write(Patience::Endless);

    #[test]
    fn readers_share_and_a_writer_waits_for_all_of_them() {
        let mut table = Table::default();
        for thread in [3, 1, 3] {
            assert_eq!(table.result(thread, 8, READ), 0);
        }
        assert_eq!(table.holders(8), [1, 3]);
        assert_eq!(table.0[&8].held_count(Thread(3)), 2);
        assert!(table.choices(2, 8, WRITE).is_empty());
        assert_eq!(table.blockers(2, 8, WRITE), [1, 3]);
        assert_eq!(table.blockers(3, 8, WRITE), [1, 3]);
        assert_eq!(
            table.choices(2, 8, ReadWriteCall::Write(Patience::Timed)),
            [SyncChoice::TimeOver]
        );
        assert_eq!(table.result(2, 8, ReadWriteCall::Write(Patience::Never)), EBUSY);
        for thread in [3, 3, 1] {
            assert_eq!(table.result(thread, 8, ReadWriteCall::Unlock), 0);
        }
        assert!(table.is_idle());
        assert_eq!(table.result(2, 8, WRITE), 0);
        assert_eq!(table.blockers(1, 8, READ), [2]);
    }

    /// The results are those that glibc 2.36 gave for the same calls.
    #[test]
    fn a_writer_that_asks_again_is_told() {
        let mut table = Table::default();
        table.result(1, 8, WRITE);
        for patience in [Patience::Endless, Patience::Timed] {
            assert_eq!(table.result(1, 8, ReadWriteCall::Read(patience)), EDEADLK);
            assert_eq!(table.result(1, 8, ReadWriteCall::Write(patience)), EDEADLK);
        }
        assert_eq!(table.result(1, 8, ReadWriteCall::Read(Patience::Never)), EBUSY);
        assert_eq!(table.result(1, 8, ReadWriteCall::Write(Patience::Never)), EBUSY);
        assert_eq!(table.result(2, 8, ReadWriteCall::Read(Patience::Timed)), ETIMEDOUT);
    }

    #[test]
    fn misuses_are_reported() {
        let mut table = Table::default();
        assert_eq!(table.misuse(1, 8, ReadWriteCall::Unlock).0, "bad-unlock");
        table.result(1, 8, READ);
        let text = "thread 2 unlocks a read-write lock that thread 1 holds";
        assert_eq!(table.misuse(2, 8, ReadWriteCall::Unlock).1, text);
        assert_eq!(table.misuse(1, 8, ReadWriteCall::Destroy).0, "destroy-locked");
        assert_eq!(table.misuse(1, 8, ReadWriteCall::Initialise).0, "init-locked");
        table.result(1, 8, ReadWriteCall::Unlock);
        assert_eq!(table.result(2, 8, ReadWriteCall::Destroy), 0);
    }
}
