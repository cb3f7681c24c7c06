//! Which slots belong together, learned from a sample of steps.
//!
//! Slots that mostly change in the same steps become a block; blocks that have steps in common
//! become neighbours; and the blocks are spread evenly over the tree, so that at each level its
//! two halves know about equally much. Then a half has few versions, and nearly all nodes are
//! roots. Slots that no step of the sample changed get no place here: they are rare enough for
//! whatever place they get later.

use std::collections::BTreeMap;

use crate::layout::BLOCK;

/// Steps that change more slots than this (such as one that starts all threads) do not tell which
/// slots belong together.
const WIDE: usize = 16;

/// A sample of steps.
#[derive(Default)]
pub(crate) struct Sample {
    /// In how many steps each slot changed.
    slots: BTreeMap<u32, u64>,
    /// In how many steps both slots of a pair changed, the smaller one first.
    pairs: BTreeMap<(u32, u32), u64>,
}

/// Slots, or blocks of them, that are merged into larger groups.
struct Groups {
    /// For each item its group.
    group_of: Vec<usize>,
    /// For each group its items in order; a group that was merged into another one is empty.
    items: Vec<Vec<usize>>,
}

impl Groups {
    /// Each item on its own.
    fn single(count: usize) -> Self {
        Self { group_of: (0..count).collect(), items: (0..count).map(|item| vec![item]).collect() }
    }

    /// Appends the group of the second item to that of the first, if together they are not larger
    /// than the limit.
    fn merge(&mut self, first: usize, second: usize, limit: usize) {
        let (into, from) = (self.group_of[first], self.group_of[second]);
        if into == from || self.items[into].len() + self.items[from].len() > limit {
            return;
        }
        let moved = std::mem::take(&mut self.items[from]);
        for &item in &moved {
            self.group_of[item] = into;
        }
        self.items[into].extend(moved);
    }

    fn into_items(self) -> impl Iterator<Item = Vec<usize>> {
        self.items.into_iter().filter(|items| !items.is_empty())
    }
}

/// Two items, and how often both change in one step, compared with how often each does: 1 if
/// always.
type Bond = (f64, usize, usize);

/// The bonds of pairs of items, strongest first.
fn bonds(counts: &[u64], pairs: impl IntoIterator<Item = ((usize, usize), u64)>) -> Vec<Bond> {
    let bond = |((one, other), both): ((usize, usize), u64)| {
        let product = counts[one] as f64 * counts[other] as f64;
        (both as f64 / product.sqrt(), one, other)
    };
    let mut bonds: Vec<Bond> = pairs.into_iter().map(bond).collect();
    // Ties in the order of the slots: runs must not differ.
    bonds.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    bonds
}

impl Sample {
    /// Adds the slots that one step changed, ascending.
    pub(crate) fn add(&mut self, changed: &[u32]) {
        if changed.len() > WIDE {
            return;
        }
        for (position, &slot) in changed.iter().enumerate() {
            *self.slots.entry(slot).or_default() += 1;
            for &other in &changed[position + 1..] {
                *self.pairs.entry((slot, other)).or_default() += 1;
            }
        }
    }

    /// The slots of each block of the tree, of which some stay empty.
    pub(crate) fn blocks(&self) -> Vec<Vec<u32>> {
        let slots: Vec<u32> = self.slots.keys().copied().collect();
        let groups = self.group_slots(&slots);
        let order = self.order_groups(&slots, &groups);
        let size = order.len().next_power_of_two();
        let mut blocks = vec![Vec::new(); size];
        for (position, &group) in order.iter().enumerate() {
            let block = &mut blocks[position * size / order.len()];
            block.extend(groups.items[group].iter().map(|&item| slots[item]));
        }
        blocks
    }

    fn item(slots: &[u32], slot: u32) -> usize {
        slots.partition_point(|&other| other < slot)
    }

    /// Groups of slots that mostly change together, each at most as large as a block.
    fn group_slots(&self, slots: &[u32]) -> Groups {
        let counts: Vec<u64> = self.slots.values().copied().collect();
        let pairs = self.pairs.iter().map(|(&(one, other), &both)| {
            ((Self::item(slots, one), Self::item(slots, other)), both)
        });
        let mut groups = Groups::single(slots.len());
        for (strength, one, other) in bonds(&counts, pairs) {
            // What changes with everything belongs to none.
            if strength >= 0.5 {
                groups.merge(one, other, BLOCK as usize);
            }
        }
        groups
    }

    /// The groups in an order in which those with steps in common are near to each other.
    fn order_groups(&self, slots: &[u32], groups: &Groups) -> Vec<usize> {
        let mut counts = vec![0; slots.len()];
        for (item, count) in self.slots.values().enumerate() {
            counts[groups.group_of[item]] += count;
        }
        let mut pairs: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (&(one, other), &both) in &self.pairs {
            let one = groups.group_of[Self::item(slots, one)];
            let other = groups.group_of[Self::item(slots, other)];
            if one != other {
                *pairs.entry((one.min(other), one.max(other))).or_default() += both;
            }
        }
        let mut chains = Groups::single(slots.len());
        for (_, one, other) in bonds(&counts, pairs) {
            chains.merge(one, other, usize::MAX);
        }
        chains.into_items().flatten().filter(|&group| !groups.items[group].is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Philosophers with a thread, a stack and a fork each, as slots 0.., 100.., 200.., of whom
    /// each takes his own fork and that of the next.
    fn philosophers(count: u32) -> Sample {
        let mut sample = Sample::default();
        for philosopher in 0..count {
            let next = (philosopher + 1) % count;
            for _ in 0..3 {
                sample.add(&[philosopher, 100 + philosopher, 200 + philosopher]);
            }
            sample.add(&[philosopher, 100 + philosopher, 200 + next]);
        }
        sample
    }

    #[test]
    fn what_a_thread_changes_is_one_block_and_neighbours_are_near() {
        let blocks = philosophers(6).blocks();
        assert_eq!(blocks.len(), 8);
        assert_eq!(blocks.iter().map(Vec::len).sum::<usize>(), 18);
        let mut owners = Vec::new();
        for block in blocks.iter().filter(|block| !block.is_empty()) {
            let owner = block[0] % 100;
            let mut sorted = block.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [owner, 100 + owner, 200 + owner]);
            owners.push(owner);
        }
        let half: u32 = owners[..3].iter().sum();
        assert!(blocks[..4].iter().map(Vec::len).sum::<usize>() == 9, "the halves are equal");
        assert!([3, 6, 9, 12].contains(&half), "{owners:?} are no neighbours");
    }

    #[test]
    fn a_slot_that_changes_with_everything_stays_alone() {
        let mut sample = Sample::default();
        for thread in 0..10 {
            sample.add(&[thread, 99]);
        }
        let blocks = sample.blocks();
        assert_eq!(blocks.iter().filter(|block| block.len() == 1).count(), 11);
    }

    #[test]
    fn a_wide_step_says_nothing_and_nothing_is_an_arrangement() {
        let mut sample = Sample::default();
        sample.add(&(0..50).collect::<Vec<_>>());
        assert!(sample.blocks().iter().all(Vec::is_empty));
    }
}
