//! Sets of agents, which have small numbers.

/// A set of agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Agents {
    /// The agents below 64.
    first: u64,
    /// The others; where there are none this is empty and takes no memory elsewhere.
    rest: Vec<u64>,
}

impl Agents {
    pub(super) fn insert(&mut self, agent: u32) {
        let (word, bit) = (agent as usize / 64, 1 << (agent % 64));
        if word == 0 {
            self.first |= bit;
            return;
        }
        if self.rest.len() < word {
            self.rest.resize(word, 0);
        }
        self.rest[word - 1] |= bit;
    }

    /// Adds the agents of another set.
    pub(super) fn add(&mut self, other: &Self) {
        self.first |= other.first;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (word, more) in self.rest.iter_mut().zip(&other.rest) {
            *word |= more;
        }
    }

    /// Keeps the agents that are in another set too.
    pub(super) fn keep(&mut self, other: &Self) {
        self.first &= other.first;
        self.rest.truncate(other.rest.len());
        for (word, kept) in self.rest.iter_mut().zip(&other.rest) {
            *word &= kept;
        }
    }

    /// Takes out the agents of another set.
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

impl FromIterator<u32> for Agents {
    fn from_iter<T: IntoIterator<Item = u32>>(agents: T) -> Self {
        let mut set = Self::default();
        agents.into_iter().for_each(|agent| set.insert(agent));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_as_good_as_small_ones() {
        let set = |agents: &[u32]| agents.iter().copied().collect::<Agents>();
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
