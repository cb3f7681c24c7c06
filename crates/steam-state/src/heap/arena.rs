//! A thread's part of the heap: what was handed out there and what was freed.
//!
//! Frozen an arena is a row of words: the bytes in use, the number of large blocks and their
//! addresses, the number of counted sizes and for each the size and its count; then for each size of
//! freed spans the size, their number, and their addresses, oldest first, and the same for those that
//! others gave back, of which the number has its highest bit set. An arena from which nothing was
//! ever taken is the empty row.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Marks the number of spans that others gave back.
const RETURNED: u32 = 1 << 31;

/// A frozen arena.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Arena(Box<[u32]>);

impl Borrow<[u32]> for Arena {
    fn borrow(&self) -> &[u32] {
        &self.0
    }
}

impl Arena {
    pub(super) fn new(words: &[u32]) -> Self {
        Self(words.into())
    }

    /// How many bytes an arena owns beyond its own size.
    pub fn owned_bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// Bytes handed out from its space so far.
    pub(super) fn used(&self) -> u32 {
        self.0.first().copied().unwrap_or_default()
    }

    /// The addresses of its large blocks, ascending.
    pub(super) fn large(&self) -> &[u32] {
        let count = self.0.get(1).map_or(0, |&count| count as usize);
        self.0.get(2..2 + count).unwrap_or_default()
    }
}

/// An arena that is being changed.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveArena {
    /// Bytes handed out from the arena's space so far.
    pub used: u32,
    /// The addresses of blocks too long to be found from their last byte page by page, ascending.
    pub large: Vec<u32>,
    /// Spans that the arena's thread freed, by their size, oldest first; no queue is empty.
    free: BTreeMap<u32, VecDeque<u32>>,
    /// Spans that other threads freed, by their size; no set is empty. In which order they came
    /// makes no difference.
    returned: BTreeMap<u32, BTreeSet<u32>>,
    /// How many spans of a size were taken from fresh space, as far as that is counted.
    fresh: BTreeMap<u32, u32>,
}

impl LiveArena {
    /// Takes a frozen arena apart.
    pub(super) fn thaw(arena: &Arena) -> Self {
        let mut words = arena.0.iter().copied();
        let mut next = || words.next();
        let used = next().unwrap_or(0);
        let large = (0..next().unwrap_or(0)).map_while(|_| next()).collect();
        let counted = next().unwrap_or(0);
        let fresh = (0..counted).map_while(|_| next().zip(next())).collect();
        let (mut free, mut returned) = (BTreeMap::new(), BTreeMap::new());
        while let (Some(span), Some(count)) = (next(), next()) {
            let starts = (0..count & !RETURNED).map_while(|_| next());
            if count & RETURNED == 0 {
                free.insert(span, starts.collect());
            } else {
                returned.insert(span, starts.collect());
            }
        }
        Self { used, large, free, returned, fresh }
    }

    /// The words of the frozen arena.
    pub(super) fn freeze(&self) -> Vec<u32> {
        if self.used == 0 && self.large.is_empty() && self.returned.is_empty() {
            return Vec::new();
        }
        let mut words = vec![self.used, self.large.len() as u32];
        words.extend(&self.large);
        words.push(self.fresh.len() as u32);
        words.extend(self.fresh.iter().flat_map(|(&span, &count)| [span, count]));
        for (&span, starts) in &self.free {
            words.extend([span, starts.len() as u32]);
            words.extend(starts);
        }
        for (&span, starts) in &self.returned {
            words.extend([span, starts.len() as u32 | RETURNED]);
            words.extend(starts);
        }
        words
    }

    /// Counts one more span of a size that is taken from fresh space; false if that were more than
    /// `most`.
    pub(super) fn count_fresh(&mut self, span: u32, most: u32) -> bool {
        let count = self.fresh.entry(span).or_default();
        let counts = *count < most;
        *count += u32::from(counts);
        counts
    }

    /// Keeps a span that another thread freed.
    pub(super) fn give_back(&mut self, span: u32, start: u32) {
        self.returned.entry(span).or_default().insert(start);
    }

    /// The first span of a size that another thread freed.
    pub(super) fn take_returned(&mut self, span: u32) -> Option<u32> {
        let starts = self.returned.get_mut(&span)?;
        let start = starts.pop_first();
        if starts.is_empty() {
            self.returned.remove(&span);
        }
        start
    }

    /// Keeps a freed span.
    pub(super) fn give(&mut self, span: u32, start: u32) {
        self.free.entry(span).or_default().push_back(start);
    }

    /// The oldest freed span of a size, if more than `resting` of them wait.
    pub(super) fn take(&mut self, span: u32, resting: u32) -> Option<u32> {
        let starts = self.free.get_mut(&span)?;
        if starts.len() <= resting as usize {
            return None;
        }
        let start = starts.pop_front();
        if starts.is_empty() {
            self.free.remove(&span);
        }
        start
    }

    /// Forgets freed spans that overlap `start..end`, which is in use again.
    pub(super) fn forget(&mut self, start: u32, end: u32) {
        self.free.retain(|&span, starts| {
            starts.retain(|&freed| freed >= end || freed + span <= start);
            !starts.is_empty()
        });
        self.returned.retain(|&span, starts| {
            starts.retain(|&freed| freed >= end || freed + span <= start);
            !starts.is_empty()
        });
    }

    /// Notes the address of a large block.
    pub(super) fn enter_large(&mut self, address: u32) {
        let place = self.large.partition_point(|&other| other < address);
        self.large.insert(place, address);
    }

    /// Forgets the address of a large block.
    pub(super) fn leave_large(&mut self, address: u32) {
        self.large.retain(|&other| other != address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_arena_thaws_to_itself() {
        let mut arena = LiveArena { used: 4096, ..LiveArena::default() };
        for start in [64, 128, 0, 4000] {
            arena.give(32, start);
            arena.give(48, start + 1000);
            arena.enter_large(start);
            arena.give_back(32, start + 2000);
        }
        assert!(arena.count_fresh(32, 2) && arena.count_fresh(32, 2) && arena.count_fresh(64, 2));
        assert!(!arena.count_fresh(32, 2));
        assert_eq!(arena.take(32, 3), Some(64));
        let frozen = Arena::new(&arena.freeze());
        assert_eq!(frozen.large(), [0, 64, 128, 4000]);
        let mut again = LiveArena::thaw(&frozen);
        assert_eq!(again.freeze(), arena.freeze());
        assert_eq!((again.take(32, 3), again.take(32, 0)), (None, Some(128)));
        assert_eq!((again.take_returned(32), again.take_returned(48)), (Some(2000), None));
        assert_eq!(LiveArena::thaw(&Arena::default()).freeze(), []);
    }

    #[test]
    fn what_is_used_again_is_no_longer_free() {
        let mut arena = LiveArena::default();
        for start in [0, 32, 64, 96] {
            arena.give(32, start);
            arena.give_back(32, start);
        }
        arena.forget(40, 64);
        assert_eq!([(); 4].map(|()| arena.take_returned(32)), [Some(0), Some(64), Some(96), None]);
        assert_eq!([(); 4].map(|()| arena.take(32, 0)), [Some(0), Some(64), Some(96), None]);
    }
}
