//! Memory that threads have claimed for themselves: which bytes of an address space, and who.
//!
//! A claim is part of a state; by which calls it came about is not, so claims of one thread that touch
//! are one. Looking something up costs the logarithm of their number.
//!
//! Why accesses under a claim may be invisible. Claims are made and given back by steps of their own,
//! and so is every access to bytes that somebody claims somewhere, unless its own thread has them
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

/// Bytes that a thread has claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Claim {
    start: u32,
    /// The last byte.
    last: u32,
    thread: ThreadId,
}

/// The claims of an address space, ascending, without overlaps.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Claims(Vec<Claim>);

impl Claims {
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The claims that overlap bytes.
    fn overlapping(&self, start: u32, last: u32) -> &[Claim] {
        let from = self.0.partition_point(|claim| claim.last < start);
        let to = self.0.partition_point(|claim| claim.start <= last);
        &self.0[from..to.max(from)]
    }

    /// Whether some of the bytes are claimed.
    pub fn touch(&self, start: u32, last: u32) -> bool {
        !self.overlapping(start, last).is_empty()
    }

    /// Whether a thread has claimed all of the bytes.
    pub fn cover(&self, start: u32, last: u32, thread: ThreadId) -> bool {
        // Claims of one thread that touch are one.
        let found = self.overlapping(start, last);
        matches!(found, [it] if it.thread == thread && it.start <= start && it.last >= last)
    }

    /// Another thread that has claimed some of the bytes.
    pub fn other(&self, start: u32, last: u32, thread: ThreadId) -> Option<ThreadId> {
        let others = self.overlapping(start, last).iter().map(|claim| claim.thread);
        others.into_iter().find(|owner| *owner != thread)
    }

    /// A thread claims bytes of which no other one has claimed any.
    pub fn claim(&mut self, start: u32, last: u32, thread: ThreadId) {
        let mut new = Claim { start, last, thread };
        let (near, far) = (start.saturating_sub(1), last.saturating_add(1));
        self.0.retain(|claim| {
            let joins = claim.thread == thread && claim.last >= near && claim.start <= far;
            if joins {
                new.start = new.start.min(claim.start);
                new.last = new.last.max(claim.last);
            }
            !joins
        });
        let position = self.0.partition_point(|claim| claim.start < new.start);
        self.0.insert(position, new);
    }

    /// A thread claims bytes no longer.
    pub fn give_back(&mut self, start: u32, last: u32, thread: ThreadId) {
        let mut left = Vec::with_capacity(self.0.len() + 1);
        for claim in self.0.drain(..) {
            if claim.thread != thread || claim.last < start || claim.start > last {
                left.push(claim);
                continue;
            }
            if claim.start < start {
                left.push(Claim { last: start - 1, ..claim });
            }
            if claim.last > last {
                left.push(Claim { start: last + 1, ..claim });
            }
        }
        self.0 = left;
    }

    /// A thread is gone: it claims nothing.
    pub fn forget(&mut self, thread: ThreadId) {
        self.0.retain(|claim| claim.thread != thread);
    }

    /// Whether a thread claims something.
    pub fn has(&self, thread: ThreadId) -> bool {
        self.0.iter().any(|claim| claim.thread == thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: u32 = 40;

    /// The naive twin: the owner of each byte.
    fn owners(claims: &Claims) -> Vec<Option<ThreadId>> {
        let owner = |byte: u32| {
            let found: Vec<&Claim> =
                claims.0.iter().filter(|it| it.start <= byte && byte <= it.last).collect();
            assert!(found.len() <= 1, "{claims:?}");
            found.first().map(|it| it.thread)
        };
        (0..BYTES).map(owner).collect()
    }

    #[test]
    fn claims_are_what_each_byte_says() {
        let mut seed = 3u32;
        let mut below = |count: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % count
        };
        for _ in 0..500 {
            let mut claims = Claims::default();
            let mut bytes: Vec<Option<ThreadId>> = vec![None; BYTES as usize];
            for _ in 0..12 {
                let thread = ThreadId(1 + below(3));
                let start = below(BYTES);
                let last = start + below(BYTES - start);
                let range = start as usize..=last as usize;
                let other = bytes[range.clone()].iter().flatten().find(|it| **it != thread);
                assert_eq!(claims.other(start, last, thread).is_some(), other.is_some());
                assert_eq!(
                    claims.touch(start, last),
                    bytes[range.clone()].iter().any(Option::is_some)
                );
                let covered = bytes[range.clone()].iter().all(|it| *it == Some(thread));
                assert_eq!(claims.cover(start, last, thread), covered);
                match below(5) {
                    0 => {
                        claims.give_back(start, last, thread);
                        let own = |it: &&mut Option<ThreadId>| **it == Some(thread);
                        bytes[range].iter_mut().filter(own).for_each(|it| *it = None);
                    }
                    1 if below(4) == 0 => {
                        claims.forget(thread);
                        let own = |it: &&mut Option<ThreadId>| **it == Some(thread);
                        bytes.iter_mut().filter(own).for_each(|it| *it = None);
                    }
                    _ if other.is_none() => {
                        claims.claim(start, last, thread);
                        bytes[range].fill(Some(thread));
                    }
                    _ => {}
                }
                assert_eq!(owners(&claims), bytes);
                // The same bytes are the same claims.
                let touches = |two: &[Claim]| {
                    two[0].thread == two[1].thread && two[0].last + 1 >= two[1].start
                };
                assert!(
                    claims.0.is_sorted_by_key(|it| it.start) && !claims.0.windows(2).any(touches)
                );
            }
        }
    }
}
