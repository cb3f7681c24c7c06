//! Runs that come to an error which nobody looks for: how they go on.

use std::sync::PoisonError;

use steam_model::Delta;
use steam_state::Table;

use super::finding::Violation;
use super::{Program, Worker};
use crate::report::Kind;

/// The status of a program that an error has ended.
const FAILED: i32 = 1;

impl Program {
    /// Goes on behind a step, just done from a state, that was an error which nobody looks for. The
    /// program has ended there, and what holds of its memory stays so. A thread that runs on and on does
    /// so for ever, and the others go on beside it: nothing has changed. But if it did not come back to where it was, it
    /// may come to something one day, and what is found is not all ([`Program::running`]).
    pub fn go_past(
        &self,
        worker: &mut Worker,
        state: &Table,
        error: &Violation,
        delta: &mut Delta,
    ) {
        delta.clear();
        if error.kind == Kind::Divergence {
            worker.progress = false;
            if !worker.returned {
                let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
                running.get_or_insert_with(|| error.clone());
            }
            return;
        }
        worker.progress = true;
        let told = worker.holds_at_end(self, state);
        worker.empty_but_for(FAILED, told, state, delta);
    }

    /// A thread that ran on and on in this round, if there is one of which it is not known whether it
    /// does so for ever.
    pub fn running(&self) -> Option<Violation> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets what is known of threads that run on and on.
    pub(super) fn forget_running(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
