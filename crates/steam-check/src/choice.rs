//! What can be chosen from a short list: each choice once, with its name and what it means.
//!
//! The names are those of the command line, of trail files and of reports: one table serves all three.

/// One of a few choices, each of which has a name.
pub trait Choice: Copy + Eq + Send + Sync + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// Its name, as users write it.
    fn name(self) -> &'static str;

    /// What it means, in a sentence.
    fn description(self) -> &'static str;

    /// The choice of a name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

/// Makes an enumeration of choices; what documents a variant describes it to users, too.
macro_rules! choices {
    (
        $(#[$about:meta])*
        pub enum $choices:ident {
            $($(#[doc = $text:literal])+ $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $choices {
            $($(#[doc = $text])+ $variant,)+
        }

        impl $crate::choice::Choice for $choices {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($text),+).trim_ascii(),)+
                }
            }
        }

        impl std::fmt::Display for $choices {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str($crate::choice::Choice::name(*self))
            }
        }
    };
}

pub(crate) use choices;

choices! {
    /// The orders of search.
    pub enum AlgorithmName {
        /// Depth first.
        Dfs = "dfs",
        /// Breadth first: shortest trails.
        Bfs = "bfs",
        /// Best first, by the heuristic alone.
        Bf = "bf",
        /// A*: by the length of the trail and the heuristic.
        Astar = "astar",
        /// Level by level, the best states of each by the heuristic; may miss errors, and says so.
        Beam = "beam",
        /// Iterative deepening by length and heuristic; needs little memory.
        Ida = "ida",
        /// Iterative deepening by length; needs little memory.
        Id = "id",
        /// All executions without a store; what only another order of independent steps would change
        /// is left out (see --por).
        Stateless = "stateless",
        /// Random schedules.
        Random = "random",
        /// Random schedules with few switches (PCT).
        Pct = "pct",
    }
}

impl AlgorithmName {
    /// Whether states that were reached wait in a list until they are expanded.
    pub fn keeps_open_states(self) -> bool {
        matches!(self, Self::Dfs | Self::Bfs | Self::Bf | Self::Astar | Self::Beam)
    }
}

choices! {
    /// What random runs before a search are for.
    pub enum Pilots {
        /// To learn what is shared; and an error that they met is reported if the search finds none.
        Tell = "tell",
        /// To learn what is shared: every error is one of the search, as comparisons need it.
        Learn = "learn",
        /// There are none.
        None = "none",
    }
}

choices! {
    /// Which executions a search leaves out: the first one is for any, the next three are for one without a store, the last
    /// one is for those with a store.
    pub enum Reduction {
        /// None of them.
        None = "none",
        /// Those that begin like others whose order of independent steps differs (sleep sets).
        Sleep = "sleep",
        /// Those that begin with a thread with whose steps nothing interferes that the others may still do
        /// (persistent sets and sleep sets).
        Persistent = "persistent",
        /// Those that decide no race in another way (source sets and sleep sets).
        Source = "source",
        /// Those that begin with a thread with whose steps nothing interferes that the others may still do, as far as
        /// states that are kept need it (learned stubborn sets).
        Stubborn = "stubborn",
    }
}

choices! {
    /// What one step is.
    pub enum Atomic {
        /// One access to shared memory and all that is private after it.
        Lgc = "lgc",
        /// One source line.
        Line = "line",
        /// One machine instruction.
        Instr = "instr",
    }
}

choices! {
    /// What accesses to volatile objects are.
    pub enum Volatile {
        /// Accesses like others.
        Race = "race",
        /// Atomic ones.
        Atomic = "atomic",
    }
}

choices! {
    /// Whether accesses to blocks of the heap that no other thread can reach are steps.
    pub enum Privacy {
        /// They are no steps of their own.
        On = "on",
        /// They are steps where threads share the words in some state.
        Off = "off",
    }
}

choices! {
    /// Whether it is used that threads wait in loops.
    pub enum Waits {
        /// To leave a thread that can only wait is no preemption and no delay, and random schedules let others go first;
        /// what it only counts is no part of a state.
        On = "on",
        /// A thread that waits in a loop is one like others.
        Off = "off",
    }
}

choices! {
    /// What the mutex locking discipline is for.
    pub enum Mld {
        /// Accesses to variables that obey it are no steps of their own, in the searches that this suits and as long as
        /// it pays.
        Auto = "auto",
        /// Nothing.
        Off = "off",
        /// Variables that violate it are errors, with those who initialise fixed in advance (MLD').
        Check = "check",
        /// Variables that violate it in some execution are errors (MLD).
        Plain = "plain",
        /// Accesses to variables that obey it are no steps of their own, in every search.
        Use = "use",
        /// The same, and sections under the same lock commute where they touch different things.
        Compose = "compose",
    }
}

choices! {
    /// How visited states are remembered.
    pub enum Store {
        /// Exact and small.
        Tree = "tree",
        /// Exact, each state as a whole.
        Full = "full",
        /// 16 bytes for each state; two are mistaken for one hardly ever.
        Hash128 = "hash128",
        /// A few bits for each state; parts of the program may be missed.
        Bitstate = "bitstate",
    }
}

impl Store {
    /// What is known of the chance that a state was mistaken for another one.
    pub fn chance(self, states: u64) -> String {
        match self {
            Self::Hash128 => {
                // Pairs of states, each with the same fingerprint in one of 2^128 cases.
                let pairs = states as f64 * states as f64 / 2.0;
                let exponent = (pairs.max(1.0) / 2f64.powi(128)).log10().ceil();
                format!("p(miss) < 1e{exponent}")
            }
            _ => "states may be missed".to_owned(),
        }
    }
}

choices! {
    /// Which runs without an end count.
    pub enum Fair {
        /// All of them.
        None = "none",
        /// Those on which no thread that can always go on is left out for ever.
        Weak = "weak",
        /// Those on which no thread that again and again can go on is left out for ever.
        Strong = "strong",
    }
}
