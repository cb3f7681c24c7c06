//! Threads that can only wait for others: when it is no preemption to leave one, and no use to run it.
//!
//! A thread that has yielded or slept, that stands at a join, or that waits in a loop (`hang.rs` says what that is), could
//! go on; but all that it would do is wait. A bound on switches counts none away from it, and schedulers that choose one
//! run let others go first. `Options::waits` turns that off, for comparisons.

use steam_linux::kernel::Pending;
use steam_model::{Delta, Livelocks};
use steam_state::{Table, ThreadId};

use super::step::Worker;
use super::{Action, Program};

impl Program {
    /// Whether the thread of an action, just done from a state, can only wait now.
    pub(super) fn gives_way_after(
        &self,
        worker: &mut Worker,
        before: &Table,
        action: Action,
        delta: &Delta,
    ) -> bool {
        let thread = action.thread;
        if !self.options.waits {
            return false;
        }
        if self.yields(before, action) {
            return true;
        }
        let mut next = before.clone();
        for change in delta.changes() {
            next.set(change.slot, steam_state::Component(change.new));
        }
        match self.pending(&next, thread) {
            // One that was cut, because it loops or runs for long, stands where others get their turn.
            Some(Pending::Join { .. } | Pending::Cut) => true,
            // Of the steps of a loop one is such a step.
            Some(_) => {
                self.leads_back(before, thread, delta) && worker.spins_in(self, &next, thread)
            }
            None => false,
        }
    }

    /// Whether a thread of a state waits in a loop.
    pub(super) fn spins_now(&self, worker: &mut Worker, state: &Table, thread: ThreadId) -> bool {
        self.options.waits && worker.spins_in(self, state, thread)
    }
}
