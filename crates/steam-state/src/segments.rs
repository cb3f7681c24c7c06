//! An array of values that are written once each, read without locks, and never move.
//!
//! Segments come in groups of four of equal size; each group is twice as large as the one before,
//! so that at most a quarter of the room of an array that is filled in order is unused.

use std::sync::OnceLock;

const GROUP_BITS: u32 = 2;
const FIRST_BITS: u32 = 6;
/// How many bits an index has.
pub(crate) const INDEX_BITS: u32 = 30;
const SEGMENTS: usize = ((INDEX_BITS + 1 - FIRST_BITS) as usize) << GROUP_BITS;

type Segment<T> = Box<[OnceLock<T>]>;

/// Values at indices below `2^INDEX_BITS`.
pub(crate) struct Segments<T> {
    segments: Box<[OnceLock<Segment<T>>]>,
}

/// The segment of an index, how many values the segment holds, and the place in it.
const fn locate(index: u32) -> (usize, usize, usize) {
    let shifted = index + (1 << FIRST_BITS);
    let bits = shifted.ilog2();
    let rest = bits - GROUP_BITS;
    let within_group = (shifted >> rest) & ((1 << GROUP_BITS) - 1);
    let segment = ((bits - FIRST_BITS) << GROUP_BITS) + within_group;
    (segment as usize, 1 << rest, (shifted & ((1 << rest) - 1)) as usize)
}

impl<T> Segments<T> {
    pub(crate) fn new() -> Self {
        Self { segments: (0..SEGMENTS).map(|_| OnceLock::new()).collect() }
    }

    /// The value at an index, if it was written.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        if index >> INDEX_BITS != 0 {
            return None;
        }
        let (segment, _, place) = locate(index);
        self.segments[segment].get().and_then(|segment| segment[place].get())
    }

    /// Writes the value at an index that was never written before.
    pub(crate) fn set(&self, index: u32, value: T) {
        let (segment, length, place) = locate(index);
        let segment = self.segments[segment]
            .get_or_init(|| std::iter::repeat_with(OnceLock::new).take(length).collect());
        let fresh = segment[place].set(value).is_ok();
        debug_assert!(fresh, "a value is written once");
    }

    /// How many bytes the segments take.
    pub(crate) fn bytes(&self) -> usize {
        let places: usize =
            self.segments.iter().filter_map(|segment| segment.get()).map(|it| it.len()).sum();
        places * size_of::<OnceLock<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_a_place_of_its_own() {
        let mut next = (0, 0);
        for index in 0..100_000 {
            let (segment, length, place) = locate(index);
            assert_eq!((segment, place), next);
            next = if place + 1 == length { (segment + 1, 0) } else { (segment, place + 1) };
        }
        assert!(locate((1 << INDEX_BITS) - 1).0 < SEGMENTS);
    }

    #[test]
    fn values_stay_where_they_were_written() {
        let segments = Segments::new();
        for index in (0..10_000).rev().step_by(3) {
            segments.set(index, index * 2);
        }
        for index in 0..10_000 {
            let expected = (index % 3 == 0).then_some(index * 2);
            assert_eq!(segments.get(index).copied(), expected);
        }
        assert_eq!(segments.get(u32::MAX), None);
    }
}
