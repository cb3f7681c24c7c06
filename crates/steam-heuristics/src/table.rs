//! The names of the heuristics, with a line of description each.

use steam_model::{Tally, Threads};

use crate::directed::Directed;
use crate::followed::Followed;
use crate::{
    deadlock_distance, locks_and_blocked, most_blocked, prefer_blocked_alive,
    prefer_blocked_blocked, prefer_blocked_text, prefer_locks_1, prefer_locks_2,
};

/// How many threads and locks are expected, from which the largest preference follows. Exceeding
/// it only shifts all estimates: their order stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Threads alive at the same time.
    pub threads: u32,
    /// Locks held at the same time.
    pub locks: u32,
    /// Whether no other errors than deadlocks are looked for.
    pub only_deadlocks: bool,
}

impl Bounds {
    /// Four times the threads of a state, and as many locks.
    pub fn of<M: Threads>(model: &M, state: &M::State, only_deadlocks: bool) -> Self {
        let mut alive = 0u32;
        model.threads(state, &mut |thread| alive += u32::from(thread.alive));
        let threads = alive.max(1).saturating_mul(4);
        Self { threads, locks: threads, only_deadlocks }
    }
}

/// A heuristic by its name.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// What one writes on the command line.
    pub name: &'static str,
    /// What it prefers, in one line.
    pub description: &'static str,
    kind: Kind,
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Named {}

#[derive(Clone, Copy, Debug)]
enum Kind {
    OnState {
        preference: fn(&Tally) -> i64,
        maximum: fn(&Bounds) -> i64,
    },
    /// Like the former, and its estimates are never too large for deadlocks.
    Admissible {
        preference: fn(&Tally) -> i64,
    },
    OnPath(Followed),
}

/// A heuristic, made for a program.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    /// One that looks at states alone.
    OnState(Directed),
    /// One that looks at the path too.
    OnPath(Followed),
}

impl Named {
    /// The heuristic itself, for programs within the bounds.
    pub fn make(&self, bounds: Bounds) -> Made {
        match self.kind {
            Kind::OnState { preference, maximum } => {
                Made::OnState(Directed::new(preference, maximum(&bounds)))
            }
            Kind::Admissible { preference } => {
                let most = if bounds.only_deadlocks { i64::MAX } else { 1 };
                Made::OnState(Directed::new(preference, 0).at_most(most))
            }
            Kind::OnPath(followed) => Made::OnPath(followed),
        }
    }
}

macro_rules! on_state {
    ($name:literal, $module:ident, $description:literal) => {
        Named {
            name: $name,
            description: $description,
            kind: Kind::OnState { preference: $module::preference, maximum: $module::maximum },
        }
    };
}

const fn on_path(name: &'static str, followed: Followed, description: &'static str) -> Named {
    Named { name, description, kind: Kind::OnPath(followed) }
}

/// All heuristics, in the order in which they are listed for people.
pub const TABLE: &[Named] = &[
    on_state!("mb", most_blocked, "most blocked: threads that wait"),
    on_state!("lnb", locks_and_blocked, "locks that are held, and threads that wait"),
    on_state!("pl1", prefer_locks_1, "many locks held and many threads that wait, squared"),
    on_state!("pl2", prefer_locks_2, "many locks held, and neighbouring threads that wait"),
    on_state!("pba", prefer_blocked_alive, "threads that wait, and neighbours that live"),
    on_state!("pbb", prefer_blocked_blocked, "threads that wait, and neighbours among them"),
    on_state!(
        "pbb-text",
        prefer_blocked_text,
        "pbb without B squared, as the text of the StEAM paper has it"
    ),
    on_path("int", Followed::Interleaving, "interleaving: threads that take turns"),
    on_path("rw", Followed::ReadWrite, "writes to shared memory, and few reads between them"),
    on_path("aa", Followed::Alternating, "accesses to shared memory that read and write by turns"),
    Named {
        name: "dl",
        description: "steps that a deadlock needs at least; with astar: shortest trails to deadlocks",
        kind: Kind::Admissible { preference: deadlock_distance::preference },
    },
];

/// The heuristic with a name.
pub fn by_name(name: &str) -> Option<&'static Named> {
    TABLE.iter().find(|named| named.name == name)
}
