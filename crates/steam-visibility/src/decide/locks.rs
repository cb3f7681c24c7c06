//! When a lock that a thread holds protects what the thread touches.

use super::table;

/// What is known of the program that bears on whether a thread keeps its locks until it gives them back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Protection {
    /// Whether handlers run beside other threads.
    pub handlers_run: bool,
    /// Whether threads are cancelled.
    pub cancels: bool,
}

table! {
    /// Whether locks that a thread holds protect what it touches: no other thread takes them from it before it has done what
    /// comes next.
    protects(facts: &Protection, _regime) -> bool, PROTECTION, protection_row {
        "2.4" "a handler gives the lock back in the middle of what its thread does, or leaves that half done":
            facts.handlers_run => false;
        "2.4" "a cancellation is a handler that does not return, and others clean up":
            facts.cancels => false;
        otherwise "2.4" "the thread keeps a lock until it has done what comes before the release"
            => true;
    }
}
