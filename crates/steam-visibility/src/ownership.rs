//! Memory that threads own, because they said that they do: which bytes of an address space, and who.
//!
//! Ownership is part of a state; by which calls it came about is not, so ranges of one thread that touch
//! are one. Looking something up costs the logarithm of their number.
//!
//! Why accesses under a claim may be invisible. Claims are made and given back by steps of their own,
//! and so is every access to bytes that a thread claims somewhere, unless its own thread has them
//! claimed (which bytes these are is learned, [`MemoryFact::Claimed`](crate::MemoryFact::Claimed)). Let thread A be
//! about to make an access t to bytes that it has claimed, in a state s, and let w be steps of others
//! from s on, the last of them being the first that depends on t. While w is done A does not move and
//! has its claim; so the last step touches or claims bytes that another thread has claimed, which is an
//! error. The steps of w before it do not depend on t, so they can be done after t, too; A still has its
//! claim then, and the same error is found. So a search that found no error has left out nothing.
//!
//! That needs a state in which A has its claim and others may run. The end of a thread is no step, so it
//! ends no claim: who joins the thread does. A signal handler may come in the middle of what its own
//! thread does, so that where there are handlers, accesses under a claim are as visible as others.

use steam_state::ThreadId;

/// Bytes that a thread owns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct OwnedRange {
    start: u32,
    /// The last byte.
    last: u32,
    thread: ThreadId,
}

/// What is owned in an address space: ranges, ascending, without overlaps.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ownership(Vec<OwnedRange>);

impl Ownership {
    /// Whether nothing is owned.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges that overlap bytes.
    fn overlapping(&self, start: u32, last: u32) -> &[OwnedRange] {
        let from = self.0.partition_point(|range| range.last < start);
        let to = self.0.partition_point(|range| range.start <= last);
        &self.0[from..to.max(from)]
    }

    /// Whether some of the bytes are owned.
    pub fn touch(&self, start: u32, last: u32) -> bool {
        !self.overlapping(start, last).is_empty()
    }

    /// Whether a thread owns all of the bytes.
    pub fn cover(&self, start: u32, last: u32, thread: ThreadId) -> bool {
        // Ranges of one thread that touch are one.
        let found = self.overlapping(start, last);
        matches!(found, [claim] if claim.thread == thread && claim.start <= start && claim.last >= last)
    }

    /// Another thread that owns some of the bytes.
    pub fn other(&self, start: u32, last: u32, thread: ThreadId) -> Option<ThreadId> {
        let others = self.overlapping(start, last).iter().map(|range| range.thread);
        others.into_iter().find(|owner| *owner != thread)
    }

    /// A thread takes bytes of which no other one owns any.
    pub fn take(&mut self, start: u32, last: u32, thread: ThreadId) {
        let mut new = OwnedRange { start, last, thread };
        let (near, far) = (start.saturating_sub(1), last.saturating_add(1));
        self.0.retain(|range| {
            let joins = range.thread == thread && range.last >= near && range.start <= far;
            if joins {
                new.start = new.start.min(range.start);
                new.last = new.last.max(range.last);
            }
            !joins
        });
        let position = self.0.partition_point(|range| range.start < new.start);
        self.0.insert(position, new);
    }

    /// A thread owns bytes no longer.
    pub fn give_back(&mut self, start: u32, last: u32, thread: ThreadId) {
        let mut left = Vec::with_capacity(self.0.len() + 1);
        for range in self.0.drain(..) {
            if range.thread != thread || range.last < start || range.start > last {
                left.push(range);
                continue;
            }
            if range.start < start {
                left.push(OwnedRange { last: start - 1, ..range });
            }
            if range.last > last {
                left.push(OwnedRange { start: last + 1, ..range });
            }
        }
        self.0 = left;
    }

    /// A thread is gone: it owns nothing.
    pub fn forget(&mut self, thread: ThreadId) {
        self.0.retain(|range| range.thread != thread);
    }

    /// Whether a thread owns something.
    pub fn has(&self, thread: ThreadId) -> bool {
        self.0.iter().any(|range| range.thread == thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: u32 = 40;

    /// The naive twin: the owner of each byte.
    fn owners(ownership: &Ownership) -> Vec<Option<ThreadId>> {
        let owner = |byte: u32| {
            let found: Vec<&OwnedRange> = ownership
                .0
                .iter()
                .filter(|claim| claim.start <= byte && byte <= claim.last)
                .collect();
            assert!(found.len() <= 1, "{ownership:?}");
            found.first().map(|claim| claim.thread)
        };
        (0..BYTES).map(owner).collect()
    }

    #[test]
    fn ownership_is_what_each_byte_says() {
        let mut seed = 3u32;
        let mut below = |count: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % count
        };
        for _ in 0..500 {
            let mut ownership = Ownership::default();
            let mut bytes: Vec<Option<ThreadId>> = vec![None; BYTES as usize];
            for _ in 0..12 {
                let thread = ThreadId(1 + below(3));
                let start = below(BYTES);
                let last = start + below(BYTES - start);
                let range = start as usize..=last as usize;
                let other = bytes[range.clone()].iter().flatten().find(|owner| **owner != thread);
                assert_eq!(ownership.other(start, last, thread).is_some(), other.is_some());
                assert_eq!(
                    ownership.touch(start, last),
                    bytes[range.clone()].iter().any(Option::is_some)
                );
                let covered = bytes[range.clone()].iter().all(|owner| *owner == Some(thread));
                assert_eq!(ownership.cover(start, last, thread), covered);
                match below(5) {
                    0 => {
                        ownership.give_back(start, last, thread);
                        let own = |owner: &&mut Option<ThreadId>| **owner == Some(thread);
                        bytes[range].iter_mut().filter(own).for_each(|owner| *owner = None);
                    }
                    1 if below(4) == 0 => {
                        ownership.forget(thread);
                        let own = |owner: &&mut Option<ThreadId>| **owner == Some(thread);
                        bytes.iter_mut().filter(own).for_each(|owner| *owner = None);
                    }
                    _ if other.is_none() => {
                        ownership.take(start, last, thread);
                        bytes[range].fill(Some(thread));
                    }
                    _ => {}
                }
                assert_eq!(owners(&ownership), bytes);
                // The same bytes are the same ranges.
                let touches = |two: &[OwnedRange]| {
                    two[0].thread == two[1].thread && two[0].last + 1 >= two[1].start
                };
                assert!(
                    ownership.0.is_sorted_by_key(|claim| claim.start)
                        && !ownership.0.windows(2).any(touches)
                );
            }
        }
    }
}
