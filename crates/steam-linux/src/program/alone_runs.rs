//! Threads that are known not to spin: runs of a thread alone that came to something others see.
//!
//! Whether a thread spins is found by letting it run alone (`hang.rs`). A loop that counts while it sleeps or yields would
//! be asked for after each of its iterations, in each of many states that differ in other threads only. A run alone is a
//! function of the components that it read. Those are kept, with the ids that they had in each of the states that the
//! run went through; a state in which they are the same needs no run of its own.
//!
//! The twin is the run itself: debug builds do it in one of sixteen states all the same, and compare.

use ahash::{HashMap, HashSet, RandomState};
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
    fn holds(&self, slots: &Slots, state: &Table) -> bool {
        self.registered == slots.registered() && self.states.contains(&self.ids(state))
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
    round: u64,
}

fn hasher() -> RandomState {
    RandomState::with_seeds(1, 4, 1, 4)
}

impl Default for AloneRuns {
    fn default() -> Self {
        Self { known: HashMap::with_hasher(hasher()), count: 0, round: 0 }
    }
}

impl AloneRuns {
    /// Whether a thread is known not to spin in a state.
    pub(super) fn knows(&self, round: u64, slots: &Slots, state: &Table, thread: ThreadId) -> bool {
        let own = slots.find(Key::Thread(thread)).map(|slot| state.get(slot));
        let kinds = own.filter(|_| round == self.round).and_then(|own| self.known.get(&own));
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind.holds(slots, state)))
    }

    /// Keeps the states of a run after which the thread does not come back, with what the whole run read.
    pub(super) fn keep(
        &mut self,
        round: u64,
        slots: &Slots,
        (states, thread): (&[Table], ThreadId),
        reads: &Reads,
    ) {
        if round != self.round || self.count > MOST {
            self.known.clear();
            (self.round, self.count) = (round, 0);
        }
        let mut read: Vec<u32> = reads.keys.iter().filter_map(|key| slots.find(*key)).collect();
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
