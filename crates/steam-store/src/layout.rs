//! Which leaf of the tree a slot is: what changes together lies together.
//!
//! The tree shares subtrees, so its size depends on how slots are arranged. Two things help, and
//! neither needs to be known before states arrive. Slots that never change take no room at all: a
//! leaf tells only how a slot differs from what it was in the first vector. And slots that change
//! in the same step (such as a thread and a page of its stack) depend on each other, so they
//! belong into one small subtree, of which there are only few versions; a slot gets its *place*
//! when it first changes, in a block with others of that step.
//!
//! Measured on twelve philosophers with 128 slots of which a step changes three (`cargo run
//! --release -p steam-search --example throughput`): 16 bytes for each state instead of 48 with a
//! fixed arrangement, and about a third of the processor time.
//!
//! That is a guess from few steps; a layout for many states is made from a sample of steps (see
//! `arrangement`).
//!
//! A place never changes, so that equal vectors stay equal trees. With several workers places
//! depend on who was faster: that may change the size of the tree, never what it says.

use std::sync::{Mutex, OnceLock, PoisonError};

use steam_model::{Change, Delta};

use crate::arena::Arena;

/// Places in a block: a subtree of height 2.
pub(crate) const BLOCK: u32 = 4;

/// Slots that can be distinguished; the arena is only as large as the slots in use.
const SLOTS: u32 = 1 << 24;

/// The arrangement of slots.
pub(crate) struct Layout {
    /// For each slot its place plus one (or 0) in the high half, its first component in the low.
    slots: Arena,
    /// For each place its slot.
    places: Arena,
    /// The first vector, as changes of the empty one.
    first: OnceLock<Vec<Change>>,
    /// For each block the number of its places in use.
    blocks: Mutex<Vec<u32>>,
}

/// A component seen from a slot that had another first: the first one and the empty one change
/// their names, so that 0 stands for "as at first". It is its own inverse.
fn renamed(component: u32, first: u32) -> u32 {
    match component {
        0 => first,
        _ if component == first => 0,
        _ => component,
    }
}

impl Layout {
    pub(crate) fn new() -> Self {
        Self {
            slots: Arena::new(),
            places: Arena::new(),
            first: OnceLock::new(),
            blocks: Mutex::new(Vec::new()),
        }
    }

    /// A layout with this first vector (as changes of the empty one) in which the slots that are
    /// given block by block have their places already.
    pub(crate) fn arranged(first: Vec<Change>, blocks: &[Vec<u32>]) -> Self {
        let layout = Self::new();
        for change in &first {
            layout.slots.set(u64::from(change.slot), u64::from(change.new));
        }
        for (block, slots) in (0u64..).zip(blocks) {
            for (place, &slot) in (block * u64::from(BLOCK)..).zip(slots) {
                layout.put(place, slot);
            }
        }
        let used = blocks.iter().map(|slots| slots.len() as u32).collect();
        Self { first: OnceLock::from(first), blocks: Mutex::new(used), ..layout }
    }

    /// Gives a place to a slot that has none.
    fn put(&self, place: u64, slot: u32) {
        let word = self.slots.get(u64::from(slot));
        self.places.set(place, u64::from(slot));
        self.slots.set(u64::from(slot), ((place + 1) << 32) | word);
    }

