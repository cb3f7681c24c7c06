//! Who touched a word or a page in an iteration of a search, and whether it counts as shared.
//!
//! Two accesses conflict when different threads make them and one writes, unless their order is
//! always the same. One such order is kept apart, because programs hand over arguments to threads by
//! it: what the first thread does before it creates another one comes before all that the other one
//! does, and before all that threads do which descend from that one. So accesses of the first thread
//! carry the number of threads that it had created by then, and those of others the number of the
//! creation that they descend from: with k of the first and c of the other thread, they are ordered
//! when k < c. That holds in each execution that contains both, because both are numbers of the first
//! thread's own steps; therefore one cell can sum up the accesses of all executions.
//!
//! It would not be enough that the other thread did not live yet: it may be created by a third one,
//! in a step that can come earlier or later than the access.
//!
//! All other bits are as before a conflict: the first of the other threads that came, whether there
//! were several, whether one of them wrote.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use steam_state::ThreadId;

/// Where a thread stands among the threads that the first thread creates: for the first thread how
/// many it has created, for another one which of these creations it descends from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Epoch(u8);

impl Epoch {
    /// From here on epochs are not distinguished: the first thread counts as late and others as early.
    const LAST: u8 = 62;

    /// The epoch after this one.
    pub fn next(self) -> Self {
        Self((self.0 + 1).min(Self::LAST))
    }
}

/// Who touches something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// The thread.
    pub thread: ThreadId,
    /// Where it stands.
    pub epoch: Epoch,
}

impl From<ThreadId> for Visitor {
    /// A thread of which it is not known where it stands: it is ordered with no other.
    fn from(thread: ThreadId) -> Self {
        let epoch = if thread == ThreadId::FIRST { Epoch(Epoch::LAST) } else { Epoch(0) };
        Self { thread, epoch }
    }
}

/// The bits of a thread's number; above them stands in how many handlers it is.
const NUMBERS: u32 = 12;

/// From so many handlers on they are not distinguished: what is touched there conflicts with itself. A thread that has
/// jumped out of a handler counts as one in so many.
pub const MOST_HANDLERS: u32 = 15;

/// Who touches what a thread touches while it is in so many handlers: each counts as a thread of its own.
pub fn in_handlers(thread: ThreadId, handlers: u32) -> ThreadId {
    ThreadId(thread.0 | handlers.min(MOST_HANDLERS) << NUMBERS)
}

/// Whether what a thread touches, by the number that [`in_handlers`] gives, conflicts with itself.
pub(super) fn is_several(thread: ThreadId) -> bool {
    thread.0 >> NUMBERS == MOST_HANDLERS
}

/// Low bits: one more than the number of the first of the other threads that came; 0 for none.
const OTHER: u64 = 0xffff;
/// Several of the other threads came.
const SEVERAL: u64 = 1 << 16;
/// One of the other threads wrote.
const WRITTEN: u64 = 1 << 17;
/// From the next iteration on, this counts as shared (a word) or tracked (a page).
const NEXT: u64 = 1 << 18;
/// This counts as shared (a word) or tracked (a page).
const NOW: u64 = 1 << 19;
/// The number of the one thread that writes, 0 for none; 12 bits.
const WRITER: u32 = 20;
/// In place of a number: several threads write, or it is not known who does.
pub(super) const ANY_WRITER: u32 = 0xfff;
/// Two epochs of the first thread, each one more than the latest at which it read or wrote; two of
/// the others, each one more than the earliest at which one of them did. 0 for none.
const FIRST_READ: u32 = 32;
const FIRST_WRITE: u32 = 40;
const OTHER_READ: u32 = 48;
const OTHER_WRITE: u32 = 56;

fn field(bits: u64, place: u32) -> u64 {
    bits >> place & 0xff
}

fn with_field(bits: u64, place: u32, value: u64) -> u64 {
    bits & !(0xff << place) | value << place
}

fn writer_of(bits: u64) -> u32 {
    (bits >> WRITER) as u32 & ANY_WRITER
}

fn with_writer(bits: u64, writer: u32) -> u64 {
    bits & !(u64::from(ANY_WRITER) << WRITER) | u64::from(writer) << WRITER
}

/// Who touched a word or a page in this iteration, and whether it counts as shared.
#[derive(Default)]
pub(super) struct Cell(AtomicU64);

