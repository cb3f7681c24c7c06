//! When a system call is a step.
//!
//! Nothing is known here of what the calls do. Who knows says what bears on the question.

use super::{Decision, table};
use crate::regime::{Block, Company, Granularity};

/// What is known of a system call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CallFacts {
    /// Whether it concerns its thread alone, or returns what never changes.
    pub local: bool,
    /// Whether it is known to touch what threads share.
    pub touches_shared: bool,
    /// Whether it changes which signals are blocked, and signals may come.
    pub blocks_signals: bool,
    /// Whether a handler that may come changes what the call uses, or uses what it changes.
    pub meets_handler: bool,
    /// Whether a timer of the process may send its signal, or expire, before it or after it.
    pub timed: bool,
    /// Whether it has to do with what processes have in common, if there are several.
    pub concerns_processes: bool,
    /// Whether it ends its thread.
    pub ends_thread: bool,
    /// Whether it ends its process.
    pub ends_process: bool,
    /// Whether some thread looks whether another one has ended, without waiting for it.
    pub ends_observed: bool,
}

table! {
    /// Whether a system call is a step.
    decide(facts: &CallFacts, regime) -> Decision, SYSTEM_CALLS, row {
        "4.1" "a signal may come before it or after it, which it blocks or lets through":
            facts.blocks_signals && regime.block == Block::None && regime.company != Company::Alone
                => Decision::Visible;
        "4.1" "a handler may come before it or after it, and one of them can observe it":
            facts.meets_handler && regime.block == Block::None => Decision::Visible;
        "4.1" "a timer may have sent its signal by then, or have expired":
            facts.timed && regime.block == Block::None => Decision::Visible;
        "4" "other processes can observe when; an atomic block is atomic beside the threads of its process alone":
            regime.beside_processes
                && matches!(regime.block, Block::None | Block::Function { .. })
                && facts.concerns_processes => Decision::Visible;
        "1" "beside other processes each call is a step of the reference":
            regime.beside_processes
                && matches!(regime.block, Block::None | Block::Function { .. })
                && regime.granularity == Granularity::Access
                && !facts.local => Decision::Visible;
        "5" "a property looks at threads, of which one ends":
            (facts.ends_thread || facts.ends_process)
                && regime.threads_observed
                && regime.block == Block::None => Decision::Visible;
        "4" "the last thread of the last process ends":
            facts.ends_thread && regime.company == Company::Alone => Decision::Invisible;
        "4" "a thread looks whether this one has ended, without waiting for it":
            facts.ends_thread && facts.ends_observed => Decision::Visible;
        "4" "who waits for the end of a thread cannot observe when it was":
            facts.ends_thread => Decision::Invisible;
        "4" "it is part of what is one step, or it cannot be observed; what it touches is noted all the same":
            regime.is_within_step() => Decision::Learn;
        "5" "a property looks at words that the call is known to touch":
            facts.touches_shared && regime.observed => Decision::Visible;
        "4" "what a call does to its process concerns no other thread where its thread is the only one":
            regime.company != Company::Threads => Decision::Learn;
        "4" "the call is known to touch what threads share":
            facts.touches_shared => Decision::Visible;
        "4" "it concerns its thread alone, as far as is known":
            facts.local => Decision::Learn;
        otherwise "4" "the other threads of the process can observe it"
            => Decision::Visible;
    }
}
