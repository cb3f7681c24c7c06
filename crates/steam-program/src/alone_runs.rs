//! Threads that are known not to spin: runs of a thread alone that came to something others see.
//!
//! Whether a thread spins is found by letting it run alone (`hang.rs`). A loop that counts while it sleeps or yields would
//! be asked for after each of its iterations, in each of many states that differ in other threads only. A run alone is a
//! function of the components that it read. Those are kept, with the ids that they had in each of the states that the
//! run went through; a state in which they are the same needs no run of its own, and a run that comes to one need not go on.
//!
//! The twin is the run itself: debug builds do it in one of sixteen states all the same, and compare.

use ahash::{HashMap, HashSet, RandomState};
use steam_model::Change;
use steam_state::{Component, Key, Reads, Slots, Table, ThreadId};

/// The most states that are kept.
const MOST: usize = 1 << 14;
/// The most kinds of runs that are kept of one component of a thread.
const MOST_KINDS: usize = 8;

/// Runs that read the same components.
struct Kind {
    slots: Box<[u32]>,
    /// How many keys there were: the runs may have looked for all of a kind, or for one that there was not.
    registered: u32,
    /// What lay in the slots, in each state of such a run.
    states: HashSet<Box<[u32]>>,
}

impl Kind {
    /// Whether one of these runs went through the state to which changes lead from another one.
    fn holds(&self, state: &Table, changes: &[Change], room: &mut Vec<u32>) -> bool {
        room.clear();
        room.extend(self.slots.iter().map(|slot| state.get(*slot).0));
        for change in changes {
            if let Ok(place) = self.slots.binary_search(&change.slot) {
                room[place] = change.new;
            }
        }
        self.states.contains(room.as_slice())
    }

    fn ids(&self, state: &Table) -> Box<[u32]> {
        self.slots.iter().map(|slot| state.get(*slot).0).collect()
    }
}

/// States from which a thread that runs alone does not come back.
pub(super) struct AloneRuns {
    /// By the thread's own component.
    known: HashMap<Component, Vec<Kind>>,
    /// How many states that are.
    count: usize,
    /// The refinement iteration in which they were found: in the next one steps are others.
    iteration: u64,
    /// Room for what lies in the slots of a state that is asked for.
    room: Vec<u32>,
}

fn hasher() -> RandomState {
    RandomState::with_seeds(1, 4, 1, 4)
}

impl Default for AloneRuns {
    fn default() -> Self {
        Self { known: HashMap::with_hasher(hasher()), count: 0, iteration: 0, room: Vec::new() }
    }
}

impl AloneRuns {
    /// Whether a thread is known not to spin in the state to which changes lead from another one.
    pub(super) fn knows(
        &mut self,
        iteration: u64,
        slots: &Slots,
        after: (&Table, &[Change]),
        thread: ThreadId,
    ) -> bool {
        self.reads_from(iteration, slots, after, thread).is_some()
    }

    /// The slots of what the rest of a run read that went through this very state, if one is known.
    pub(super) fn reads_from(
        &mut self,
        iteration: u64,
        slots: &Slots,
        (state, changes): (&Table, &[Change]),
        thread: ThreadId,
    ) -> Option<&[u32]> {
        if iteration != self.iteration || self.known.is_empty() {
            return None;
        }
        let slot = slots.find(Key::Thread(thread))?;
        let changed = changes.iter().find(|change| change.slot == slot);
        let own = changed.map_or_else(|| state.get(slot), |change| Component(change.new));
        let kinds = self.known.get(&own)?;
        let (registered, room) = (slots.registered(), &mut self.room);
        let mut kinds = kinds.iter().filter(|kind| kind.registered == registered);
        Some(&*kinds.find(|kind| kind.holds(state, changes, room))?.slots)
    }

    /// Keeps the states of a run after which the thread does not come back, with what the whole run read: part of it
    /// was recorded, and part lies in the slots that an earlier run read which this one has met.
    pub(super) fn keep(
        &mut self,
        iteration: u64,
        slots: &Slots,
        (states, thread): (&[Table], ThreadId),
        (reads, met): (&Reads, &[u32]),
    ) {
        if iteration != self.iteration || self.count > MOST {
            self.known.clear();
            (self.iteration, self.count) = (iteration, 0);
        }
        // What has no slot is in no state; once it gets one, `registered` is another number.
        let mut read: Vec<u32> = reads.keys.iter().filter_map(|key| slots.find(*key)).collect();
        read.extend_from_slice(met);
        read.sort_unstable();
        read.dedup();
        let registered = reads.listed.unwrap_or_else(|| slots.registered());
        let own = slots.find(Key::Thread(thread)).expect("a thread that has run has a slot");
        for state in states {
            let kinds = self.known.entry(state.get(own)).or_default();
            let is_same = |kind: &Kind| *kind.slots == *read && kind.registered == registered;
            let place = kinds.iter().position(is_same).unwrap_or_else(|| {
                // Those of the oldest kind are the least likely to be asked for again.
                if kinds.len() >= MOST_KINDS {
                    self.count -= kinds.remove(0).states.len();
                }
                let states = HashSet::with_hasher(hasher());
                kinds.push(Kind { slots: read.as_slice().into(), registered, states });
                kinds.len() - 1
            });
            let ids = kinds[place].ids(state);
            self.count += usize::from(kinds[place].states.insert(ids));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::Space;

    const THREAD: ThreadId = ThreadId(2);

    fn page(number: u32) -> Key {
        Key::Page(Space::FIRST.page(number))
    }

    /// A run that ends in a state of an earlier one depends on what that one read from there.
    #[test]
    fn what_the_rest_of_a_run_read_counts_for_those_that_meet_it() {
        let slots = Slots::new(4);
        let [own, first, second] =
            [Key::Thread(THREAD), page(1), page(2)].map(|key| slots.slot(key, THREAD));
        let state = |ids: [u32; 3]| {
            let mut state = Table::default();
            for (slot, id) in [own, first, second].into_iter().zip(ids) {
                state.set(slot, Component(id));
            }
            state
        };
        let mut runs = AloneRuns::default();
        let keys = |keys: &[Key]| Reads { keys: keys.to_vec(), listed: None };
        let late = keys(&[Key::Thread(THREAD), page(2)]);
        runs.keep(1, &slots, (&[state([6, 1, 1])], THREAD), (&late, &[]));
        let met = runs.reads_from(1, &slots, (&state([6, 9, 1]), &[]), THREAD).unwrap().to_vec();
        let early = keys(&[Key::Thread(THREAD), page(1)]);
        runs.keep(1, &slots, (&[state([5, 1, 1])], THREAD), (&early, &met));
        let mut knows = |ids| runs.knows(1, &slots, (&state(ids), &[]), THREAD);
        assert!(knows([5, 1, 1]) && knows([6, 2, 1]));
        assert!(!knows([5, 1, 2]) && !knows([5, 2, 1]) && !knows([6, 1, 2]));
        let change = Change { slot: second, old: 2, new: 1 };
        assert!(runs.knows(1, &slots, (&state([5, 1, 2]), &[change]), THREAD));
    }
}
