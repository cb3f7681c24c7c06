//! When the call of a function is a step, of what else a thread does as a whole, and of what it asks the checker for.

use super::{Decision, table};
use crate::regime::{Block, Company, Granularity};
use crate::watch::Mode;

/// What is known of the call of a function that a model does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Whether a call from this place is known to touch what threads share.
    pub touches_shared: bool,
    /// Whether it is about memory itself, such as `malloc`: no access of the program.
    pub manages_memory: bool,
}

/// What is known of the creation of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Creation {
    /// Whether a call from this place is known to touch what threads share: where it writes the thread's number.
    pub touches_shared: bool,
    /// Whether a handler may come that does not return.
    pub may_be_abandoned: bool,
}

/// What is known of the wait for the end of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Join {
    /// Whether the thread has ended, which cannot be undone.
    pub ended: bool,
    /// Whether its result is written to what threads share.
    pub touches_shared: bool,
    /// Whether several threads take numbers of threads and give them back.
    pub shares_numbers: bool,
}

table! {
    /// Whether the call of a model is a step.
    model(facts: &Model, regime) -> Decision, MODELS, model_row {
        "2" "it is part of what is one step, or it cannot be observed; what it touches is noted all the same":
            regime.is_within_step() => Decision::Learn;
        "2" "a call from this place is known to touch what threads share":
            facts.touches_shared => Decision::Visible;
        "7" "each access is a step of the reference, and it is asked whether this one is in a race":
            regime.granularity == Granularity::Access
                && regime.races
                && !facts.manages_memory
                && super::watching(regime) == Mode::Every => Decision::Visible;
        otherwise "2" "what it touches is learned"
            => Decision::Learn;
    }
}

table! {
    /// Whether the call of a function that runs as a whole is a step.
    function(_facts: &(), regime) -> Decision, FUNCTIONS, function_row {
        "4.2" "it is part of what is one step, or it cannot be observed":
            regime.is_within_step() => Decision::Invisible;
        otherwise "4.2" "it is one operation on what the library keeps for all threads"
            => Decision::Visible;
    }
}

table! {
    /// Whether the creation of a thread is a step.
    creation(facts: &Creation, regime) -> Decision, CREATIONS, creation_row {
        "2.1" "it is part of what is one step, or it cannot be observed":
            regime.is_within_step() => Decision::Invisible;
        "2" "another thread can observe when the number of the new one is written":
            facts.touches_shared => Decision::Visible;
        "5" "a property looks at threads":
            regime.threads_observed => Decision::Visible;
        "3.2" "a handler may come that does not return, before it or after it":
            facts.may_be_abandoned => Decision::Visible;
        "7" "each access is a step of the reference, and it is asked whether this one is in a race":
            regime.granularity == Granularity::Access && regime.races => Decision::Visible;
        otherwise "2.1" "the new thread stands before its first visible operation, whenever it was created"
            => Decision::Invisible;
    }
}

table! {
    /// Whether the wait for the end of a thread is a step.
    join(facts: &Join, regime) -> Decision, JOINS, join_row {
        "3" "it waits until the thread has ended":
            !facts.ended => Decision::Visible;
        "3" "it is part of what is one step, or it cannot be observed":
            regime.is_within_step() => Decision::Invisible;
        "2" "another thread can observe when the result is written":
            facts.touches_shared => Decision::Visible;
        "2.1" "numbers of threads become free by it, and other threads take and give them back":
            facts.shares_numbers => Decision::Visible;
        otherwise "3" "the thread has ended, which cannot be undone"
            => Decision::Invisible;
    }
}

table! {
    /// Whether a test for a cancellation is a step.
    cancellation_point(_facts: &(), regime) -> Decision, CANCELLATION_POINTS, point_row {
        "4.3" "no thread is there that could cancel, or it is part of what is one step":
            regime.is_within_step() || regime.company == Company::Alone => Decision::Invisible;
        otherwise "4.3" "the thread is cancelled before it or after it"
            => Decision::Visible;
    }
}

table! {
    /// Whether it is a step to say where a thread may be cancelled.
    cancellation_type(cancels: &bool, regime) -> Decision, CANCELLATION_TYPES, type_row {
        "4.3" "no thread is cancelled, or it is part of what is one step":
            !*cancels || regime.is_within_step() => Decision::Invisible;
        otherwise "4.3" "the thread is cancelled before it or after it"
            => Decision::Visible;
    }
}

table! {
    /// Whether the begin of an atomic block is a step.
    atomic_block(_facts: &(), regime) -> Decision, ATOMIC_BLOCKS, block_row {
        "1" "it is part of another one":
            regime.block != Block::None => Decision::Invisible;
        otherwise "1" "the block is one visible operation, which begins here"
            => Decision::Visible;
    }
}

table! {
    /// Whether it is a step to claim memory, or to give it back.
    claim(_facts: &(), regime) -> Decision, CLAIMS, claim_row {
        "2.7" "it is part of what is one step, or it cannot be observed":
            regime.is_within_step() => Decision::Invisible;
        otherwise "2.7" "who touches the memory before it or after it commits an error or does not"
            => Decision::Visible;
    }
}

table! {
    /// Whether a thread stands before its failure.
    failure(known: &bool, regime) -> Decision, FAILURES, failure_row {
        "2.3" "steps are accesses or lines, and what precedes them was a step":
            regime.granularity != Granularity::Shared => Decision::Invisible;
        "2.3" "no thread can come before it":
            regime.is_within_step() => Decision::Invisible;
        "2.3" "another thread may come before it, and it may not fail then":
            *known => Decision::Visible;
        otherwise "2.3" "the place is learned"
            => Decision::Learn;
    }
}
