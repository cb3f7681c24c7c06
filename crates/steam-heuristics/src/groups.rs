//! Groups of threads: maximal runs of consecutive numbers that have something in common.
//!
//! A group of k threads whose highest number is m weighs k² m. So one large group weighs more
//! than several small ones, and of equal groups the one of younger threads: a preference among
//! threads that are otherwise alike.

/// The weight of the groups among the numbers that it is told, in ascending order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Groups {
    /// The number last told, and the size of its group so far.
    last: u32,
    size: i64,
    /// The weight of the groups that are complete.
    complete: i64,
}

impl Groups {
    /// Takes note of a thread that has the property.
    pub(crate) fn add(&mut self, number: u32) {
        if self.size == 0 || self.last.checked_add(1) != Some(number) {
            self.complete = self.weight();
            self.size = 0;
        }
        self.last = number;
        self.size += 1;
    }

    /// The weight of all groups.
    pub(crate) fn weight(&self) -> i64 {
        self.complete
            .saturating_add(self.size.saturating_pow(2).saturating_mul(i64::from(self.last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(numbers: &[u32]) -> i64 {
        let mut groups = Groups::default();
        numbers.iter().for_each(|&number| groups.add(number));
        groups.weight()
    }

    #[test]
    fn the_groups_of_the_papers_figure() {
        assert_eq!(weight(&[2, 3]), 12);
        assert_eq!(weight(&[6, 7, 8]), 72);
        // The paper prints 94 for the sum.
        assert_eq!(weight(&[2, 3, 6, 7, 8]), 84);
    }

    #[test]
    fn one_group_of_all_weighs_the_cube() {
        assert_eq!(weight(&[1, 2, 3, 4, 5]), 125);
        assert_eq!(weight(&[]), 0);
        assert_eq!(weight(&[u32::MAX]), i64::from(u32::MAX));
    }
}
