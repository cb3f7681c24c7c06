//! Beam search: level by level, and of each level only the best nodes (Lowerre 1976).
//!
//! A level is the nodes that are equally many steps from the initial state. Its best `width` ones by
//! their estimate go on, the others are dropped: memory and time of a level are bounded, and an
//! error after a dropped node may be missed. So the list remembers whether it dropped any; while it
//! did not, it explores what breadth-first search does. Deviation: visited states are known for the
//! whole search and not for the last levels alone, so a dropped state is not opened again either.

use steam_model::{Frontier, Rank};

use super::entry::Entry;

/// Nodes by levels; in a level by their estimate, then the last one first.
pub struct Beam<T> {
    width: usize,
    /// What is left of the level that is being expanded, the best node last.
    level: Vec<Entry<T>>,
    /// What came of that level so far, in no order.
    next: Vec<Entry<T>>,
    sequence: u64,
    dropped: bool,
}

impl<T> Beam<T> {
    /// A list that keeps so many nodes of a level, at least one.
    pub fn with_width(width: u32) -> Self {
        let width = width.max(1) as usize;
        Self { width, level: Vec::new(), next: Vec::new(), sequence: 0, dropped: false }
    }

    /// Drops all but the best nodes of the next level.
    fn cut(&mut self) {
        let surplus = self.next.len().saturating_sub(self.width);
        if surplus > 0 {
            self.next.select_nth_unstable(surplus);
            self.next.drain(..surplus);
            self.dropped = true;
        }
    }

    /// Goes on to the next level where nothing is left of the current one.
    fn advance(&mut self) {
        if self.level.is_empty() {
            self.cut();
            self.next.sort_unstable();
            std::mem::swap(&mut self.level, &mut self.next);
        }
    }
}

impl<T> Frontier<T> for Beam<T> {
    fn reopens(&self) -> bool {
        false
    }

    fn push(&mut self, node: T, rank: Rank) {
        self.next.push(Entry { priority: (rank.estimate, 0), sequence: self.sequence, node });
        self.sequence += 1;
        // What a level keeps does not depend on when the others are dropped; now and then is
        // enough to bound the memory, and takes constant time for each node.
        if self.next.len() >= self.width.saturating_mul(2) {
            self.cut();
        }
    }

    fn pop(&mut self) -> Option<T> {
        self.advance();
        self.level.pop().map(|entry| entry.node)
    }

    fn bytes(&self) -> usize {
        (self.level.capacity() + self.next.capacity()) * size_of::<Entry<T>>()
    }

    fn len(&self) -> usize {
        self.level.len() + self.next.len()
    }

    fn may_improve(&self, _found: Rank) -> bool {
        // Nodes leave level by level: what is left leads to no nearer error.
        false
    }

    fn ready(&mut self) -> usize {
        self.advance();
        self.level.len()
    }

    fn dropped(&self) -> bool {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(beam: &mut Beam<char>, nodes: &[(char, i64)]) {
        for &(node, estimate) in nodes {
            beam.push(node, Rank { cost: 0, estimate });
        }
    }

    fn level(beam: &mut Beam<char>) -> String {
        (0..beam.ready()).filter_map(|_| beam.pop()).collect()
    }

    #[test]
    fn a_level_is_ordered_by_estimate_and_the_latest_of_equals_is_first() {
        let mut beam = Beam::with_width(9);
        push(&mut beam, &[('a', 2), ('b', 1), ('c', 1), ('d', -3)]);
        assert_eq!(level(&mut beam), "dcba");
        assert_eq!((beam.pop(), beam.ready(), beam.dropped()), (None, 0, false));
    }

    #[test]
    fn what_is_pushed_waits_for_the_next_level() {
        let mut beam = Beam::with_width(9);
        push(&mut beam, &[('a', 5), ('b', 4)]);
        assert_eq!((beam.ready(), beam.pop()), (2, Some('b')));
        push(&mut beam, &[('c', 1)]);
        assert_eq!((beam.ready(), beam.len()), (1, 2));
        assert_eq!((beam.pop(), beam.pop()), (Some('a'), Some('c')));
        assert!(beam.is_empty());
    }

    #[test]
    fn the_best_of_a_level_are_kept_whenever_the_others_are_dropped() {
        let nodes = [('a', 3), ('b', 1), ('c', 2), ('d', 1), ('e', 2), ('f', 9), ('g', 2)];
        for (width, kept) in [(1, "d"), (2, "db"), (3, "dbg"), (4, "dbge"), (6, "dbgeca")] {
            let mut beam = Beam::with_width(width);
            push(&mut beam, &nodes);
            assert!(beam.len() < 2 * width as usize, "{width}");
            assert_eq!((level(&mut beam).as_str(), beam.dropped()), (kept, true));
        }
        let mut beam = Beam::with_width(7);
        push(&mut beam, &nodes);
        assert_eq!((level(&mut beam).as_str(), beam.dropped()), ("dbgecaf", false));
    }

    #[test]
    fn a_drop_is_never_forgotten() {
        let mut beam = Beam::with_width(1);
        push(&mut beam, &[('a', 0), ('b', 0)]);
        assert_eq!(level(&mut beam), "b");
        push(&mut beam, &[('c', 0)]);
        assert_eq!((level(&mut beam).as_str(), beam.dropped()), ("c", true));
    }
}
