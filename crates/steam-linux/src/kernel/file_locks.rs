//! The locks on one file: those of `flock` on the whole of it, and those of `fcntl` on its parts.
//!
//! The two kinds do not know each other. Of each owner's locks on parts there is one form: they do not
//! overlap, neighbours of one sort are one, and all are in order.

use steam_state::ThreadId;

/// Who has a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockOwner {
    /// A process, by its first thread.
    Process(ThreadId),
    /// An open file description.
    Description(u32),
}

/// A lock on the bytes from `first` to `last`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileLock {
    /// Whose it is.
    pub owner: LockOwner,
    /// The first byte.
    pub first: u64,
    /// The last byte.
    pub last: u64,
    /// Whether it is for writing, so that no other process has one.
    pub exclusive: bool,
}

impl FileLock {
    /// A lock on a whole file.
    pub fn whole(owner: LockOwner, exclusive: bool) -> Self {
        Self { owner, first: 0, last: u64::MAX, exclusive }
    }

    fn meets(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    fn conflicts(&self, other: &Self) -> bool {
        self.owner != other.owner && (self.exclusive || other.exclusive) && self.meets(other)
    }

    /// What is left of a lock of the same owner where another one takes its place.
    fn without(self, other: &Self) -> impl Iterator<Item = Self> {
        let before = (self.first < other.first)
            .then(|| Self { last: self.last.min(other.first.saturating_sub(1)), ..self });
        let behind = (self.last > other.last)
            .then(|| Self { first: self.first.max(other.last.saturating_add(1)), ..self });
        before.into_iter().chain(behind)
    }
}

/// The locks on a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FileLocks {
    /// Those of `flock`.
    whole: Vec<FileLock>,
    /// Those of `fcntl`.
    parts: Vec<FileLock>,
}

impl FileLocks {
    fn kind(&self, parts: bool) -> &[FileLock] {
        if parts { &self.parts } else { &self.whole }
    }

    /// The locks that keep one from being taken, on parts or on the whole file.
    pub fn conflicts(&self, parts: bool, lock: FileLock) -> impl Iterator<Item = &FileLock> {
        self.kind(parts).iter().filter(move |other| lock.conflicts(other))
    }

    /// The lock of an owner on the whole file.
    pub fn of(&self, owner: LockOwner) -> Option<&FileLock> {
        self.whole.iter().find(|lock| lock.owner == owner)
    }

    /// Whether an owner has any lock here.
    pub fn has(&self, owner: LockOwner) -> bool {
        self.whole.iter().chain(&self.parts).any(|lock| lock.owner == owner)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.parts.is_empty()
    }

    /// Takes a lock that conflicts with none, in the place of what its owner has there.
    pub fn take(&mut self, parts: bool, lock: FileLock) {
        self.give_up(parts, lock);
        let locks = if parts { &mut self.parts } else { &mut self.whole };
        locks.push(lock);
        locks.sort_unstable();
        locks.dedup_by(|next, lock| {
            let one = next.owner == lock.owner && next.exclusive == lock.exclusive;
            let joins = one && next.first == lock.last.saturating_add(1);
            if joins {
                lock.last = next.last;
            }
            joins
        });
    }

    /// Gives up what the owner of a lock has where that one is.
    pub fn give_up(&mut self, parts: bool, lock: FileLock) {
        let locks = if parts { &mut self.parts } else { &mut self.whole };
        let rest = |own: FileLock| match own.owner == lock.owner {
            true => own.without(&lock).collect(),
            false => vec![own],
        };
        *locks = std::mem::take(locks).into_iter().flat_map(rest).collect();
    }

    /// Gives up all that an owner has.
    pub fn leave(&mut self, owner: LockOwner) {
        self.whole.retain(|lock| lock.owner != owner);
        self.parts.retain(|lock| lock.owner != owner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: LockOwner = LockOwner::Process(ThreadId(1));
    const OTHER: LockOwner = LockOwner::Process(ThreadId(2));

    fn lock(owner: LockOwner, first: u64, last: u64, exclusive: bool) -> FileLock {
        FileLock { owner, first, last, exclusive }
    }

    fn conflicts(locks: &FileLocks, wanted: FileLock) -> usize {
        locks.conflicts(true, wanted).count()
    }

    #[test]
    fn parts_conflict_where_they_meet_and_one_is_exclusive() {
        let mut locks = FileLocks::default();
        locks.take(true, lock(ONE, 10, 19, false));
        assert_eq!(conflicts(&locks, lock(OTHER, 0, 9, true)), 0);
        assert_eq!(conflicts(&locks, lock(OTHER, 19, 30, true)), 1);
        assert_eq!(conflicts(&locks, lock(OTHER, 0, u64::MAX, false)), 0);
        assert_eq!(conflicts(&locks, lock(ONE, 0, u64::MAX, true)), 0, "its own");
        assert_eq!(locks.conflicts(false, FileLock::whole(OTHER, true)).count(), 0, "flock");
    }

    #[test]
    fn locks_of_one_owner_are_split_and_joined() {
        let mut locks = FileLocks::default();
        locks.take(true, lock(ONE, 0, u64::MAX, true));
        locks.give_up(true, lock(ONE, 10, 19, true));
        assert_eq!(locks.parts, [lock(ONE, 0, 9, true), lock(ONE, 20, u64::MAX, true)]);
        locks.take(true, lock(ONE, 10, 14, false));
        assert_eq!(locks.parts.len(), 3);
        locks.take(true, lock(ONE, 10, 19, true));
        assert_eq!(locks.parts, [lock(ONE, 0, u64::MAX, true)]);
        locks.leave(ONE);
        assert!(locks.is_empty());
    }

    #[test]
    fn a_lock_on_the_whole_file_is_changed() {
        let owner = LockOwner::Description(3);
        let mut locks = FileLocks::default();
        locks.take(false, FileLock::whole(owner, false));
        locks.take(false, FileLock::whole(owner, true));
        assert_eq!(locks.of(owner), Some(&FileLock::whole(owner, true)));
        assert!(locks.has(owner) && !locks.has(ONE));
    }
}
