//! When a block of the heap that no other thread can reach is its thread's own.

use super::table;
use crate::regime::{Company, Granularity};

/// What is known of the program that bears on whether threads have blocks for themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Private {
    /// Whether handlers run beside other threads.
    pub handlers_run: bool,
    /// Whether threads are cancelled.
    pub cancels: bool,
    /// Whether memory is copied somewhere while other threads are at it.
    pub copied_anywhere: bool,
    /// Whether threads claim memory for themselves.
    pub claims: bool,
}

table! {
    /// Whether a thread has for itself what no other one can reach: its accesses to that are invisible.
    may_have(facts: &Private, regime) -> bool, PRIVATE, private_row {
        "1" "each access is a step of the reference, and lines are lines":
            regime.granularity != Granularity::Shared => false;
        "2.5" "no other thread is there that could reach anything":
            regime.company != Company::Threads => false;
        "2.8" "a handler comes between any two instructions, and reaches what its thread does":
            facts.handlers_run => false;
        "2.8" "a cancellation is a handler that does not return":
            facts.cancels => false;
        "2.8" "a copy of the memory shows what was in a block, whoever can reach that":
            facts.copied_anywhere || regime.copied => false;
        "2.7" "the program says itself which memory a thread has alone":
            facts.claims || regime.owns => false;
        otherwise "2.8" "no other thread can come to the block before a pointer to it is stored"
            => true;
    }
}
