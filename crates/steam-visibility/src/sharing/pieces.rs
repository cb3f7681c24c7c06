//! Pieces of memory of which a program says something, as they count in an iteration of a search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use steam_state::Place;

/// Pieces of memory. Asking costs next to nothing where there are none.
#[derive(Default)]
pub(super) struct Pieces {
    any: AtomicBool,
    /// The first and the last byte of each piece, ascending; they do not touch.
    list: RwLock<Vec<(u64, u64)>>,
}

impl Pieces {
    /// These are the pieces from now on: where each begins, and its size.
    pub(super) fn set(&self, pieces: impl Iterator<Item = (Place, u32)>) {
        let ends = |(start, size): (Place, u32)| {
            let last = start.space().at(start.address().saturating_add(size.max(1) - 1));
            (start.number(), last.number())
        };
        let mut sorted: Vec<(u64, u64)> = pieces.map(ends).collect();
        sorted.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (start, last) in sorted {
            match joined.last_mut() {
                Some((_, end)) if start <= *end + 1 => *end = last.max(*end),
                _ => joined.push((start, last)),
            }
        }
        self.any.store(!joined.is_empty(), Relaxed);
        *self.list.write().unwrap_or_else(PoisonError::into_inner) = joined;
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.any.load(Relaxed)
    }

    /// The first piece that ends at or after a place.
    fn next(&self, place: u64) -> Option<(u64, u64)> {
        if !self.any() {
            return None;
        }
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        list.get(list.partition_point(|(_, last)| *last < place)).copied()
    }

    /// Whether some of the bytes from a place on lie in a piece.
    pub(super) fn touch(&self, start: Place, size: u32) -> bool {
        let last = start.number() + u64::from(size.max(1) - 1);
        self.next(start.number()).is_some_and(|(from, _)| from <= last)
    }

    /// Whether all of them lie in one.
    pub(super) fn cover(&self, start: Place, size: u32) -> bool {
        let last = start.number() + u64::from(size.max(1) - 1);
        self.next(start.number()).is_some_and(|(from, to)| from <= start.number() && last <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::Space;

    #[test]
    fn pieces_that_touch_are_one() {
        let at = |address| Space::FIRST.at(address);
        let pieces = Pieces::default();
        assert!(!pieces.touch(at(0), 100) && !pieces.cover(at(0), 1));
        pieces.set([(at(20), 4), (at(8), 4), (at(12), 2), (at(9), 1)].into_iter());
        for (start, size, touch, cover) in [
            (7, 1, false, false),
            (7, 2, true, false),
            (8, 6, true, true),
            (8, 7, true, false),
            (14, 6, false, false),
            (14, 7, true, false),
            (20, 4, true, true),
            (23, 1, true, true),
            (24, 4, false, false),
        ] {
            assert_eq!(pieces.touch(at(start), size), touch, "{start}+{size}");
            assert_eq!(pieces.cover(at(start), size), cover, "{start}+{size}");
        }
    }
}
