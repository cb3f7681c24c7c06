//! The names of the heuristics, with a line of description each.

use steam_model::{Blind, Threads};

use crate::directed::Directed;
use crate::most_blocked::MostBlocked;
use crate::prefer_locks::PreferLocks;

/// How many threads and locks are expected, from which the largest preference follows. Exceeding
/// it only shifts all estimates: their order stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Threads alive at the same time.
    pub threads: u32,
    /// Locks held at the same time.
    pub locks: u32,
}

impl Bounds {
    /// Four times the threads of a state, and as many locks.
    pub fn of<M: Threads>(model: &M, state: &M::State) -> Self {
        let mut alive = 0u32;
        model.threads(state, &mut |thread| alive += u32::from(thread.alive));
        let threads = alive.max(1).saturating_mul(4);
        Self { threads, locks: threads }
    }
}

/// A heuristic by its name.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// What one writes on the command line.
    pub name: &'static str,
    /// What it prefers, in one line.
    pub description: &'static str,
    make: fn(Bounds) -> Directed,
}

impl Named {
    /// The heuristic itself, for programs within the bounds.
    pub fn make(&self, bounds: Bounds) -> Directed {
        (self.make)(bounds)
    }
}

/// All heuristics, in the order in which they are listed for people.
pub const TABLE: &[Named] = &[
    Named { name: "none", description: "prefers nothing", make: |_| Directed::Blind(Blind) },
    Named {
        name: "mb",
        description: "most blocked: prefers states in which many threads are blocked",
        make: |bounds| Directed::MostBlocked(MostBlocked::new(bounds)),
    },
    Named {
        name: "pl2",
        description: "prefers states in which many locks are held and neighbours are blocked",
        make: |bounds| Directed::PreferLocks(PreferLocks::new(bounds)),
    },
];

/// The heuristic with a name.
pub fn by_name(name: &str) -> Option<&'static Named> {
    TABLE.iter().find(|named| named.name == name)
}
