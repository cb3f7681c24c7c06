//! How two state vectors differ: the unit in which states are stored and rebuilt.

/// One slot of a state vector that got another component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// The slot's position in the vector.
    pub slot: u32,
    /// The component id before; 0 stands for an empty slot.
    pub old: u32,
    /// The component id after; 0 empties the slot.
    pub new: u32,
}

/// The slots in which a state's vector differs from another one's.
///
/// A step may record a slot several times, and slots that end as they began; [`Delta::normalise`]
/// brings the list into the form that stores expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    changes: Vec<Change>,
}

impl Delta {
    /// A delta without changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// The delta from the empty vector to the given one, normalised.
    pub fn from_empty(vector: &[u32]) -> Self {
        let mut delta = Self::new();
        for (slot, &new) in (0..).zip(vector) {
            delta.record(slot, 0, new);
        }
        delta.normalise();
        delta
    }

    /// Notes that a slot went from one component to another.
    pub fn record(&mut self, slot: u32, old: u32, new: u32) {
        self.changes.push(Change { slot, old, new });
    }

    /// Forgets all changes and keeps the memory.
    pub fn clear(&mut self) {
        self.changes.clear();
    }

    /// Sorts by slot, leaves one change for each slot (its first `old`, its last `new`) and drops
    /// the slots that did not change in the end.
    pub fn normalise(&mut self) {
        if !self.changes.is_sorted_by(|a, b| a.slot < b.slot) {
            // The sort is stable, so the changes of one slot stay in the order of time.
            self.changes.sort_by_key(|change| change.slot);
            self.changes.dedup_by(|later, earlier| {
                let same = later.slot == earlier.slot;
                if same {
                    earlier.new = later.new;
                }
                same
            });
        }
        self.changes.retain(|change| change.old != change.new);
    }

    /// The changes, ascending by slot once normalised.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The changes of the slots after the first `count`, numbered as if those were not there.
    #[must_use]
    pub fn without_first(&self, count: u32) -> Self {
        Self { changes: Self::changes_without_first(&self.changes, count).collect() }
    }

    /// The same for a list of changes.
    pub fn changes_without_first(
        changes: &[Change],
        count: u32,
    ) -> impl Iterator<Item = Change> + '_ {
        changes.iter().filter_map(move |change| {
            let slot = change.slot.checked_sub(count)?;
            Some(Change { slot, ..*change })
        })
    }

    /// Notes the changes of another delta, of which each slot comes `distance` later.
    pub fn record_shifted(&mut self, other: &Self, distance: u32) {
        self.changes.extend(other.changes.iter().map(|change| {
            let slot = change.slot + distance;
            Change { slot, ..*change }
        }));
    }

    /// Applies the changes to a whole vector; see [`Delta::apply_changes`].
    pub fn apply(&self, vector: &mut Vec<u32>) {
        Self::apply_changes(&self.changes, vector);
    }

    /// Applies changes to a whole vector, which grows where needed and never ends in a zero
    /// afterwards.
    pub fn apply_changes(changes: &[Change], vector: &mut Vec<u32>) {
        for change in changes {
            let slot = change.slot as usize;
            if slot >= vector.len() {
                vector.resize(slot + 1, 0);
            }
            vector[slot] = change.new;
        }
        let used = vector.iter().rposition(|&id| id != 0).map_or(0, |last| last + 1);
        vector.truncate(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalising_merges_and_drops() {
        let mut delta = Delta::new();
        delta.record(7, 1, 2);
        delta.record(3, 5, 6);
        delta.record(7, 2, 4);
        delta.record(1, 8, 9);
        delta.record(1, 9, 8);
        delta.normalise();
        let expected = [Change { slot: 3, old: 5, new: 6 }, Change { slot: 7, old: 1, new: 4 }];
        assert_eq!(delta.changes(), expected);
    }

    #[test]
    fn slots_of_a_layer_come_before_those_of_the_model_within() {
        let (mut inner, mut whole) = (Delta::new(), Delta::new());
        inner.record(0, 1, 2);
        inner.record(5, 3, 4);
        whole.record(1, 8, 9);
        whole.record_shifted(&inner, 2);
        assert_eq!(whole.changes().iter().map(|change| change.slot).collect::<Vec<_>>(), [1, 2, 7]);
        assert_eq!(whole.without_first(2), inner);
    }

    #[test]
    fn applying_grows_and_trims() {
        let mut vector = vec![1, 2];
        let mut delta = Delta::new();
        delta.record(4, 0, 9);
        delta.apply(&mut vector);
        assert_eq!(vector, [1, 2, 0, 0, 9]);
        delta.clear();
        delta.record(4, 9, 0);
        delta.apply(&mut vector);
        assert_eq!(vector, [1, 2]);
    }
}