impl Cell {
    /// A cell that knows the same.
    pub(super) fn copy(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Relaxed)))
    }

    /// A thread touches it. First: whether others can observe when. Second: whether something new was found.
    pub(super) fn visit(&self, visitor: Visitor, write: bool) -> (bool, bool) {
        if self.is_marked() {
            return self.meet(visitor.thread, write);
        }
        (false, self.touch(visitor, write))
    }

    pub(super) fn is_marked(&self) -> bool {
        self.0.load(Relaxed) & NOW != 0
    }

    /// Whether it will count as shared from the next iteration on, and does not yet.
    pub(super) fn will_be_marked(&self) -> bool {
        self.0.load(Relaxed) & (NOW | NEXT) == NEXT
    }

    /// Notes a visit; whether it makes the cell shared from the next iteration on.
    pub(super) fn touch(&self, visitor: Visitor, write: bool) -> bool {
        let mut seen = self.0.load(Relaxed);
        loop {
            let mut new = visited(seen, visitor, write);
            let conflict = new & (NOW | NEXT) == 0 && conflicts(new);
            if conflict {
                new |= NEXT;
            }
            if new == seen {
                return false;
            }
            match self.0.compare_exchange_weak(seen, new, Relaxed, Relaxed) {
                Ok(_) => return conflict,
                Err(other) => seen = other,
            }
        }
    }

    /// A thread comes to a cell that counts as shared. First: whether others can observe when. No other
    /// observes when the only writer reads. Second: whether it is new that the thread writes.
    pub(super) fn meet(&self, thread: ThreadId, write: bool) -> (bool, bool) {
        let seen = self.0.load(Relaxed);
        let writer = writer_of(seen);
        let alone = writer != ANY_WRITER && writer == thread.0;
        let another = write && !alone && writer != ANY_WRITER && seen & NEXT == 0;
        let new = another && self.0.fetch_or(NEXT, Relaxed) & NEXT == 0;
        (write || !alone, new)
    }

    /// Lets the cell count as shared from the next iteration on; whether that is new.
    pub(super) fn mark(&self) -> bool {
        self.0.load(Relaxed) & (NOW | NEXT) == 0 && self.0.fetch_or(NEXT, Relaxed) & NEXT == 0
    }

    /// Lets the cell count as shared at once. No worker may be under way.
    pub(super) fn mark_now(&self) {
        let seen = self.0.load(Relaxed);
        if seen & NOW == 0 {
            self.0.store(with_writer(seen | NOW, ANY_WRITER), Relaxed);
        }
    }

    /// The same where it is known that accesses conflict, and who alone writes, if it is but one. Later
    /// calls in an iteration know better who does; where several workers call at once, who is not named is
    /// met in the next iteration.
    pub(super) fn mark_conflict(&self, writer: Option<ThreadId>) -> bool {
        let writer = writer.map_or(ANY_WRITER, |writer| writer.0.min(ANY_WRITER));
        let mut seen = self.0.load(Relaxed);
        loop {
            let new = with_writer(seen | NEXT, writer);
            match self.0.compare_exchange_weak(seen, new, Relaxed, Relaxed) {
                Ok(_) => return seen & (NOW | NEXT) == 0,
                Err(other) => seen = other,
            }
        }
    }

    /// The same for a word of which it is known who writes it.
    pub(super) fn mark_written_by(&self, writer: u32) {
        self.0.store(with_writer(NEXT, writer), Relaxed);
    }

    /// What was found counts. `any`: it does not matter who writes.
    pub(super) fn begin_iteration(&self, any: bool) {
        let seen = self.0.load(Relaxed);
        let writer = match (seen & (NOW | NEXT), writer_of(seen)) {
            (0, _) => return self.0.store(0, Relaxed),
            // Another thread writes too, or it is a word of a stack, which its owner writes.
            (marks, _) if marks == NOW | NEXT => ANY_WRITER,
            (_, 0) => ANY_WRITER,
            _ if any => ANY_WRITER,
            (_, writer) => writer,
        };
        self.0.store(with_writer(NOW, writer), Relaxed);
    }

    /// The only thread that writes; none where there are several.
    pub(super) fn writer(&self) -> Option<u32> {
        let writer = writer_of(self.0.load(Relaxed));
        (writer != ANY_WRITER).then_some(writer)
    }
}

