//! Sets of processes, which have small numbers.

/// A set of processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Processes {
    /// The processes below 64.
    first: u64,
    /// The others; where there are none this is empty and takes no memory elsewhere.
    rest: Vec<u64>,
}

impl Processes {
    pub(super) fn insert(&mut self, process: u32) {
        let (word, bit) = (process as usize / 64, 1 << (process % 64));
        if word == 0 {
            self.first |= bit;
            return;
        }
        if self.rest.len() < word {
            self.rest.resize(word, 0);
        }
        self.rest[word - 1] |= bit;
    }

    /// Adds the processes of another set.
    pub(super) fn add(&mut self, other: &Self) {
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (word, more) in self.rest.iter_mut().zip(&other.rest) {
            *word |= more;
        }
    }

    /// Keeps the processes that are in another set too.
    pub(super) fn keep(&mut self, other: &Self) {
        self.first &= other.first;
        self.rest.truncate(other.rest.len());
        for (word, kept) in self.rest.iter_mut().zip(&other.rest) {
            *word &= kept;
        }
    }

    /// Takes out the processes of another set.
    pub(super) fn drop(&mut self, other: &Self) {
        self.first &= !other.first;
        for (word, gone) in self.rest.iter_mut().zip(&other.rest) {
            *word &= !gone;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.iter().all(|word| *word == 0)
    }
}

impl FromIterator<u32> for Processes {
    fn from_iter<T: IntoIterator<Item = u32>>(processes: T) -> Self {
        let mut set = Self::default();
        processes.into_iter().for_each(|process| set.insert(process));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_as_good_as_small_ones() {
        let set = |processes: &[u32]| processes.iter().copied().collect::<Processes>();
        let mut some = set(&[1, 63, 64, 200]);
        some.add(&set(&[2, 500]));
        some.keep(&set(&[1, 2, 64, 500, 900]));
        some.drop(&set(&[2, 64]));
        assert!(!some.is_empty());
        some.drop(&set(&[1]));
        assert!(!some.is_empty());
        some.drop(&set(&[500]));
        assert!(some.is_empty());
        let mut small = set(&[3]);
        small.keep(&set(&[]));
        assert!(small.is_empty());
    }
}
