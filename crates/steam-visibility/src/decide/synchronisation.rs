//! When the use of a synchronisation object is a step.

use super::{Decision, table};
use crate::regime::{Block, Granularity};

/// What is known of the use of a synchronisation object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SynchronisationFacts {
    /// Whether it gives something up, never waits, and can be done whatever others do.
    pub releases: bool,
    /// Whether no other thread and no other process can come to the object.
    pub secluded: bool,
    /// Whether a handler that may come uses the object, or may end the operation.
    pub meets_handler: bool,
    /// Whether some thread looks whether the object is free, without waiting for it.
    pub observed: bool,
    /// Whether the memory of the object may go away or be overwritten, by what another thread does.
    pub may_vanish: bool,
    /// Whether the object lies in memory that processes share.
    pub in_common: bool,
    /// Whether memory is copied somewhere while other threads are at it.
    pub copied_anywhere: bool,
    /// Whether a handler may come that does not return.
    pub may_be_abandoned: bool,
}

table! {
    /// Whether the use of a synchronisation object is a step.
    decide(facts: &SynchronisationFacts, regime) -> Decision, SYNCHRONISATION, row {
        "3" "it is part of what is one step":
            regime.block != Block::None => Decision::Invisible;
        "3.1" "no other thread or process can come to the object, no handler meets it, no property looks":
            facts.secluded && !facts.meets_handler && (regime.starts || !regime.threads_observed)
                => Decision::Invisible;
        "3" "it may wait, or takes what others wait for":
            !facts.releases => Decision::Visible;
        "1" "each operation is a step of the reference":
            regime.granularity == Granularity::Access => Decision::Visible;
        "3.2" "a property looks at what threads hold":
            regime.threads_observed => Decision::Visible;
        "3.2" "a handler uses the object, or may end the operation: it comes before or after it":
            facts.meets_handler => Decision::Visible;
        "3.2" "a thread looks whether the object is free, without waiting for it":
            facts.observed => Decision::Visible;
        "3.2" "the memory of the object may be freed, unmapped or overwritten: before or after it":
            facts.may_vanish => Decision::Visible;
        "3.2" "a process that holds the object may be ended, and the object is held forever":
            facts.in_common && regime.ends_anywhere => Decision::Visible;
        "3.2" "a copy of the memory shows who held what":
            facts.copied_anywhere => Decision::Visible;
        "3.2" "a handler may come that does not return, and the object stays held":
            facts.may_be_abandoned => Decision::Visible;
        otherwise "3.2" "no thread can observe when something was given up for which none looks without waiting"
            => Decision::Invisible;
    }
}