/// A cell's bits after a visit.
fn visited(seen: u64, visitor: Visitor, write: bool) -> u64 {
    let Visitor { thread, epoch } = visitor;
    let mut new = seen;
    if write {
        let own = thread.0.min(ANY_WRITER);
        let writer = writer_of(seen);
        new = with_writer(new, if writer == 0 || writer == own { own } else { ANY_WRITER });
    }
    let epoch = u64::from(epoch.0) + 1;
    if thread == ThreadId::FIRST {
        let place = if write { FIRST_WRITE } else { FIRST_READ };
        return with_field(new, place, field(new, place).max(epoch));
    }
    let own = u64::from(thread.0 + 1) & OTHER;
    match new & OTHER {
        0 => new |= own,
        first if first != own => new |= SEVERAL,
        _ => {}
    }
    if is_several(thread) {
        new |= SEVERAL;
    }
    let place = if write { OTHER_WRITE } else { OTHER_READ };
    new |= if write { WRITTEN } else { 0 };
    let earliest = match field(new, place) {
        0 => epoch,
        known => known.min(epoch),
    };
    with_field(new, place, earliest)
}

/// Whether two of the visits conflict.
fn conflicts(bits: u64) -> bool {
    // The first thread has created k threads, and the other one descends from creation c <= k.
    let unordered = |first: u32, other: u32| {
        let (k, c) = (field(bits, first), field(bits, other));
        k != 0 && c != 0 && c <= k
    };
    // Threads other than the first one are ordered by nothing that is known here.
    bits & SEVERAL != 0 && bits & WRITTEN != 0
        // Beside the first thread one other: unordered, and one of the two writes.
        || unordered(FIRST_WRITE, OTHER_READ)
        || unordered(FIRST_WRITE, OTHER_WRITE)
        || unordered(FIRST_READ, OTHER_WRITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(thread: u32, epoch: u32) -> Visitor {
        let epoch = (0..epoch).fold(Epoch::default(), |epoch, _| epoch.next());
        Visitor { thread: ThreadId(thread), epoch }
    }

    /// The naive twin: all visits, each compared with each.
    fn naive(visits: &[(Visitor, bool)]) -> bool {
        let ordered = |first: Visitor, other: Visitor| {
            first.thread == ThreadId::FIRST && first.epoch < other.epoch
        };
        visits.iter().any(|&(one, writes)| {
            visits.iter().any(|&(other, reads_or_writes)| {
                let several = is_several(one.thread);
                (one.thread != other.thread || several)
                    && (writes || reads_or_writes)
                    && !ordered(one, other)
                    && !ordered(other, one)
            })
        })
    }

    #[test]
    fn a_cell_sums_up_what_all_pairs_of_visits_say() {
        let mut seed = 7u32;
        let mut below = |count: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % count
        };
        let mut conflicts = 0;
        for _ in 0..20_000 {
            let count = 1 + below(5) as usize;
            let mut visit = || {
                let (thread, handlers) =
                    (1 + below(3), [0, 0, 0, 1, MOST_HANDLERS][below(5) as usize]);
                let thread = in_handlers(ThreadId(thread), handlers).0;
                (visitor(thread, below(4)), below(3) == 0)
            };
            let visits: Vec<(Visitor, bool)> = (0..count).map(|_| visit()).collect();
            let cell = Cell::default();
            let found = visits.iter().filter(|(it, write)| cell.touch(*it, *write)).count();
            assert_eq!(found > 0, naive(&visits), "{visits:?}");
            assert!(found <= 1, "it is new only once: {visits:?}");
            conflicts += found;
        }
        assert!((2_000..18_000).contains(&conflicts), "{conflicts}");
    }

    #[test]
    fn what_is_handed_over_at_creation_is_no_conflict() {
        let cell = Cell::default();
        assert!(!cell.touch(visitor(1, 0), true));
        assert!(!cell.touch(visitor(2, 1), false) && !cell.touch(visitor(3, 2), false));
        assert!(cell.touch(visitor(1, 1), true), "thread 2 may read before or after");
        let late = Cell::default();
        assert!(!late.touch(visitor(2, 1), true));
        assert!(late.touch(visitor(1, 1), false));
    }

    #[test]
    fn beyond_the_last_epoch_nothing_is_ordered() {
        let cell = Cell::default();
        assert!(!cell.touch(visitor(1, 1000), true));
        assert!(cell.touch(visitor(2, 1001), false));
        let unknown = Cell::default();
        assert!(!unknown.touch(ThreadId(1).into(), true));
        assert!(unknown.touch(visitor(2, 1), false));
    }
}
