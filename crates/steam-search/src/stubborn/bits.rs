//! Sets of small numbers.

/// A set of numbers; those beyond its length are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set, with room for numbers below a bound.
    pub(super) fn below(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// Adds a number for which there is room.
    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Adds what is in another set of the same room; whether anything was new.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            grew |= *other & !*word != 0;
            *word |= other;
        }
        grew
    }

    /// Whether a number is in both sets.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_meet_where_they_have_a_number_in_common() {
        let (mut one, mut other) = (Bits::below(130), Bits::below(130));
        one.insert(129);
        other.insert(128);
        assert!(!one.meets(&other));
        assert!(other.extend(&one) && !other.extend(&one));
        assert!(one.meets(&other) && !one.meets(&Bits::default()));
    }
}
