//! Which accesses to memory are steps of their own.
//!
//! What is asked of single accesses is decided by the [`Watch`](crate::Watch), word by word; here it is decided how it
//! looks at them during a turn.

use super::table;
use crate::regime::{Block, Company, Granularity, Regime};
use crate::watch::Mode;

/// How the accesses of a turn are watched.
pub fn watching(regime: &Regime) -> Mode {
    accesses(&(), regime)
}

table! {
    accesses(_facts: &(), regime) -> Mode, ACCESSES, row {
        "1" "steps are source lines":
            regime.granularity == Granularity::Line => Mode::Off;
        "4.2" "the library keeps its own books there, under its own locks":
            regime.block == Block::Bookkeeping => Mode::Off;
        "2.5" "no other thread has this memory, and no property looks at it":
            regime.has_memory_alone() && (regime.starts || !regime.observed) => Mode::Off;
        "5" "no other thread has this memory, but a property looks at it":
            regime.has_memory_alone() && regime.block == Block::None => Mode::Observed;
        "5" "the same within what is one step":
            regime.has_memory_alone() => Mode::ObservedAtomic;
        "1" "each access to what others have is a step of the reference, and processes have common memory alone":
            regime.granularity == Granularity::Access
                && regime.block == Block::None
                && regime.company != Company::Threads
                && !regime.meets_own_handlers => Mode::Common;
        "1" "each access is a step of the reference":
            regime.granularity == Granularity::Access && regime.block == Block::None => Mode::Every;
        "4.2" "the function touches nothing that belongs to the program":
            regime.block == Block::Function { noted: false } => Mode::Off;
        "7" "the reference looks for races, judges words or has owned memory within what is one step":
            regime.granularity == Granularity::Access
                && (regime.races || regime.judges_words || regime.owns) => Mode::Atomic;
        "1" "nothing within an atomic block is a step, and the reference learns nothing":
            regime.granularity == Granularity::Access => Mode::Off;
        "2.6" "a process may be ended before each access to common memory; other words are learned":
            regime.block == Block::None
                && regime.company != Company::Threads
                && regime.steps_in_common_memory()
                && (regime.meets_own_handlers || regime.copied) => Mode::CommonAndShared;
        "2.6" "a process may be ended before each access to common memory, and has nothing else in common":
            regime.block == Block::None
                && regime.company != Company::Threads
                && regime.steps_in_common_memory() => Mode::Common;
        "2.6" "a process may be ended before each access, whoever of its threads makes it":
            regime.block == Block::None && regime.steps_in_common_memory() => Mode::Every;
        "2" "a word that several threads touch is shared, which is learned":
            regime.block == Block::None => Mode::Shared;
        otherwise "2" "it is one step as a whole, and what it touches is learned"
            => Mode::Atomic;
    }
}
