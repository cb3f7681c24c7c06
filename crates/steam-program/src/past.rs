//! Runs that come to an error of a kind that is not looked for: how they continue.
//!
//! An error ends the program here. Where the real program would go on (it ignores an error code, or writes where
//! nothing looks), what it does then is not explored, and that is remembered ([`Program::passed`]): the
//! search is not complete. A thread that runs on and on does not end it, and what becomes of the run is asked by
//! formulas, so nothing may be made up: each step that is reported here is one of the program, and each run of the
//! program is reported or said to be unknown.
//!
//! - A step does its visible operation, and is cut when its invisible part takes too long: the thread stands in
//!   the middle of it ([`Pending::Cut`](steam_linux::kernel::Pending::Cut)). That is a state of the program, in which
//!   holds what held after the operation: whatever changes an atom is visible.
//! - A thread that goes on from there and comes back to the same registers and the same memory does so for ever,
//!   unless others change what it reads; then it is another state. So it is a step from the state to itself, and
//!   a run that takes it again and again is one of the program, whichever fairness is asked for.
//! - One that was stopped before it came back, or to a visible operation, may come to something or not. There
//!   is no step to report: one back to where it was would be a run on which the thread stays there, also where
//!   it soon goes on. So the step leads nowhere. The others go on beside the thread, which is still said to be
//!   able to act: with weak and strong fairness a cycle that leaves it out does not count, without fairness it
//!   does, and rightly so. Finite violations are the others' doing. All runs on which the thread goes on are
//!   missing, so that what is not violated is unknown ([`Program::running`]).
//! - A step that runs on and on within what is done as a whole, such as an atomic block, is not cut:
//!   others would see the middle of it. It leads nowhere in the same way, and what it did before is unknown too.

use std::sync::PoisonError;

use steam_model::{Delta, Step, StepOf};
use steam_report::Kind;
use steam_state::Table;

use super::finding::Violation;
use super::long_runs::Looped;
use super::{Program, Worker};

/// The status of a program that an error has ended.
const FAILED: i32 = 1;

/// Whether a thread that runs on and on makes an error of this kind, or what may be one.
pub(super) const fn runs_on(kind: Kind) -> bool {
    matches!(kind, Kind::Divergence | Kind::LongRun)
}

impl Program {
    /// Continues after a step, just done from a state, that was an error which is not looked for: where it
    /// leads to. The program has ended there, and what holds of its memory stays so; a thread that runs on
    /// and on changes nothing, or is not known to come anywhere.
    pub fn go_past(
        &self,
        worker: &mut Worker,
        state: &Table,
        error: &Violation,
        delta: &mut Delta,
    ) -> StepOf<Self> {
        if error.kind == Kind::Hang {
            // The program goes on for ever, as it does here.
            return Step::Next;
        }
        delta.clear();
        if runs_on(error.kind) {
            worker.progress = false;
            if worker.looped == Looped::Returned {
                return Step::Next;
            }
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.get_or_insert_with(|| error.clone());
            return Step::Infeasible;
        }
        worker.progress = true;
        let observed = worker.holds_at_end(self, state);
        worker.empty_but_for(FAILED, observed, state, delta);
        Step::Next
    }

    /// A thread that ran on and on in this iteration, if there is one of which it is not known whether it
    /// does so for ever.
    pub fn running(&self) -> Option<Violation> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers that a path ends at an error that is not looked for, a step from this state, if the real program may
    /// go on there: the error does not end its process, or there are other processes.
    pub fn note_passed(&self, state: &Table, error: &Violation) {
        let goes_on = match error.kind {
            // These paths are not cut.
            Kind::Hang => false,
            kind if runs_on(kind) => false,
            kind => !kind.ends_process() || self.has_several_processes(state),
        };
        if goes_on {
            let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
            passed.get_or_insert_with(|| error.clone());
        }
    }

    fn has_several_processes(&self, state: &Table) -> bool {
        let threads = self.view(state);
        threads.iter().any(|view| view.space != threads[0].space)
    }

    /// An error of a kind that is not looked for, at which paths of this iteration ended although the real program may
    /// go on there.
    pub fn passed(&self) -> Option<Violation> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets what is known of threads that run on and on, and of errors that are not looked for.
    pub(super) fn forget_running(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
