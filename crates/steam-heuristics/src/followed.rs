//! The heuristics that look at the path to a state, chosen while the checker runs.
//!
//! What they remember lives in the search's nodes, never in states: on a state that is reached again
//! the first path counts, or the cheaper one where the search opens states again.

use steam_model::{Heuristic, SharedAccess, Tally, Threads};

use crate::alternating::Accesses;
use crate::interleaving::Turns;
use crate::read_write::Counts;

/// What an allocation with two reference counts takes beside its content, and what the allocator does.
pub(crate) const ARC: usize = 32;

/// What one heuristic remembers of a path.
pub(crate) trait Trace: Clone + Default {
    /// The path one step further.
    fn step(&self, thread: u32, access: Option<SharedAccess>) -> Self;

    /// How good a state looks to which it leads.
    fn preference(&self, tally: &Tally) -> i64;

    /// Bytes that it takes beside its own size.
    fn bytes(&self) -> usize;
}

/// One of the heuristics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// `int`.
    Interleaving,
    /// `rw`.
    ReadWrite,
    /// `aa`.
    Alternating,
}

/// What is remembered of a path.
#[derive(Clone, Debug, Default)]
pub struct PathMemory(Remembered);

#[derive(Clone, Debug, Default)]
enum Remembered {
    #[default]
    Nothing,
    Turns(Turns),
    Counts(Counts),
    Accesses(Accesses),
}

impl<M: Threads> Heuristic<M> for Followed {
    type Path = PathMemory;
    const FOLLOWS_PATH: bool = true;

    /// Preferences have no bound; their order is all that counts.
    fn maximum(&self) -> i64 {
        0
    }

    fn preference(
        &self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
        memory: &PathMemory,
    ) -> i64 {
        match &memory.0 {
            Remembered::Nothing => 0,
            Remembered::Turns(turns) => turns.preference(&model.tally(worker, state)),
            Remembered::Counts(counts) => counts.preference(&Tally::default()),
            Remembered::Accesses(accesses) => accesses.preference(&Tally::default()),
        }
    }

    fn path_bytes(&self, memory: &PathMemory) -> usize {
        match &memory.0 {
            Remembered::Nothing => 0,
            Remembered::Turns(turns) => turns.bytes(),
            Remembered::Counts(counts) => counts.bytes(),
            Remembered::Accesses(accesses) => accesses.bytes(),
        }
    }

    fn extend(
        &self,
        model: &M,
        memory: &PathMemory,
        before: &M::State,
        action: M::Action,
    ) -> PathMemory {
        let (thread, access) = (model.process(action), model.access(before, action));
        PathMemory(match (self, &memory.0) {
            (Self::Interleaving, Remembered::Turns(turns)) => {
                Remembered::Turns(turns.step(thread, access))
            }
            (Self::ReadWrite, Remembered::Counts(counts)) => {
                Remembered::Counts(counts.step(thread, access))
            }
            (Self::Alternating, Remembered::Accesses(accesses)) => {
                Remembered::Accesses(accesses.step(thread, access))
            }
            (Self::Interleaving, _) => Remembered::Turns(Turns::default().step(thread, access)),
            (Self::ReadWrite, _) => Remembered::Counts(Counts::default().step(thread, access)),
            (Self::Alternating, _) => {
                Remembered::Accesses(Accesses::default().step(thread, access))
            }
        })
    }
}
