//! Sets of states of a run, as ranges: what is open or said is mostly about neighbours.

use std::fmt;

/// A set of numbers of states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Positions {
    /// First and last of each range, in order, with gaps between them.
    ranges: Vec<(usize, usize)>,
}

impl Positions {
    /// Returns the set of one state.
    pub fn single(position: usize) -> Positions {
        Positions { ranges: vec![(position, position)] }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns whether a state is in the set.
    pub fn contains(&self, position: usize) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&position))
    }

    /// Returns all states in either set.
    #[must_use]
    pub fn union(&self, other: &Positions) -> Positions {
        let mut all = [&self.ranges[..], &other.ranges[..]].concat();
        all.sort_unstable();
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for (first, last) in all {
            match ranges.last_mut() {
                Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
                _ => ranges.push((first, last)),
            }
        }
        Positions { ranges }
    }
}

impl fmt::Display for Positions {
    /// Writes ranges as `0-3,5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_range() {
        let set = [4, 0, 2, 1, 7, 4].map(Positions::single);
        let set = set.iter().fold(Positions::default(), |sum, one| sum.union(one));
        assert_eq!(set.to_string(), "0-2,4,7");
        assert!(set.contains(1) && !set.contains(3) && !set.is_empty());
        assert_eq!(set.union(&Positions::single(3)).to_string(), "0-4,7");
    }
}
