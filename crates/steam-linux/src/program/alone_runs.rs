//! Threads that are known not to spin: runs of a thread alone that came to something others see.
//!
//! Whether a thread spins is found by letting it run alone (`hang.rs`). A loop that counts while it sleeps or yields would
//! be asked for after each of its iterations, in each of many states that differ in other threads only. A run alone is a
//! function of the components that it read. Those are kept, with the ids that they had in each of the states that the
//! run went through; a state in which they are the same needs no run of its own.
//!
//! The twin is the run itself: debug builds do it in one of sixteen states all the same, and compare.

use std::sync::Arc;

use ahash::{HashMap, RandomState};
use steam_state::{Component, Key, Reads, Slots, Table, ThreadId};

/// The most states that are kept.
const MOST: usize = 1 << 14;

/// What a run read, and with which ids one of its states has that.
struct Known {
    slots: Arc<[u32]>,
    ids: Box<[u32]>,
    /// How many keys there were, where the run looked for all of a kind, or for one that there was not.
    registered: Option<u32>,
}

/// States from which a thread that runs alone does not come back.
pub(super) struct AloneRuns {
    /// By the thread's own component.
    known: HashMap<Component, Known>,
    /// The refinement iteration in which they were found: in the next one steps are others.
    round: u64,
}

impl Default for AloneRuns {
    fn default() -> Self {
        let known = HashMap::with_hasher(RandomState::with_seeds(1, 4, 1, 4));
        Self { known, round: 0 }
    }
}

impl AloneRuns {
    /// Whether a thread is known not to spin in a state.
    pub(super) fn knows(&self, round: u64, slots: &Slots, state: &Table, thread: ThreadId) -> bool {
        let own = slots.find(Key::Thread(thread)).map(|slot| state.get(slot));
        let known = own.filter(|_| round == self.round).and_then(|own| self.known.get(&own));
        known.is_some_and(|known| {
            known.registered.is_none_or(|count| count == slots.registered())
                && known.slots.iter().zip(&known.ids).all(|(&slot, &id)| state.get(slot).0 == id)
        })
    }

    /// Keeps the states of a run after which the thread does not come back, with what the whole run read.
    pub(super) fn keep(
        &mut self,
        round: u64,
        slots: &Slots,
        (states, thread): (&[Table], ThreadId),
        reads: &Reads,
    ) {
        if round != self.round || self.known.len() > MOST {
            self.known.clear();
            self.round = round;
        }
        let found = reads.keys.iter().map(|key| slots.find(*key));
        let absent = found.clone().any(|slot| slot.is_none());
        let mut read: Vec<u32> = found.flatten().collect();
        read.sort_unstable();
        read.dedup();
        let read: Arc<[u32]> = read.into();
        let registered = reads.listed.or_else(|| absent.then(|| slots.registered()));
        for state in states {
            let Some(own) = slots.find(Key::Thread(thread)) else { return };
            let ids = read.iter().map(|slot| state.get(*slot).0).collect();
            let known = Known { slots: Arc::clone(&read), ids, registered };
            self.known.insert(state.get(own), known);
        }
    }
}
