//! The one place that decides what is a step.
//!
//! An operation comes with what is known of it, a thread with the [`Regime`] under which it runs. [`decide`] says whether
//! others could observe *when* the operation is done. Each family of operations has a table: the first row whose
//! condition holds decides. A row has its reason beside it, and the paragraph of `docs/theory.md` in which the argument
//! stands; `tests/tests/theory.rs` sees to it that the paragraph is there. The tables are compared with nothing but
//! themselves here (each row decides somewhere); that they are right is what `tests/tests/random.rs` is for, where every
//! access and every operation is a step of the search to which all others are compared.

mod accesses;
mod functions;
mod locks;
mod privacy;
mod synchronisation;
mod system_calls;

use crate::regime::Regime;

pub use accesses::watching;
pub use functions::{Creation, Join, Model};
pub use locks::Protection;
pub use privacy::Private;
pub use synchronisation::SynchronisationFacts;
pub use system_calls::CallFacts;

/// Whether an operation is a step of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It is: the thread stands before it, and all others may come first.
    Visible,
    /// It is done within the step before it: it cannot be observed when.
    Invisible,
    /// The same for now. If it turns out to touch what threads share, that is learned, and it is a step from the next
    /// refinement iteration on.
    Learn,
}

/// An operation that a thread is about to do, with what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// It uses a synchronisation object.
    Synchronisation(SynchronisationFacts),
    /// It calls the system.
    SystemCall(CallFacts),
    /// It calls a function of which a model is known that touches memory and no synchronisation object.
    Model(Model),
    /// It calls a function of the library that runs as a whole, such as those of streams.
    Function,
    /// It creates a thread.
    Creation(Creation),
    /// It waits for the end of a thread.
    Join(Join),
    /// It tests whether it was cancelled.
    CancellationPoint,
    /// It says where it may be cancelled; and whether threads are cancelled at all.
    CancellationType {
        /// Whether some thread cancels others.
        cancels: bool,
    },
    /// It begins an atomic block.
    AtomicBlock,
    /// It claims memory for itself, or gives it back.
    Ownership,
    /// It fails: an assertion, a bad access.
    Failure {
        /// Whether it is known to fail here, in some execution.
        known: bool,
    },
}

/// Whether an operation of a thread is a step of its own.
pub fn decide(operation: &Operation, regime: &Regime) -> Decision {
    match operation {
        Operation::Synchronisation(facts) => synchronisation::decide(facts, regime),
        Operation::SystemCall(facts) => system_calls::decide(facts, regime),
        Operation::Model(facts) => functions::model(facts, regime),
        Operation::Function => functions::function(&(), regime),
        Operation::Creation(facts) => functions::creation(facts, regime),
        Operation::Join(facts) => functions::join(facts, regime),
        Operation::CancellationPoint => functions::cancellation_point(&(), regime),
        Operation::CancellationType { cancels } => functions::cancellation_type(cancels, regime),
        Operation::AtomicBlock => functions::atomic_block(&(), regime),
        Operation::Ownership => functions::claim(&(), regime),
        Operation::Failure { known } => functions::failure(known, regime),
    }
}

/// Whether a thread has for itself the blocks of the heap that no other thread can reach.
pub fn may_have_blocks(facts: &Private, regime: &Regime) -> bool {
    privacy::may_have(facts, regime)
}

/// Whether the locks that a thread holds protect what it touches.
pub fn locks_protect(facts: &Protection, regime: &Regime) -> bool {
    locks::protects(facts, regime)
}

/// Why a row of a table decides as it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The paragraph of `docs/theory.md` with the argument.
    pub paragraph: &'static str,
    /// The reason in a sentence.
    pub because: &'static str,
}

/// The tables by their names, each with the reasons of its rows in their order.
pub const TABLES: &[(&str, &[Reason])] = &[
    ("accesses", accesses::ACCESSES),
    ("private blocks", privacy::PRIVATE),
    ("locks", locks::PROTECTION),
    ("synchronisation", synchronisation::SYNCHRONISATION),
    ("system calls", system_calls::SYSTEM_CALLS),
    ("models", functions::MODELS),
    ("functions", functions::FUNCTIONS),
    ("creations", functions::CREATIONS),
    ("joins", functions::JOINS),
    ("cancellation points", functions::CANCELLATION_POINTS),
    ("cancellation types", functions::CANCELLATION_TYPES),
    ("atomic blocks", functions::ATOMIC_BLOCKS),
    ("claims", functions::CLAIMS),
    ("failures", functions::FAILURES),
];

/// Makes a table: a function that answers by the first row whose condition holds, and the reasons of its rows.
///
/// The last row has no condition. In tests there is one more function, which says which row decides.
macro_rules! table {
    (
        $(#[$about:meta])*
        $name:ident($facts:ident: &$Facts:ty, $regime:ident) -> $Answer:ty, $reasons:ident, $row:ident {
            $($paragraph:literal $because:literal: $condition:expr => $answer:expr;)*
            otherwise $last_paragraph:literal $last_because:literal => $last:expr;
        }
    ) => {
        $(#[$about])*
        pub(super) fn $name($facts: &$Facts, $regime: &crate::regime::Regime) -> $Answer {
            $(if $condition { return $answer; })*
            $last
        }

        pub(super) const $reasons: &[crate::decide::Reason] = &[
            $(crate::decide::Reason { paragraph: $paragraph, because: $because },)*
            crate::decide::Reason { paragraph: $last_paragraph, because: $last_because },
        ];

        #[cfg(test)]
        pub(super) fn $row($facts: &$Facts, $regime: &crate::regime::Regime) -> usize {
            let conditions = [$($condition,)* true];
            conditions.iter().position(|holds| *holds).expect("the last row has no condition")
        }
    };
}
use table;

#[cfg(test)]
mod tests;
