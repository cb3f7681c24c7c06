//! Under which rules a thread runs: all that bears on what is a step and stays the same for one turn of the thread.
//!
//! A regime is made in one place, from the state and from what the search has learned, before the CPU runs and wherever
//! an operation is decided about. It says who else could observe the thread, and in which way.

/// What a step is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    /// One operation on something that threads share.
    #[default]
    Shared,
    /// A source line.
    Line,
    /// One access to memory.
    Access,
}

impl Granularity {
    /// Whether it is learned which words threads share, since that bears on what is a step.
    pub fn learns(self) -> bool {
        self == Self::Shared
    }
}

/// What the thread runs as a whole: nothing within it is a step of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Block {
    /// Nothing.
    #[default]
    None,
    /// An atomic block that the program asked for.
    Requested,
    /// A function of the library that is one operation.
    Function {
        /// Whether its accesses are noted: it touches what belongs to the program.
        noted: bool,
    },
    /// What the library does for itself before and after a thread's function.
    Bookkeeping,
}

/// Who else lives, beside the thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Company {
    /// No other thread, no other process, and no timer that could send a signal.
    #[default]
    Alone,
    /// No other thread in its process.
    OnlyThread,
    /// Other threads in its process.
    Threads,
}

/// The rules of one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Regime {
    /// What a step is made of.
    pub granularity: Granularity,
    /// What the thread runs as a whole.
    pub block: Block,
    /// Who else lives.
    pub company: Company,
    /// Whether other processes live, or did and were not waited for.
    pub beside_processes: bool,
    /// Whether the process has handlers of signals and no other thread: what a handler touches may be what its own
    /// thread was at.
    pub meets_own_handlers: bool,
    /// Whether the memory of the process was copied while other threads were at it: what is read shows what they had
    /// done by then.
    pub copied: bool,
    /// Whether memory is mapped that processes share.
    pub maps_common_memory: bool,
    /// Whether some process may be ended at any time: what it has written to common memory by then stays.
    pub ends_anywhere: bool,
    /// Whether a property looks at words of memory, or at threads, in every state.
    pub observed: bool,
    /// Whether a property looks at what threads hold and wait for, in every state.
    pub threads_observed: bool,
    /// Whether the program has not come to `main` yet.
    pub starts: bool,
    /// Whether data races are looked for.
    pub races: bool,
    /// Whether it is asked of single words who touches them, whatever is a step.
    pub judges_words: bool,
    /// Whether threads own memory.
    pub owns: bool,
}

impl Regime {
    /// Whether no other thread can interfere with the thread and no property looks at it.
    pub fn is_unobserved(&self) -> bool {
        self.company == Company::Alone && (self.starts || !self.observed)
    }

    /// Whether what comes next cannot be a step of its own: it is part of one, or it cannot be observed.
    pub fn is_within_step(&self) -> bool {
        self.is_unobserved() || self.block != Block::None
    }

    /// Whether accesses to memory concern no other thread, although others may live: none of them has the memory,
    /// and no handler meets what it interrupts.
    pub(crate) fn has_memory_alone(&self) -> bool {
        !self.copied
            && match self.company {
                Company::Alone => true,
                Company::OnlyThread => !self.maps_common_memory && !self.meets_own_handlers,
                Company::Threads => false,
            }
    }

    /// Whether every access to common memory is a step, as a process may be ended before any of them.
    pub(crate) fn steps_in_common_memory(&self) -> bool {
        self.maps_common_memory && self.ends_anywhere
    }
}
