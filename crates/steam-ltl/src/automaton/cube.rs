//! Labels of transitions: atoms that must hold, and atoms that must not.

use crate::atoms::{AtomId, Valuation};

/// A conjunction of literals; one that contradicts itself is never stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// The atoms that must hold, one bit each.
    pub positive: u64,
    /// The atoms that must not hold, one bit each.
    pub negative: u64,
}

impl Cube {
    /// The label that every valuation agrees with.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    /// Returns the label of one literal.
    pub fn literal(atom: AtomId, positive: bool) -> Cube {
        let bit = 1 << atom.0;
        match positive {
            true => Cube { positive: bit, negative: 0 },
            false => Cube { positive: 0, negative: bit },
        }
    }

    /// Returns whether a valuation agrees with all literals.
    pub fn agrees(self, valuation: Valuation) -> bool {
        valuation.0 & self.positive == self.positive && valuation.0 & self.negative == 0
    }

    /// Returns the label with the literals of both, unless they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let positive = self.positive | other.positive;
        let negative = self.negative | other.negative;
        (positive & negative == 0).then_some(Cube { positive, negative })
    }

    /// Returns whether every valuation that agrees with the other agrees with this.
    pub fn covers(self, other: Cube) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// Returns the label of both together if they differ in the sign of one literal alone.
    pub fn joined(self, other: Cube) -> Option<Cube> {
        let differs = self.positive ^ other.positive;
        let opposite = differs == self.negative ^ other.negative && differs.count_ones() == 1;
        let kept = !differs;
        opposite.then_some(Cube { positive: self.positive & kept, negative: self.negative & kept })
    }

    /// Returns the literals: atoms and whether they must hold.
    pub fn literals(self) -> impl Iterator<Item = (AtomId, bool)> {
        (0..64u8).filter_map(move |atom| match () {
            () if self.positive >> atom & 1 == 1 => Some((AtomId(atom), true)),
            () if self.negative >> atom & 1 == 1 => Some((AtomId(atom), false)),
            () => None,
        })
    }

    /// Returns whether every valuation agrees with one of some labels.
    pub fn cover_all(labels: &[Cube]) -> bool {
        let Some(literals) = labels.iter().map(|one| one.positive | one.negative).min() else {
            return false;
        };
        if literals == 0 {
            return true;
        }
        let bit = literals & literals.wrapping_neg();
        [true, false].into_iter().all(|holds| {
            let agree = |one: &&Cube| if holds { one.negative } else { one.positive } & bit == 0;
            let without =
                |one: &Cube| Cube { positive: one.positive & !bit, negative: one.negative & !bit };
            let rest: Vec<Cube> = labels.iter().filter(agree).map(without).collect();
            Cube::cover_all(&rest)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(positive: u64, negative: u64) -> Cube {
        Cube { positive, negative }
    }

    #[test]
    fn labels_cover_all_or_not() {
        assert!(Cube::cover_all(&[Cube::TRUE]));
        assert!(!Cube::cover_all(&[]));
        assert!(Cube::cover_all(&[cube(1, 0), cube(0, 1)]));
        assert!(!Cube::cover_all(&[cube(1, 0), cube(0, 2)]));
        assert!(Cube::cover_all(&[cube(1, 0), cube(2, 1), cube(0, 3)]));
        assert!(!Cube::cover_all(&[cube(3, 0), cube(0, 3), cube(2, 1)]));
    }

    #[test]
    fn labels_are_joined_by_one_literal() {
        assert_eq!(cube(3, 0).joined(cube(2, 1)), Some(cube(2, 0)));
        assert_eq!(cube(1, 0).joined(cube(0, 1)), Some(Cube::TRUE));
        assert_eq!(cube(1, 0).joined(cube(2, 0)), None);
        assert_eq!(cube(1, 0).joined(Cube::TRUE), None);
        assert_eq!(cube(3, 0).joined(cube(0, 3)), None);
    }
}