    /// Bytes of the places in use, and of as many slots.
    pub(crate) fn bytes(&self) -> u64 {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).len();
        16 * u64::from(BLOCK) * blocks as u64
    }

    /// Whether all these slots can be distinguished.
    pub(crate) fn holds(&self, changes: &[Change]) -> bool {
        changes.iter().all(|change| change.slot < SLOTS)
    }

    /// The changes from the first vector to the one given as changes of the empty vector. If
    /// there is no first vector yet, it becomes that.
    pub(crate) fn changes_from_first(&self, vector: &[Change]) -> Delta {
        let first = self.first.get_or_init(|| {
            for change in vector {
                self.slots.set(u64::from(change.slot), u64::from(change.new));
            }
            vector.to_vec()
        });
        let mut delta = Delta::new();
        for change in first {
            delta.record(change.slot, change.new, 0);
        }
        for change in vector {
            delta.record(change.slot, 0, change.new);
        }
        delta.normalise();
        delta
    }

    /// Records the changes from the empty vector to the first one.
    pub(crate) fn record_first(&self, delta: &mut Delta) {
        for change in self.first.get().into_iter().flatten() {
            delta.record(change.slot, 0, change.new);
        }
    }

    /// Replaces `placed` by the changes of leaves that these changes of slots are, ascending.
    pub(crate) fn place(&self, changes: &[Change], placed: &mut Vec<Change>) {
        placed.clear();
        for change in changes {
            let mut word = self.slots.get(u64::from(change.slot));
            if word >> 32 == 0 {
                self.assign(changes);
                word = self.slots.get(u64::from(change.slot));
            }
            let (place, first) = ((word >> 32) as u32 - 1, word as u32);
            let (old, new) = (renamed(change.old, first), renamed(change.new, first));
            placed.push(Change { slot: place, old, new });
        }
        placed.sort_unstable_by_key(|change| change.slot);
    }

    /// Records the change of a slot that this change of a leaf is.
    pub(crate) fn record(&self, place: u32, old: u32, new: u32, delta: &mut Delta) {
        let slot = self.places.get(u64::from(place));
        let first = self.slots.get(slot) as u32;
        delta.record(slot as u32, renamed(old, first), renamed(new, first));
    }

    /// Gives places to those slots that have none, near the others.
    fn assign(&self, changes: &[Change]) {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let block_of =
            |word: u64| ((word >> 32) as usize).checked_sub(1).map(|it| it / BLOCK as usize);
        let words = changes.iter().map(|change| self.slots.get(u64::from(change.slot)));
        let mut home = words.filter_map(block_of).find(|&block| blocks[block] < BLOCK);
        for change in changes {
            let word = self.slots.get(u64::from(change.slot));
            if word >> 32 != 0 {
                continue;
            }
            let block = home.filter(|&block| blocks[block] < BLOCK).unwrap_or_else(|| {
                blocks.push(0);
                blocks.len() - 1
            });
            home = Some(block);
            let place = block as u64 * u64::from(BLOCK) + u64::from(blocks[block]);
            blocks[block] += 1;
            self.put(place, change.slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renaming_is_its_own_inverse_and_makes_the_first_component_empty() {
        for first in 0..5 {
            assert_eq!(renamed(first, first), 0);
            assert!((0..5).all(|component| renamed(renamed(component, first), first) == component));
        }
    }

    fn place(layout: &Layout, slots: &[u32]) -> Vec<u32> {
        let changes: Vec<_> = slots.iter().map(|&slot| Change { slot, old: 0, new: 1 }).collect();
        let mut placed = Vec::new();
        layout.place(&changes, &mut placed);
        placed.iter().map(|change| change.slot).collect()
    }

    #[test]
    fn an_arranged_layout_begins_with_the_given_blocks() {
        let first = vec![Change { slot: 7, old: 0, new: 5 }];
        let layout = Layout::arranged(first, &[vec![9, 7], vec![], vec![3]]);
        assert_eq!(place(&layout, &[3, 7, 9]), [0, 1, 8]);
        assert_eq!(place(&layout, &[7, 8]), [1, 2]);
        assert_eq!(place(&layout, &[100]), [12]);
        let mut delta = Delta::new();
        layout.record(1, 0, 6, &mut delta);
        assert_eq!(delta.changes(), [Change { slot: 7, old: 5, new: 6 }]);
    }

    #[test]
    fn what_changes_together_lies_together() {
        let layout = Layout::new();
        assert_eq!(place(&layout, &[10, 90]), [0, 1]);
        assert_eq!(place(&layout, &[20, 50, 91]), [4, 5, 6]);
        // The first block has room for one that comes later, and for another.
        assert_eq!(place(&layout, &[10, 11]), [0, 2]);
        assert_eq!(place(&layout, &[12, 90]), [1, 3]);
        // It is full now.
        assert_eq!(place(&layout, &[10, 13]), [0, 8]);
        assert_eq!(place(&layout, &[91]), [6]);
    }
}
