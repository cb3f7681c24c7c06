//! Groups of threads: maximal runs of consecutive numbers that have something in common.
//!
//! A group of k threads whose highest number is m weighs k² m. So one large group weighs more than
//! several small ones, and of equal groups the one of younger threads: a preference among threads
//! that are otherwise alike. The groups are kept as their first and last numbers, so that a thread
//! that comes or goes costs the same in a group of any size.

use std::collections::BTreeMap;

/// The groups among some numbers.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// For the first number of each group its last.
    groups: BTreeMap<u32, u32>,
    weight: i64,
}

fn weight(first: u32, last: u32) -> i64 {
    let size = i64::from(last - first) + 1;
    size.saturating_pow(2).saturating_mul(i64::from(last))
}

impl Groups {
    /// The weight of all groups.
    pub fn weight(&self) -> i64 {
        self.weight
    }

    fn put(&mut self, first: u32, last: u32) {
        self.groups.insert(first, last);
        self.weight = self.weight.saturating_add(weight(first, last));
    }

    fn take(&mut self, first: u32) -> Option<u32> {
        let last = self.groups.remove(&first)?;
        self.weight = self.weight.saturating_sub(weight(first, last));
        Some(last)
    }

    /// The group that a number is in.
    fn around(&self, number: u32) -> Option<(u32, u32)> {
        let (&first, &last) = self.groups.range(..=number).next_back()?;
        (number <= last).then_some((first, last))
    }

    /// Adds a number, unless it is there.
    pub fn insert(&mut self, number: u32) {
        if self.around(number).is_some() {
            return;
        }
        let before = number.checked_sub(1).and_then(|number| self.around(number));
        let behind = number.checked_add(1).and_then(|number| self.take(number));
        let first = before.map_or(number, |(first, _)| first);
        if before.is_some() {
            self.take(first);
        }
        self.put(first, behind.unwrap_or(number));
    }

    /// Takes a number out, if it is there.
    pub fn remove(&mut self, number: u32) {
        let Some((first, last)) = self.around(number) else { return };
        self.take(first);
        if first < number {
            self.put(first, number - 1);
        }
        if number < last {
            self.put(number + 1, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The naive twin: from the numbers alone.
    fn afresh(numbers: &BTreeSet<u32>) -> i64 {
        let numbers: Vec<u32> = numbers.iter().copied().collect();
        let runs = numbers.chunk_by(|a, b| a + 1 == *b);
        runs.map(|run| weight(run[0], run[run.len() - 1])).sum()
    }

    fn groups(numbers: &[u32]) -> i64 {
        let mut groups = Groups::default();
        numbers.iter().for_each(|&number| groups.insert(number));
        groups.weight()
    }

    #[test]
    fn the_groups_of_the_papers_figure() {
        assert_eq!(groups(&[2, 3]), 12);
        assert_eq!(groups(&[8, 6, 7]), 72);
        // The paper prints 94 for the sum.
        assert_eq!(groups(&[2, 8, 3, 6, 7]), 84);
        // One group of all weighs the cube.
        assert_eq!(groups(&[1, 2, 3, 4, 5]), 125);
        assert_eq!(groups(&[u32::MAX]), i64::from(u32::MAX));
    }

    #[test]
    fn coming_and_going_weighs_as_much_as_counting_afresh() {
        let (mut groups, mut numbers) = (Groups::default(), BTreeSet::new());
        let mut seed = 5u32;
        for _ in 0..5000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = (seed >> 8) % 24;
            if seed >> 31 == 0 {
                groups.insert(number);
                numbers.insert(number);
            } else {
                groups.remove(number);
                numbers.remove(&number);
            }
            assert_eq!(groups.weight(), afresh(&numbers), "{numbers:?}");
        }
    }
}
